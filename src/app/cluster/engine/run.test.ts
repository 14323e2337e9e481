import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openClusterStorage } from '../../node/storage/cluster-storage.ts'
import { loadCluster } from '../settings.ts'
import { engineOptions } from './engine-options.ts'
import { runEngineCommand, runHistorianCommand } from './run.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-engine-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const file = path.join(directory, 'cluster.json')
const secretFile = path.join(directory, 'link.secret')
writeFileSync(secretFile, 's'.repeat(32), { mode: 0o600 })

const WHOLE = {
  database: { host: '127.0.0.1', name: 'bourse', tls: 'off' },
  durability: { kind: 'single' },
  link: { secretFile, tls: 'off' },
  masterKeyFile: path.join(directory, 'master.key'),
  engines: [
    { name: 'one', link: '127.0.0.1:7701', data: '/data/one', admin: '127.0.0.1:8081' },
    { name: 'two', link: '/run/two.sock' },
  ],
}

function optionsOf(parts: object, name: string, data?: string, acceptsDatabase?: boolean) {
  writeFileSync(file, JSON.stringify({ ...WHOLE, ...parts }, null, 1))
  return engineOptions(loadCluster(file), name, data, acceptsDatabase)
}

test('an engine is given its own directory and ports, and the addresses of the others', () => {
  const { settings, links } = optionsOf({}, 'one')
  expect([settings.dataDirectory, settings.adminPort]).toEqual(['/data/one', 8081])
  expect(links.current).toEqual({
    listen: { hostname: '127.0.0.1', port: 7701, tls: undefined },
    secrets: ['s'.repeat(32)],
    peers: [{ socketPath: '/run/two.sock' }],
  })
  expect(optionsOf({}, 'two', '/data/two').settings.dataDirectory).toBe('/data/two')
  const accepts = [undefined, true].map((word) => optionsOf({}, 'one', undefined, word).acceptsDatabase)
  expect(accepts).toEqual([false, true])
})

test('an engine that the file does not describe, or describes only in part, is refused with what is missing', () => {
  expect(() => optionsOf({}, 'three')).toThrow('engines: expected an entry named three, found one, two')
  expect(() => optionsOf({}, 'two')).toThrow('two has no data: set a directory there or with --data DIR')
  expect(() => optionsOf({ masterKeyFile: undefined }, 'one')).toThrow(
    'masterKeyFile: expected the path of a file, found nothing',
  )
  const outside = [{ ...WHOLE.engines[0], admin: '10.0.0.1:8081' }]
  expect(() => optionsOf({ engines: outside }, 'one')).toThrow('adminHost (10.0.0.1) must be 127.0.0.1')
})

test('the command says which of its options is missing', async () => {
  const host = {
    print: () => {},
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    openLog: () => Promise.reject(new Error('no log')) as never,
  }
  const wrong = (...line: string[]) =>
    runEngineCommand(line, host).then(String, (cause: Error) => cause.message)
  expect(await wrong('--name', 'one')).toBe('expected the cluster file: --config FILE')
  expect(await wrong('--config', file)).toBe('expected the name of this engine: --name NAME')
  expect(await wrong('--config', file, '--name', 'one', 'more')).toBe(
    'unexpected argument "more"; expected an option',
  )
  const historian = runHistorianCommand(['--config', file, '--name', 'x', '--accept-database'], host)
  expect(await historian.catch((cause: Error) => cause.message)).toContain('unknown option --accept-database')
})

test('a directory belongs to one engine, and a directory with an exchange of one machine is refused', () => {
  const { database, cluster, acceptsDatabase } = optionsOf({}, 'one')
  const settings = { database, durability: cluster.durability, acceptsDatabase }
  openClusterStorage({ dataDirectory: directory, ...settings })
  expect(() => openClusterStorage({ dataDirectory: directory, ...settings })).toThrow(
    'is in use by another process',
  )
  const embedded = mkdtempSync(path.join(directory, 'embedded-'))
  writeFileSync(path.join(embedded, 'journal.sqlite'), 'a journal')
  expect(() => openClusterStorage({ dataDirectory: embedded, ...settings })).toThrow(
    'contains an exchange of a single machine (journal.sqlite)',
  )
})
