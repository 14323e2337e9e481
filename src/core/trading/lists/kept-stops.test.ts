/** Lists under a countdown that keeps stop orders (docs/reference/order-lists.md#what-ends-a-list). */
import { expect, test } from 'bun:test'
import type { EngineCommand } from '../../commands/command.ts'
import { endsOf, type LegWords, LOT, listOf, orderIn, placed, scene, trade } from './lists.fixture.ts'

const WORKING: LegWords = { side: 'BUY', type: 'LIMIT', price: 10_000, quantity: LOT }
const STOP: LegWords = { side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000 }
const PAIR: readonly LegWords[] = [{ side: 'SELL', type: 'LIMIT_MAKER', price: 12_000 }, STOP]

test.each([
  ['OTO', [STOP]],
  ['OTOCO', PAIR],
] as const)(
  'a countdown that keeps stops cancels an %s whose working order is not filled, and keeps a stop that waits',
  (kind, pending) => {
    const s = scene()
    const { it, ann, ben, cleo } = s
    trade(s, 11_000)
    const kept = it.accepted({ who: cleo, ...STOP, quantity: LOT } as Parameters<typeof it.accepted>[0])
    const before = it.money(cleo, 1)
    const list = placed(it, listOf(kind, [WORKING, ...pending], { who: cleo }))
    expect(it.money(cleo, 1).locked).toBeGreaterThan(before.locked)
    it.give({
      ...{ kind: 'SetCountdown', accountId: cleo, symbolId: undefined },
      ...{ countdownMs: 10, keepsStops: true },
    })
    it.give({ kind: 'MarkTime' }, 10)
    const [fires] = it.exchange.due(9)
    expect(fires?.kind).toBe('FireCountdown')
    it.give(fires as EngineCommand)
    const ends = endsOf(it).toSorted(([one], [other]) => one - other)
    expect(ends.map(([number]) => number)).toEqual(
      [0, ...pending.map((_, at) => at + 1)].map((at) => orderIn(list, at)),
    )
    // The first order that ends has the countdown as its cause, and ends the others.
    expect(ends.map(([, cause]) => cause).toSorted()).toEqual(['DEAD_MAN', ...pending.map(() => 'LIST')])
    expect(it.exchange.openOrders(cleo, undefined).map(({ orderNumber }) => orderNumber)).toEqual([
      kept.orderNumber,
    ])
    expect(it.money(cleo, 1)).toEqual(before)
    // A trade that would have filled the working order and reached its stop price triggers only the kept stop
    // order.
    it.accepted({ who: ben, side: 'BUY', price: 8_900, quantity: 3 * LOT })
    it.accepted({ who: ann, side: 'SELL', type: 'MARKET', quantity: LOT })
    expect(it.carryOut()).toMatchObject([{ orderNumber: kept.orderNumber, status: 'FILLED' }])
    expect(it.exchange.due(9)).toEqual([])
    it.mustAddUp()
  },
)
