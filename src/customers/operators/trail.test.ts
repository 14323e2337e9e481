/** Heads of the history chain in the journal, on real files. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Rig } from '../customers.fixture.ts'
import { ExchangeFault } from '../ports.ts'
import { STORE_FILE } from '../store/schema.ts'
import { answerOperator } from './answer-operator.ts'
import { compareTrail, HELD_BACK_MS, journalHeadOfDay } from './trail.ts'

const DAY_MS = 86_400_000
let rig: Rig

beforeEach(async () => {
  rig = new Rig()
  await rig.browser().signUp('jo@example.org')
})
afterEach(() => rig.close())

const trail = (number?: number) => answerOperator(rig.context, 'trail', { by: 'dan', request: { number } })
/** Changes the file as an attacker with access to it could. */
function change(sql: string): void {
  const db = new Database(join(rig.directory, STORE_FILE))
  db.run(sql)
  db.close()
}

test('the head of the trail is journaled once a day, and only when it has changed', async () => {
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

test('a head that the exchange did not accept is journaled by the next call, also after a restart', async () => {
  rig.exchange.isAway = true
  await expect(journalHeadOfDay(rig.context)).rejects.toThrow('away')
  rig.exchange.isAway = false
  rig.restart()
  await journalHeadOfDay(rig.context)
  rig.restart()
  await journalHeadOfDay(rig.context)
  expect(rig.exchange.heads).toHaveLength(1)
})

test('the journaled head is compared with the store: a rewritten trail has another hash there', async () => {
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

describe('a start compares the trail with the newest head in the journal', () => {
  const compare = () => compareTrail(rig.context, new AbortController().signal)
  /** Starts a new process on this store; returns its warnings. */
  async function warningsOfStart(): Promise<readonly object[]> {
    rig.restart()
    const before = rig.warnings.length
    await compare()
    return rig.warnings.slice(before)
  }

  /** Copies the store as it is now; the returned function puts the copy back. */
  function copyOfStore(): () => void {
    const copy = join(rig.directory, 'copy')
    rig.context.store.close()
    cpSync(join(rig.directory, STORE_FILE), copy)
    rig.reopen()
    return () => {
      rig.context.store.close()
      for (const ending of ['-wal', '-shm'])
        rmSync(join(rig.directory, `${STORE_FILE}${ending}`), { force: true })
      cpSync(copy, join(rig.directory, STORE_FILE))
      rig.reopen()
    }
  }

  test('an equal one, a longer one and one without any head are not reported', async () => {
    expect(await warningsOfStart()).toEqual([])
    await journalHeadOfDay(rig.context)
    expect(rig.exchange.heads).toHaveLength(1)
    expect(await warningsOfStart()).toEqual([])
    await rig.browser().signUp('al@example.org')
    expect(await warningsOfStart()).toEqual([])
    expect(rig.context.found.trailDiffers).toBe(0)
  })

  test('an older store is reported once, with what was expected and found, and still serves', async () => {
    const restore = copyOfStore()
    const newest = rig.context.store.records.head()?.number
    await rig.browser().signUp('al@example.org')
    await journalHeadOfDay(rig.context)
    const [expected] = rig.exchange.heads
    expect(expected?.number).toBeGreaterThan(newest ?? Number.POSITIVE_INFINITY)
    restore()
    expect(await warningsOfStart()).toMatchObject([
      { fields: { expected, found: { newest, hash: null, broken: null } } },
    ])
    expect(rig.context.found.trailDiffers).toBe(1)
    await compare()
    expect(rig.warnings).toHaveLength(1)
    expect((await rig.browser().signUp('ben@example.org')).status).toBe(200)
    // The number exists again, with another hash.
    expect(await warningsOfStart()).toMatchObject([
      { fields: { expected, found: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), broken: null } } },
    ])
  })

  test('a changed entry is reported at every start', async () => {
    await journalHeadOfDay(rig.context)
    const [expected] = rig.exchange.heads
    change("UPDATE trail SET kind = 'SIGNED_OUT' WHERE number = 2")
    const reported = [{ fields: { expected, found: { hash: expected?.hash, broken: 2 } } }]
    expect(await warningsOfStart()).toMatchObject(reported)
    rig.nowMs += 3 * HELD_BACK_MS
    await journalHeadOfDay(rig.context)
    expect(await warningsOfStart()).toMatchObject([{ fields: { found: { broken: 2 } } }])
  })

  test('a trail that was rewritten while the process ran is found before the next head is journaled', async () => {
    await journalHeadOfDay(rig.context)
    change("UPDATE trail SET hash = x'00' WHERE number = (SELECT max(number) FROM trail)")
    await rig.browser().signUp('al@example.org')
    rig.nowMs += DAY_MS
    await journalHeadOfDay(rig.context)
    expect(rig.exchange.heads).toHaveLength(1)
    expect(rig.warnings).toHaveLength(1)
    expect(rig.context.found.trailDiffers).toBe(1)
  })

  test('for a day each start finds the difference, then a head of the present trail is journaled', async () => {
    const restore = copyOfStore()
    await rig.browser().signUp('al@example.org')
    await journalHeadOfDay(rig.context)
    restore()
    await rig.browser().signUp('ben@example.org')
    // The store has no record of the head that was journaled today.
    for (let starts = 0; starts < 2; starts++) {
      expect(await warningsOfStart()).toHaveLength(1)
      await journalHeadOfDay(rig.context)
      expect(rig.exchange.heads).toHaveLength(1)
      rig.nowMs += HELD_BACK_MS / 2 - 1_000
    }
    rig.nowMs += 3_000
    await journalHeadOfDay(rig.context)
    expect(rig.exchange.heads).toHaveLength(2)
    expect(await warningsOfStart()).toEqual([])
  })

  test('a newer copy clears the finding', async () => {
    await journalHeadOfDay(rig.context)
    rig.context.store.records.setDiffersSince(rig.nowMs)
    expect(await warningsOfStart()).toEqual([])
    expect(rig.context.store.records.differsSince()).toBeUndefined()
  })

  test('a process that stops in the middle does not use its closed store', async () => {
    await journalHeadOfDay(rig.context)
    const gone = new AbortController()
    const comparison = compareTrail(rig.context, gone.signal).catch((cause: unknown) => cause)
    gone.abort('stopped')
    rig.context.store.close()
    expect(await comparison).toBe('stopped')
    rig.reopen()
  })

  test('without an answer of the exchange nothing is reported', async () => {
    rig.exchange.isAway = true
    const failed = await compare().catch((cause: unknown) => cause)
    expect(failed).toBeInstanceOf(ExchangeFault)
    expect(rig.context.found.trailDiffers).toBe(0)
  })
})
