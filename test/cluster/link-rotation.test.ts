/**
 * The secret of links is changed in its three steps while engines, a historian and a gateway run; each of
 * them only reloads its files.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openReplicaLink } from '../../src/transport/link/asking/replica-link.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { until } from '../support/until.ts'
import { ClusterProcesses, LINK_SECRET, type ProcessName } from './support/cluster-processes.ts'

const FRESH = 'another secret of the links of this test'
const READ_AGAIN = 'secrets and certificates of links were reloaded'
const ALL: readonly ProcessName[] = ['one', 'two', 'historian', 'gateway-1']

let cluster: ClusterProcesses

beforeAll(async () => {
  cluster = await ClusterProcesses.create(await PostgresServer.start())
  for (const name of ALL) await cluster.start(name)
}, 300_000)
afterAll(async () => {
  await cluster?.discard()
  await discardServers()
}, 300_000)

function place(name: string): string {
  return path.join(cluster.directory, name)
}

function saidBy(name: ProcessName): string {
  const { out, err } = cluster.process(name)
  return out + err
}

/** Writes the given secrets to the file, and has every process reload it. */
async function change(secret: string, previous: string | undefined): Promise<void> {
  writeFileSync(place('link.secret'), `${secret}\n`, { mode: 0o600 })
  if (previous !== undefined) writeFileSync(place('link.previous'), `${previous}\n`, { mode: 0o600 })
  const whole = JSON.parse(readFileSync(cluster.file, 'utf8'))
  const { previousSecretFile: _, ...link } = whole.link
  const more = previous === undefined ? {} : { previousSecretFile: place('link.previous') }
  writeFileSync(cluster.file, JSON.stringify({ ...whole, link: { ...link, ...more } }, undefined, 1))
  await reload(READ_AGAIN)
}

/** Lets every process reload its files, and waits until each has logged `sentence` once more. */
async function reload(sentence: string): Promise<void> {
  const said = (name: ProcessName): number => saidBy(name).split(sentence).length
  const before = ALL.map(said)
  for (const name of ALL) cluster.process(name).child.kill('SIGHUP')
  await until(`all have said: ${sentence}`, () => ALL.every((name, i) => said(name) > (before[i] as number)))
}

/** How the engines answer a client with `secret`. */
async function taken(secret: string): Promise<readonly string[]> {
  return Promise.all(
    cluster.addresses.map((address) =>
      openReplicaLink({ address, secret, name: 'stranger' }).then(
        (link) => {
          link.close()
          return 'OPEN'
        },
        ({ kind }) => kind,
      ),
    ),
  )
}

test('the secret of links is changed in three steps while everything runs, and the old one opens nothing afterwards', async () => {
  const KNOWN = ['NOT_LEADER', 'OPEN']
  const sorted = async (secret: string) => [...(await taken(secret))].sort()
  expect(await sorted(FRESH)).toEqual(['WRONG_SECRET', 'WRONG_SECRET'])
  await change(LINK_SECRET, FRESH)
  expect([await sorted(LINK_SECRET), await sorted(FRESH)]).toEqual([KNOWN, KNOWN])
  await change(FRESH, LINK_SECRET)
  expect([await sorted(LINK_SECRET), await sorted(FRESH)]).toEqual([KNOWN, KNOWN])
  await change(FRESH, undefined)
  expect([await sorted(LINK_SECRET), await sorted(FRESH)]).toEqual([['WRONG_SECRET', 'WRONG_SECRET'], KNOWN])

  // The processes that ran throughout, and one that only ever had the new secret, reach the next leader.
  expect(await cluster.end('one', 'SIGTERM')).toBe(0)
  await until('the other engine leads', () => cluster.role('two') === 'LEADING')
  await cluster.start('one')
  await until('the first engine follows', () => cluster.role('one') === 'FOLLOWING')
  expect(await cluster.end('two', 'SIGKILL')).not.toBe(0)
  await until('the first engine leads', () => cluster.role('one') === 'LEADING')
  const linked = () =>
    (['historian', 'gateway-1'] as const).every((name) => /"epoch":([3-9]|\d\d)\b/.test(saidBy(name)))
  await until('historian and gateway are linked to it', linked)
  await cluster.start('two')
}, 300_000)

test('an unusable secret changes nothing, and the log says why', async () => {
  writeFileSync(place('link.secret'), 'short\n', { mode: 0o600 })
  await reload('secrets and certificates of links stay')
  await until('each log says why', () =>
    ALL.every((name) => saidBy(name).includes('expected a secret of at least 32 characters')),
  )
  expect([...(await taken(FRESH))].sort()).toEqual(['NOT_LEADER', 'OPEN'])
})
