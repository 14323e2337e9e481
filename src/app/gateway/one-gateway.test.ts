/** What a node with one gateway loads: a process says so itself. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

setDefaultTimeout(60_000)

/** Files of this checkout that a process has loaded once its node serves clients, from `src/` on. */
function loadedBy(gateways: number): readonly string[] {
  const data = mkdtempSync(path.join(tmpdir(), 'bourse-one-'))
  const from = (file: string) => JSON.stringify(path.resolve(import.meta.dir, '..', file))
  const script = `
    const { startNode } = await import(${from('node/node.ts')})
    const { SERVE_DEFAULTS } = await import(${from('settings/defaults.ts')})
    const server = { ...SERVE_DEFAULTS.server, port: 0 }
    const settings = { ...SERVE_DEFAULTS, server, gateways: ${gateways}, dataDirectory: ${JSON.stringify(path.join(data, 'data'))} }
    const log = { debug() {}, info() {}, warn() {}, error: console.error }
    const node = await startNode({ settings, version: 'test', log })
    await node.open()
    console.log(JSON.stringify(Object.keys(require.cache)))
    await node.stop()
    process.exit(0)`
  try {
    const file = path.join(data, 'node.ts')
    writeFileSync(file, script)
    const child = Bun.spawnSync([process.execPath, '--no-env-file', file], { stderr: 'inherit' })
    const files = JSON.parse(child.stdout.toString().trim()) as string[]
    return files.flatMap((file) => /\/src\/(.*)$/.exec(file)?.[1] ?? [])
  } finally {
    rmSync(data, { recursive: true })
  }
}

const isOfLinks = (file: string): boolean =>
  /^(?:drivers\/link|app\/gateway)\/|^gateway\/stream\/peer-/.test(file)

test('a node with one gateway loads nothing of links and of other gateways, which a node with two needs', () => {
  const one = loadedBy(1)
  expect(one).toContain('app/node/local-clients.ts')
  expect(one.filter(isOfLinks)).toEqual([])
  expect(loadedBy(2).filter(isOfLinks)).toContain('app/gateway/gateway-fleet.ts')
})
