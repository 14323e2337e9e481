/** Heads of the history chain in the journal, on real files. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Rig } from '../customers.fixture.ts'
import { STORE_FILE } from '../store/schema.ts'
import { answerOperator } from './answer-operator.ts'
import { journalHeadOfDay } from './trail.ts'

const DAY_MS = 86_400_000
let rig: Rig

beforeEach(async () => {
  rig = new Rig()
  await rig.browser().signUp('jo@example.org')
})
afterEach(() => rig.close())

const trail = (number?: number) => answerOperator(rig.context, 'trail', { by: 'dan', request: { number } })
/** Like an attacker with access to the file. */
function change(sql: string): void {
  const db = new Database(join(rig.directory, STORE_FILE))
  db.run(sql)
  db.close()
}

test('the head of the trail is journaled once a day, and only when there is another one', async () => {
  await journalHeadOfDay(rig.context)
  await rig.browser().signUp('al@example.org')
  await journalHeadOfDay(rig.context)
  expect(rig.exchange.heads).toHaveLength(1)
  rig.nowMs += DAY_MS
  await journalHeadOfDay(rig.context)
  rig.nowMs += DAY_MS
  await journalHeadOfDay(rig.context)
  expect(rig.exchange.heads).toHaveLength(2)
  const [first, second] = rig.exchange.heads
  expect(second?.number).toBeGreaterThan(first?.number ?? Number.POSITIVE_INFINITY)
})

test('a head that the exchange did not take is journaled by the next call, also after a restart', async () => {
  rig.exchange.isAway = true
  await expect(journalHeadOfDay(rig.context)).rejects.toThrow('away')
  rig.exchange.isAway = false
  rig.restart()
  await journalHeadOfDay(rig.context)
  rig.restart()
  await journalHeadOfDay(rig.context)
  expect(rig.exchange.heads).toHaveLength(1)
})

test('what the journal has is compared with the store: a trail written anew has another hash there', async () => {
  await journalHeadOfDay(rig.context)
  const [head] = rig.exchange.heads
  expect(await trail(head?.number)).toMatchObject({ ok: true, result: { broken: null, ...head } })
  const now = await trail()
  expect(now).toMatchObject({ result: { number: head?.number } })
  change("UPDATE trail SET kind = 'SIGNED_OUT' WHERE number = 2")
  expect(await trail()).toMatchObject({ result: { broken: 2 } })
  change('DELETE FROM trail WHERE number > 1')
  expect(await trail(head?.number)).toMatchObject({ ok: false, reason: 'NO_SUCH_ENTRY', field: 'number' })
})
