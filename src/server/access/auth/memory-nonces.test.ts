import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { MemoryNonces } from './memory-nonces.ts'

const START = 1_790_000_000_000
const WINDOW = 5_000

/** Takes a nonce of a request that was sent at `timestamp`, by default now, and may be late by `windowMs`. */
function take(
  nonces: MemoryNonces,
  nonce: string,
  now: number,
  { apiKey = 'key', accountId = 1, timestamp = now, windowMs = WINDOW } = {},
): string {
  const request = { nonce, timestamp, acceptableUntil: timestamp + windowMs, now: now as TimeMs }
  return nonces.take({ apiKey, accountId: accountId as AccountId, ...request }).kind
}

const later = START + 10_000

describe('a nonce', () => {
  test('is good once for each key', () => {
    const nonces = new MemoryNonces(START)
    expect(take(nonces, 'a', later)).toBe('FRESH')
    expect(take(nonces, 'a', later)).toBe('REPEATED')
    expect(take(nonces, 'a', later, { timestamp: later + 999 })).toBe('REPEATED')
    expect(take(nonces, 'b', later)).toBe('FRESH')
    expect(take(nonces, 'a', later, { apiKey: 'other' })).toBe('FRESH')
  })

  test('is refused as long as its request is acceptable, to the last millisecond of the longest window', () => {
    for (const windowMs of [0, 1, 999, 5_000, 60_000]) {
      const nonces = new MemoryNonces(START)
      expect(take(nonces, 'a', later, { windowMs })).toBe('FRESH')
      const again = (now: number) => take(nonces, 'a', now, { timestamp: later, windowMs })
      for (const late of [0, windowMs >> 1, windowMs]) expect(again(later + late)).toBe('REPEATED')
      expect(again(later + windowMs + 1)).toBe('EXPIRED')
    }
  })

  test('of a request that expired is not accepted as new when the clock is set back', () => {
    const nonces = new MemoryNonces(START)
    expect(take(nonces, 'a', later)).toBe('FRESH')
    expect(take(nonces, 'b', later + 120_000)).toBe('FRESH')
    expect(take(nonces, 'a', later, { timestamp: later })).toBe('EXPIRED')
  })

  test('from before the start is unknown, so a timestamp that was acceptable then is refused', () => {
    const nonces = new MemoryNonces(START)
    const at = (timestamp: number) => take(nonces, `${timestamp}`, START + 900, { timestamp })
    expect([START - 4_000, START, START + 999, START + 1_000].map(at)).toEqual(Array(4).fill('UNKNOWABLE'))
    expect(at(START + 1_001)).toBe('FRESH')
    const request = { nonce: 'x', timestamp: START, acceptableUntil: START + 1, now: START as TimeMs }
    expect(nonces.take({ apiKey: 'key', accountId: 1 as AccountId, ...request })).toEqual({
      kind: 'UNKNOWABLE',
      after: START + 1_000,
    })
  })
})

test('a signature is accepted again for what it has opened, and for nothing else, until its window closes', () => {
  const nonces = new MemoryNonces(START)
  const use = (opens: string | undefined, now = later) =>
    nonces.take({
      ...{ apiKey: 'key', accountId: 1 as AccountId, nonce: 'ab12', opens },
      ...{ timestamp: later, acceptableUntil: later + WINDOW, now: now as TimeMs },
    }).kind
  expect(['POST /x', 'POST /x', 'READING', undefined, 'POST /x'].map((opens) => use(opens))).toEqual([
    'FRESH',
    'FRESH',
    'REPEATED',
    'REPEATED',
    'FRESH',
  ])
  expect(use('READING', later + WINDOW + 1)).toBe('EXPIRED')
})

test('no request is FRESH twice, however times and windows are mixed', () => {
  const use = fc.record({
    nonce: fc.constantFrom('a', 'b', 'c'),
    apiKey: fc.constantFrom('one', 'two'),
    agoMs: fc.integer({ min: -999, max: 60_000 }),
    windowMs: fc.constantFrom(0, 1_000, 5_000, 60_000),
    passesMs: fc.integer({ min: -3_000, max: 30_000 }),
  })
  fc.assert(
    fc.property(fc.array(use, { maxLength: 40 }), (uses) => {
      const nonces = new MemoryNonces(START)
      const goodUntil = new Map<string, number>()
      let now = START + 100_000
      let latest = now
      for (const { nonce, apiKey, agoMs, windowMs, passesMs } of uses) {
        now += passesMs
        latest = Math.max(latest, now)
        const timestamp = now - agoMs
        const until = timestamp + windowMs
        if (until < now) continue
        const name = `${apiKey} ${nonce}`
        const verdict = take(nonces, nonce, now, { apiKey, timestamp, windowMs })
        if ((goodUntil.get(name) ?? 0) >= latest) expect(['REPEATED', 'EXPIRED']).toContain(verdict)
        if (verdict === 'FRESH') goodUntil.set(name, until)
      }
    }),
  )
})

describe('the room for nonces', () => {
  /** Takes new nonces of an account's key until there is no room for it. */
  const fill = (
    nonces: MemoryNonces,
    accountId: number,
    now = later,
    apiKey = `key of ${accountId}`,
  ): number => {
    for (let taken = 0; ; taken++) {
      if (take(nonces, `n${taken}`, now, { apiKey, accountId }) === 'FULL') return taken
    }
  }

  test('is never exceeded, and one account leaves most of it to the others, however many keys it has', () => {
    const nonces = new MemoryNonces(START, 9_000)
    expect(fill(nonces, 1)).toBe(1_000)
    for (let key = 0; key < 100; key++) expect(fill(nonces, 1, later, `key ${key} of 1`)).toBe(0)
    expect(fill(nonces, 2)).toBeGreaterThan(800)
    for (let account = 3; account < 500; account++) fill(nonces, account)
    expect(nonces.count).toBeLessThanOrEqual(9_000)
  })

  test('is left to a newcomer by twenty accounts that use as much as they can', () => {
    const nonces = new MemoryNonces(START, 90_000)
    for (let account = 1; account <= 20; account++) fill(nonces, account)
    expect(fill(nonces, 21)).toBeGreaterThan(900)
  })

  test('is free again when windows close, all of it, and a repetition uses none', () => {
    const nonces = new MemoryNonces(START, 9_000)
    const room = fill(nonces, 1)
    expect(take(nonces, 'n0', later, { apiKey: 'key of 1' })).toBe('REPEATED')
    expect(nonces.count).toBe(room)
    expect(take(nonces, 'next', later + WINDOW + 1_000)).toBe('FRESH')
    expect(nonces.count).toBe(1)
    expect(fill(nonces, 2, later + 2 * WINDOW + 2_000)).toBe(room)
  })
})
