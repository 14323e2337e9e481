/** Modules loaded by a node with one gateway, reported by the process itself. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

setDefaultTimeout(300_000)

const from = (file: string) => JSON.stringify(path.resolve(import.meta.dir, '..', file))

/** Modules loaded by a process once its node serves clients. `more`: settings, as the text of an object. */
function loadedBy(gateways: number, more = '{}'): readonly string[] {
  const data = mkdtempSync(path.join(tmpdir(), 'bourse-one-'))
  const script = `
    const { startNode } = await import(${from('node/node.ts')})
    const { SERVE_DEFAULTS } = await import(${from('settings/defaults.ts')})
    const server = { ...SERVE_DEFAULTS.server, port: 0 }
    const settings = { ...SERVE_DEFAULTS, server, gateways: ${gateways}, dataDirectory: ${JSON.stringify(path.join(data, 'data'))}, ...${more} }
    const log = { debug() {}, info() {}, warn() {}, error: console.error }
    const node = await startNode({ settings, version: { number: 'test', commit: 'unknown', commitDate: 'unknown' }, log })
    await node.open()
    console.log(JSON.stringify(Object.keys(require.cache)))
    await node.stop()
    process.exit(0)`
  try {
    return loadedByScript(data, script)
  } finally {
    rmSync(data, { recursive: true })
  }
}

/**
 * The files that `script`, whose last line lists them, has loaded in a process of its own; their paths begin
 * with `src/` or `node_modules/`.
 */
function loadedByScript(directory: string, script: string): readonly string[] {
  const file = path.join(directory, 'script.ts')
  writeFileSync(file, script)
  const child = Bun.spawnSync([process.execPath, '--no-env-file', file], { stderr: 'inherit' })
  const files = JSON.parse(child.stdout.toString().trim().split('\n').at(-1) ?? '') as string[]
  return files.flatMap((file) => /\/(?:src|node_modules)\/(.*)$/.exec(file)?.[1] ?? [])
}

const isOfLinks = (file: string): boolean =>
  /^(?:transport\/link|app\/gateways)\/|^server\/stream\/transport\/peer-/.test(file)

const isOfClusters = (file: string): boolean => /^(?:app\/cluster\/engine|pg[^/]*)\//.test(file)

const isOfStandbys = (file: string): boolean =>
  /^(?:app\/standby|engine\/standby)\/|^engine\/leadership\/position-board/.test(file)

const isOfWebhooks = (file: string): boolean =>
  /^app\/node\/(?:open-webhooks|storage\/stored-webhooks)|^server\/admin\/webhooks\/(?!operations)|^storage\/sqlite\/webhooks/.test(
    file,
  )
const isOfArchives = (file: string): boolean =>
  /^app\/node\/upkeep\/(?:archive|start)-rule|^storage\/sqlite\/archiv(?:ing|ed)/.test(file)

const isOfSandbox = (file: string): boolean => /^app\/sandbox\//.test(file)

test('a node with one gateway loads nothing of links and of other gateways, which a node with two needs', () => {
  const one = loadedBy(1)
  expect(one).toContain('app/node/serving/local-clients.ts')
  expect(
    one.filter(
      (file) =>
        isOfLinks(file) ||
        isOfStandbys(file) ||
        isOfWebhooks(file) ||
        isOfArchives(file) ||
        isOfSandbox(file),
    ),
  ).toEqual([])
  expect(loadedBy(2).filter(isOfLinks)).toContain('app/gateways/gateway-fleet.ts')
})

test('a node loads the wire for clients of Binance only with its port', () => {
  const isOfWire = (file: string): boolean => file.startsWith('server/binance/')
  expect(loadedBy(1).filter(isOfWire)).toEqual([])
  expect(loadedBy(1, '{ binance: { port: 0 } }').filter(isOfWire)).toContain(
    'server/binance/binance-server.ts',
  )
})

test('a node loads nothing of the schemas that describe its interface, and encodes without them', () => {
  const one = loadedBy(1)
  expect(one).toContain('contract/envelope.ts')
  expect(one.filter((file) => file.startsWith('contract/publish/'))).toEqual([])
})

test('the program loads no link, no process of a cluster and no client of its database before one is needed', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-one-'))
  try {
    const loaded = loadedByScript(
      directory,
      `process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache))))
      process.argv = [process.argv[0], 'bourse', '--version']
      await import(${from('main.ts')})`,
    )
    expect(loaded).toContain('app/serve.ts')
    expect(loaded.filter((file) => isOfLinks(file) || isOfClusters(file) || isOfStandbys(file))).toEqual([])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
