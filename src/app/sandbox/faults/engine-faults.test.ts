import { describe, expect, test } from 'bun:test'
import type { Command } from '../../../core/commands/command.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import type { EnginePort } from '../../../engine/port/ports.ts'
import { MemoryNonces } from '../../../server/access/auth/memory-nonces.ts'
import type { NonceVerdict } from '../../../server/access/auth/nonces.ts'
import type { AccountId } from '../../../units/ids.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import { EngineFaults } from './engine-faults.ts'
import { FaultTable } from './fault-table.ts'

const NOW = timeMs(1_790_000_000_000)
const DONE = { kind: 'TimeMarked' } as unknown as Reply
const cancel = { kind: 'CancelOrder' } as unknown as Command
const order = (clientOrderId?: string) =>
  ({ kind: 'PlaceOrder', accountId: 1, symbolId: 0, clientOrderId }) as unknown as Command

/**
 * An engine that records the deadlines that it is given; it has the order `known` under its id, and no other.
 */
function rig() {
  const deadlines: (TimeMs | undefined)[] = []
  const handed: Command[] = []
  const table = new FaultTable({ monotonicMs: () => 0, spared: new Set(), onEnded: () => {} })
  const faults = new EngineFaults({ table, accountName: () => 'alice', symbolName: () => 'BTC/USDT' })
  const engine = faults.engine({
    submit: async (command: Command, deadline?: TimeMs) => {
      handed.push(command)
      deadlines.push(deadline)
      return DONE
    },
    hand(command: Command, receiver: { replied(reply: Reply): void }, deadline?: TimeMs) {
      handed.push(command)
      deadlines.push(deadline)
      receiver.replied(DONE)
    },
    ask: async (_: string, { clientOrderId }: { clientOrderId: string }) => ({
      order: clientOrderId === 'known' ? {} : undefined,
      time: NOW,
    }),
  } as unknown as EnginePort)
  const clock = faults.clock({ now: () => NOW, steady: () => NOW, doubted: () => undefined })
  const hand = (command: Command, deadline?: TimeMs) =>
    new Promise<Reply>((replied, failed) => engine.hand(command, { replied, failed }, deadline))
  return { table, faults, engine, clock, hand, deadlines, handed }
}

describe('a clock that is off', () => {
  test.each([
    ['ahead', { aheadMs: 60_000 }, 60_000],
    ['behind', { behindMs: 60_000 }, -60_000],
  ])(
    '%s is shown to clients, and removed from deadlines before the engine judges them',
    async (_, terms, offsetMs) => {
      const { table, clock, engine, hand, deadlines } = rig()
      table.add({ kind: 'CLOCK', ...terms })
      expect([clock.now(), clock.steady()] as number[]).toEqual([NOW + offsetMs, NOW])
      const deadline = timeMs(clock.now() + 5_000)
      await hand(order(), deadline)
      await engine.submit(order(), deadline)
      expect(deadlines as number[]).toEqual([NOW + 5_000, NOW + 5_000])
    },
  )

  test.each([
    ['ahead', { aheadMs: 60_000 }, 60_000],
    ['behind', { behindMs: 60_000 }, -60_000],
  ])(
    '%s leaves strict signatures valid once, while the clock is off and afterwards, for every client',
    (_, terms, offsetMs) => {
      const { table, faults, clock } = rig()
      const nonces = faults.nonces(new MemoryNonces(NOW - 5_000))
      const take = (nonce: string, timestamp: number, now = clock.now()) =>
        nonces.take({
          ...{ apiKey: 'key', accountId: 1 as AccountId, nonce, timestamp },
          ...{ acceptableUntil: timestamp + 5_000, now },
        }) as NonceVerdict
      expect(take('before', NOW).kind).toBe('FRESH')
      table.add({ kind: 'CLOCK', ...terms })
      const shown = NOW + offsetMs
      expect([take('off', shown).kind, take('off', shown).kind]).toEqual(['FRESH', 'REPEATED'])
      table.clear(undefined)
      expect([take('after', NOW).kind, take('before', NOW).kind]).toEqual(['FRESH', 'REPEATED'])
      // For as long as the earlier request is acceptable by the current clock.
      const last = timeMs(Math.max(NOW, shown + 5_000))
      expect(take('off', shown, last).kind).not.toBe('FRESH')
    },
  )

  test('what is durable is never said to be later than by any clock that a client may have signed by', async () => {
    const { table, engine } = rig()
    const durable = async () =>
      (await engine.ask('clientOrder', { accountId: 1, clientOrderId: 'x' } as never)).time
    table.add({ kind: 'CLOCK', aheadMs: 60_000 })
    expect(await durable()).toBe(NOW)
    table.add({ kind: 'CLOCK', behindMs: 60_000 })
    expect(await durable()).toBe(timeMs(NOW - 60_000))
    table.clear(undefined)
    expect(await durable()).toBe(timeMs(NOW - 60_000))
  })
})

describe('a halt', () => {
  test('new orders are refused before the engine; cancels go through, and so does a repeat of an earlier placement under its id', async () => {
    const { table, engine, hand, handed } = rig()
    table.add({ kind: 'HALT', symbol: 'BTC/USDT' })
    const refused = { kind: 'Refused', reason: 'SYMBOL_HALTED' }
    for (const id of [undefined, 'new']) {
      expect((await hand(order(id))) as object).toEqual(refused)
      expect((await engine.submit(order(id))) as object).toEqual(refused)
    }
    expect(handed).toEqual([])
    expect(await hand(order('known'))).toBe(DONE)
    expect(await hand(cancel)).toBe(DONE)
    expect(handed).toHaveLength(2)
  })

  test('another symbol keeps trading, and a command without faults is passed on in its turn', async () => {
    const { table, engine, handed } = rig()
    engine.hand(order(), { replied: () => {}, failed: () => {} })
    expect(handed).toHaveLength(1)
    table.add({ kind: 'HALT', symbol: 'ETH/USDT' })
    engine.hand(order(), { replied: () => {}, failed: () => {} })
    expect(handed).toHaveLength(2)
  })
})
