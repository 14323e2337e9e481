/** Historians over real links: one that lags, one that exits, one with another journal. */
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../test/support/until.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import { openLink } from '../../transport/link/asking/link-client.ts'
import { SECRET } from '../../transport/link/linked-engine.fixture.ts'
import { LinkServer } from '../../transport/link/serving/link-server.ts'
import type { SymbolId } from '../../units/ids.ts'
import { type Seq, seq } from '../../units/quantities.ts'
import { HistorianLinks } from './historian-links.ts'
import { chosenHistory } from './history-chooser.ts'

const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const quiet = (): void => {}
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const SYMBOL = 0 as SymbolId

function historyOf(name: string): HistoryPort {
  return { recentTrades: async () => [name] } as unknown as HistoryPort
}

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'bourse-historian-'))
  ends.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function historian(name: string, socketPath: string, reached: () => Seq, journal = 'j'): LinkServer {
  const services = { kind: 'historian', journal, name, history: historyOf(name), reached } as const
  const server = new LinkServer({ listen: { socketPath }, secrets: [SECRET], services })
  ends.push(() => server.stop())
  return server
}

test('gateways ask historians that have what they need, others where one dies, and the leader where none is left', async () => {
  const root = directory()
  let lagging = seq(5)
  const [one, two, three] = ['one', 'two', 'three'].map((name) => join(root, `${name}.sock`)) as [
    string,
    string,
    string,
  ]
  const quick = historian('one', one, () => seq(100))
  historian('two', two, () => lagging)
  historian('three', three, () => seq(100), 'another journal')
  const links = new HistorianLinks({
    links: () => ({
      historians: [one, two, three].map((socketPath, i) => ({ name: `${i}`, address: { socketPath } })),
      secret: SECRET,
    }),
    ...{ name: 'gateway', journal: () => 'j', log: LOG },
  })
  ends.push(() => links.stop())
  const chooser = chosenHistory(links.able, historyOf('leader'))
  const ask = async (at: number): Promise<unknown> =>
    (await chooser.recentTrades({ symbolId: SYMBOL, limit: 1, upTo: seq(at) }))[0]
  await until('both historians of the journal have said how far they are', () =>
    [100, 5].every((at) => links.able().some(({ reached }) => Number(reached()) === at)),
  )
  // The second lags, the third has another journal.
  for (let i = 0; i < 4; i++) expect(await ask(50)).toBe('one')
  expect(new Set([await ask(5), await ask(5)])).toEqual(new Set(['one', 'two']))
  await quick.stop()
  await until('the one that is gone is not asked', () => links.able().length === 1)
  expect([await ask(50), await ask(5)]).toEqual(['leader', 'two'])
  lagging = seq(60)
  await until('the other one has caught up', () => links.able().every(({ reached }) => reached() >= 50))
  expect(await ask(50)).toBe('two')
  // A historian that is available again is asked again.
  historian('one', one, () => seq(100))
  await until('it is linked again', () => links.able().length === 2)
})

test('a historian serves nothing to a peer that connects as a gateway', async () => {
  const socketPath = join(directory(), 'historian.sock')
  historian('one', socketPath, () => seq(1))
  const fault = await openLink({ address: { socketPath }, secret: SECRET, name: 'a' }).catch(
    (cause: unknown) => cause,
  )
  expect(fault).toMatchObject({ kind: 'FORBIDDEN', message: 'one offers nothing to a gateway' })
})
