import { expect, test } from 'bun:test'
import type { AccountUpdate } from '../../../engine/port/ports.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import { NO_AMOUNT, type Seq, type TimeMs } from '../../../units/quantities.ts'
import type { Feeds } from '../../private-feed/feeds.ts'
import { WorkLane } from '../../trading/work-lane.ts'
import { UserDataReader } from './user-data-reader.ts'

const ACCOUNT = 7 as AccountId
const NOW = 1_790_000_000_000 as TimeMs

function update(seq: number, balances: number): AccountUpdate {
  const balance = {
    assetId: 1 as AssetId,
    free: NO_AMOUNT,
    locked: NO_AMOUNT,
    freeze: NO_AMOUNT,
    savings: NO_AMOUNT,
  }
  const nothing = { open: [], ended: [], fills: [] }
  return {
    seq: seq as Seq,
    time: NOW,
    accountId: ACCOUNT,
    ...nothing,
    balances: Array(balances).fill(balance),
  }
}

/** A reader whose client has `waiting.bytes` bytes waiting for it. */
function start(waiting: { bytes: number }) {
  const seen = { events: 0, ended: [] as string[], left: 0 }
  const registry = { asset: () => ({ code: 'BTC', fraction: 8 }), symbol: () => undefined }
  const engine = { ask: async () => ({ seq: 5, orders: [], balances: [] }) }
  const feeds = {
    ...{ enter: () => {}, leave: () => seen.left++, lane: new WorkLane() },
    services: () => ({ market: { registry }, engine }),
  } as unknown as Feeds
  const reader = new UserDataReader({
    ...{ feeds, accountId: ACCOUNT, clock: { now: () => NOW, steady: () => NOW, doubted: () => undefined } },
    send: () => seen.events++,
    waitingBytes: () => waiting.bytes,
    onEnd: ({ reason }) => seen.ended.push(reason),
    onCrash: (error) => {
      throw error
    },
  })
  return { reader, seen }
}

test('a client that reads nothing gets nothing more, and is disconnected once too much waits for it', () => {
  const waiting = { bytes: 0 }
  const { reader, seen } = start(waiting)
  reader.take(update(1, 1))
  expect(seen.events).toBe(1)
  waiting.bytes = 100 * 1024
  for (let seq = 2; seq <= 4; seq++) reader.take(update(seq, 6_000))
  expect([seen.events, seen.ended]).toEqual([2, []])
  reader.take(update(5, 6_000))
  expect([seen.events, seen.ended, seen.left]).toEqual([2, ['TOO_SLOW'], 1])
})

test('a client that has read everything continues where it was, and a single update may be long', async () => {
  const waiting = { bytes: 100 * 1024 }
  const { reader, seen } = start(waiting)
  reader.take(update(1, 50_000))
  reader.take(update(1, 1))
  expect(seen.events).toBe(1)
  waiting.bytes = 0
  reader.drained()
  while (seen.events < 1 || reader.isSending) await new Promise((resolve) => setImmediate(resolve))
  reader.take(update(2, 1))
  expect([seen.events, seen.ended]).toEqual([2, []])
})

test('an event from before the beginning is not sent with the first update after it', async () => {
  const { reader, seen } = start({ bytes: 0 })
  const deposit = {
    kind: 'ExternalTransfer',
    accountId: ACCOUNT,
    assetId: 1 as AssetId,
    reference: '',
  } as const
  for (const seq of [4, 5, 6]) reader.note(seq as Seq, { ...deposit, amount: NO_AMOUNT })
  await reader.findStart()
  reader.take(update(6, 1))
  // The balances, and the deposit of command 6.
  expect(seen.events).toBe(2)
})
