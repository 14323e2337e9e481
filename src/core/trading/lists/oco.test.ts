import { describe, expect, test } from 'bun:test'
import type { AccountId } from '../../../units/ids.ts'
import { amount, type Lots } from '../../../units/quantities.ts'
import { Exchange } from '../../exchange/exchange.ts'
import { type ExchangeHarness, OPERATOR } from '../../exchange/exchange-harness.fixture.ts'
import {
  endsOf,
  type LegWords,
  LOT,
  listOf,
  openIn,
  orderIn,
  placed,
  type Scene,
  scene,
  trade,
} from './lists.fixture.ts'

const SELL_PAIR: readonly LegWords[] = [
  { side: 'SELL', type: 'LIMIT_MAKER', price: 11_000, quantity: LOT },
  { side: 'SELL', type: 'STOP_LOSS_LIMIT', stopPrice: 9_000, price: 8_900, quantity: LOT },
]
const BUY_PAIR: readonly LegWords[] = [
  { side: 'BUY', type: 'STOP_LOSS_LIMIT', stopPrice: 11_000, price: 11_100, quantity: LOT },
  { side: 'BUY', type: 'LIMIT_MAKER', price: 9_000, quantity: LOT },
]

/** The last trade was at 10,000, and cleo has a list. */
function withList(legs: readonly LegWords[] = SELL_PAIR) {
  const s = scene()
  trade(s, 10_000)
  return { ...s, list: placed(s.it, listOf('OCO', legs, { who: s.cleo })) }
}

const isOpen = (it: ExchangeHarness, who: AccountId, list: ReturnType<typeof placed>) => [
  openIn(it, who, list, 0) !== undefined,
  openIn(it, who, list, 1) !== undefined,
]

/** ben buys the orders resting at 11,000. */
const buy = ({ it, ben }: Scene, quantity: number) =>
  it.accepted({ who: ben, side: 'BUY', price: 11_000, quantity })

test('an OCO list holds what the larger of its orders needs, and both of them are open', () => {
  const { it, cleo, list } = withList()
  expect(it.money(cleo, 0).locked).toBe(BigInt(LOT))
  expect(isOpen(it, cleo, list)).toEqual([true, true])
  expect(openIn(it, cleo, list, 0)?.inList).toEqual({ listNumber: list.listNumber, role: 'ABOVE' })
  it.mustAddUp()
  const buys = withList(BUY_PAIR)
  expect(buys.it.money(buys.cleo, 1).locked).toBe(111_00000000n)
  buys.it.mustAddUp()
})

test('a list takes a number before its orders, and the next order the one after them', () => {
  const { it, ann, list } = withList()
  const next = it.accepted({ who: ann, side: 'SELL', price: 20_000, quantity: LOT })
  expect(next.orderNumber as number).toBe(list.listNumber + 3)
})

describe('one order of an OCO list ends the other', () => {
  test('when it is partly executed', () => {
    const s = withList()
    const { it, cleo, list } = s
    buy(s, LOT / 4)
    expect(endsOf(it)).toEqual([[orderIn(list, 1), 'LIST']])
    expect(openIn(it, cleo, list, 0)).toMatchObject({ remaining: (LOT * 3) / 4 })
    expect(it.money(cleo, 0).locked).toBe(BigInt((LOT * 3) / 4))
    it.mustAddUp()
    buy(s, LOT)
    expect(isOpen(it, cleo, list)).toEqual([false, false])
    it.mustAddUp()
  })

  test('when its trigger is carried out', () => {
    const s = withList()
    const { it, cleo, list } = s
    trade(s, 9_000)
    it.carryOut()
    expect(endsOf(it)).toEqual([[orderIn(list, 0), 'LIST']])
    expect(it.events.at(-1)).toMatchObject({ kind: 'LevelChanged', price: 11_000, quantity: 0n })
    expect(openIn(it, cleo, list, 1)).toMatchObject({ price: 8_900, remaining: LOT })
    it.mustAddUp()
  })

  test('when its trigger is carried out, and the level is not published where it takes the place of the other', () => {
    const [profit, loss] = SELL_PAIR as [LegWords, LegWords]
    const s = withList([profit, { ...loss, price: 11_000 }])
    trade(s, 9_000)
    s.it.carryOut()
    expect(openIn(s.it, s.cleo, s.list, 1)).toMatchObject({ price: 11_000, remaining: LOT })
    expect(s.it.events.map(({ kind }) => kind)).toEqual(['OrderCanceled', 'OrderTriggered'])
    s.it.mustAddUp()
  })

  test('when it is canceled by its account, and by an operator', () => {
    for (const place of [0, 1]) {
      const { it, cleo, list } = withList()
      it.give({
        kind: 'CancelOrder',
        accountId: cleo,
        orderNumber: orderIn(list, place),
        orderTime: list.time,
      })
      expect(endsOf(it)).toEqual([
        [orderIn(list, 1 - place), 'LIST'],
        [orderIn(list, place), 'USER'],
      ])
      it.mustAddUp()
    }
    const { it, cleo } = withList()
    const reply = it.give({ kind: 'CancelOrders', operator: OPERATOR, accountId: cleo, symbol: undefined })
    expect(reply).toEqual({ kind: 'OrdersCanceled', canceled: 2, left: 0 })
    expect(it.money(cleo, 0).locked).toBe(0n)
    it.mustAddUp()
  })

  test('when self-trade prevention lowers or cancels it', () => {
    for (const selfTradeMode of ['DECREMENT', 'EXPIRE_MAKER'] as const) {
      const { it, cleo, list } = withList()
      it.accepted({ who: cleo, side: 'BUY', price: 11_000, quantity: LOT / 2, selfTradeMode })
      expect(endsOf(it)[0]).toEqual([orderIn(list, 1), 'LIST'])
      expect(openIn(it, cleo, list, 0) !== undefined).toBe(selfTradeMode === 'DECREMENT')
      it.mustAddUp()
    }
  })
})

test('the trigger of one order does not end the other before its turn, and is void when the other is filled first', () => {
  const s = withList()
  const { it, ann, ben, cleo, list } = s
  it.accepted({ who: ann, side: 'BUY', price: 9_000, quantity: LOT })
  it.accepted({ who: ben, side: 'SELL', price: 9_000, quantity: LOT })
  expect(it.dueOrders(9)).toEqual([orderIn(list, 1)])
  buy(s, LOT)
  expect(it.dueOrders(9)).toEqual([])
  expect(isOpen(it, cleo, list)).toEqual([false, false])
  it.mustAddUp()
})

test('an OCO list of two orders that both wait keeps the one that is triggered first', () => {
  const { it, ann, ben, cleo, list } = withList([
    { side: 'SELL', type: 'TAKE_PROFIT', stopPrice: 11_000, quantity: LOT },
    { side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000, quantity: LOT },
  ])
  expect(it.money(cleo, 0).locked).toBe(BigInt(LOT))
  for (const at of [9_000, 11_000]) it.accepted({ who: ann, side: 'SELL', price: at, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: 11_000, quantity: 2 * LOT })
  it.accepted({ who: ben, side: 'BUY', price: 8_000, quantity: LOT })
  expect(it.dueOrders(9)).toEqual([orderIn(list, 0), orderIn(list, 1)])
  expect(it.carryOut().map(({ orderNumber, status }) => [orderNumber, status])).toEqual([
    [orderIn(list, 0), 'FILLED'],
  ])
  expect(isOpen(it, cleo, list)).toEqual([false, false])
  it.mustAddUp()
})

test('an order without a price in an OCO list buys for its total', () => {
  const { it, cleo } = withList([
    { side: 'BUY', type: 'STOP_LOSS', stopPrice: 11_000, quantity: LOT, total: 150_00000000n },
    { side: 'BUY', type: 'LIMIT_MAKER', price: 9_000, quantity: LOT },
  ])
  expect(it.money(cleo, 1).locked).toBe(150_00000000n)
  it.mustAddUp()
})

describe('a list is refused as a whole', () => {
  const refused = (
    legs: readonly LegWords[],
    terms: Parameters<typeof scene>[0] = {},
    prepare?: (s: Scene) => void,
  ) => {
    const s = scene(terms)
    s.it.accepted({ who: s.ann, side: 'SELL', price: 10_000, quantity: 2 * LOT })
    s.it.accepted({ who: s.ben, side: 'BUY', price: 10_000, quantity: 2 * LOT })
    prepare?.(s)
    const before = s.it.exchange.encodeSnapshot()
    const reply = s.it.give(listOf('OCO', legs, { who: s.cleo }))
    expect(s.it.events).toEqual([])
    expect(s.it.exchange.openOrders(s.cleo, undefined)).toEqual([])
    expect(s.it.exchange.encodeSnapshot().length).toBe(before.length)
    return reply.kind === 'Refused' ? reply.reason : reply.kind
  }
  const [maker, loss] = SELL_PAIR as [LegWords, LegWords]

  test('where its prices are not on both sides of the last one', () => {
    for (const legs of [
      [{ ...maker, price: 10_000 }, loss],
      [{ ...maker, price: 9_500 }, loss],
      [maker, { ...loss, stopPrice: 10_000 }],
      [maker, { ...loss, stopPrice: 11_000 }],
    ])
      expect(refused(legs)).toBe('LIST_PRICES_CROSSED')
  })

  test('where its orders are not a pair', () => {
    for (const legs of [
      [loss, maker],
      [maker, maker],
      [maker, { ...loss, side: 'BUY' as const }],
      [maker, { ...loss, quantity: LOT * 2 }],
      [{ ...maker, type: 'LIMIT' as const }, loss],
      [maker, { ...loss, type: 'TAKE_PROFIT_LIMIT' as const }],
      [maker, { ...loss, price: 0 }],
      [maker],
      [maker, loss, loss],
    ])
      expect(refused(legs)).toBe('INVALID_COMMAND')
  })

  test('where one of its orders would be refused', () => {
    expect(refused(SELL_PAIR, { terms: { openOrdersMax: 1 } })).toBe('TOO_MANY_OPEN_ORDERS')
    expect(refused(SELL_PAIR, { terms: { minQuantity: (LOT + 1) as Lots } })).toBe('QUANTITY_TOO_SMALL')
    const dear = [{ ...(BUY_PAIR[0] as LegWords), price: 10 ** 9 }, BUY_PAIR[1] as LegWords]
    expect(refused(dear.map((leg) => ({ ...leg, quantity: 2 ** 53 - 1 })))).toBe('INSUFFICIENT_FUNDS')
    expect(
      refused(
        [
          { ...maker, quantity: LOT },
          { ...loss, price: 1, quantity: LOT },
        ],
        { terms: { minTotal: amount(100n * 10n ** 8n) } },
      ),
    ).toBe('TOTAL_TOO_SMALL')
    expect(refused(SELL_PAIR, {}, ({ it }) => it.state('BTC/USDT', 'HALTED'))).toBe('SYMBOL_HALTED')
    expect(
      refused(SELL_PAIR, {}, ({ it, ann }) =>
        it.accepted({ who: ann, side: 'BUY', type: 'LIMIT_MAKER', price: 12_000, quantity: LOT }),
      ),
    ).toBe('LIMIT_MAKER_WOULD_TAKE')
  })
})

describe('a list with an id', () => {
  const named = (it: Scene, id: string | undefined, ids: readonly (string | undefined)[]) =>
    listOf(
      'OCO',
      SELL_PAIR.map((leg, i) => (ids[i] === undefined ? leg : { ...leg, id: ids[i] })),
      { who: it.cleo, id },
    )

  test('that is placed again is answered as it was, and does nothing', () => {
    const s = scene()
    const first = s.it.give(named(s, 'list', ['a', 'b']))
    s.it.give({ kind: 'CancelClientList', accountId: s.cleo, listClientOrderId: 'list' })
    const again = s.it.give({ ...named(s, 'list', ['a', 'b']), selfTradeMode: 'NONE' })
    expect(again).toEqual({ ...first, kind: 'ListRepeated' } as typeof again)
    expect(s.it.exchange.openOrders(s.cleo, undefined)).toEqual([])
  })

  test('is another list with other orders, other ids or without them', () => {
    const s = scene()
    s.it.give(named(s, 'list', ['a', undefined]))
    for (const other of [
      named(s, 'list', ['b', undefined]),
      named(s, 'list', [undefined, undefined]),
      named(s, 'new', ['a', undefined]),
      named(s, undefined, [undefined, 'list']),
      named(s, 'a', []),
      { ...named(s, 'list', ['a', undefined]), selfTradeMode: 'DECREMENT' as const },
    ])
      expect(s.it.give(other)).toEqual({ kind: 'Refused', reason: 'DUPLICATE_CLIENT_ORDER_ID' })
    const order = { who: s.cleo, side: 'SELL', price: 11_000, quantity: LOT } as const
    for (const clientOrderId of ['a', 'list'])
      expect(s.it.order({ ...order, type: 'LIMIT_MAKER', clientOrderId })).toMatchObject({
        reason: 'DUPLICATE_CLIENT_ORDER_ID',
      })
  })

  test('can be canceled by it, and its orders by theirs', () => {
    for (const command of [
      { kind: 'CancelClientList', listClientOrderId: 'list' },
      { kind: 'CancelClientOrder', clientOrderId: 'b' },
    ] as const) {
      const s = scene()
      s.it.give(named(s, 'list', ['a', 'b']))
      expect(s.it.give({ ...command, accountId: s.ann })).toMatchObject({ kind: 'Refused' })
      expect(s.it.give({ ...command, accountId: s.cleo })).not.toMatchObject({ kind: 'Refused' })
      expect(s.it.exchange.openOrders(s.cleo, undefined)).toEqual([])
      expect(s.it.give({ ...command, accountId: s.cleo })).toMatchObject({ kind: 'Refused' })
    }
    const s = scene()
    s.it.give(named(s, 'list', []))
    expect(s.it.give({ kind: 'CancelClientOrder', accountId: s.cleo, clientOrderId: 'list' })).toMatchObject({
      reason: 'UNKNOWN_ORDER',
    })
  })

  test('is refused where there is no room for all of its ids', () => {
    const s = scene({ clientOrderIdLimits: { perAccount: 2, inAll: 100, lifetimeMs: 1_000 } })
    expect(s.it.give(named(s, 'list', ['a', 'b']))).toMatchObject({ reason: 'TOO_MANY_CLIENT_ORDER_IDS' })
    expect(s.it.give(named(s, 'list', ['a']))).toMatchObject({ kind: 'ListAccepted' })
  })

  test('is forgotten a day after its last order has ended', () => {
    const s = scene({ clientOrderIdLimits: { perAccount: 9, inAll: 100, lifetimeMs: 1_000 } })
    const list = placed(s.it, named(s, 'list', ['a', 'b']))
    buy(s, LOT / 2)
    s.it.give({ kind: 'MarkTime' }, 2_000)
    expect(s.it.give(named(s, 'list', ['a', 'b']))).toMatchObject({ kind: 'ListRepeated' })
    s.it.give({ kind: 'CancelList', accountId: s.cleo, listNumber: list.listNumber, listTime: list.time })
    s.it.give({ kind: 'MarkTime' }, 2_000)
    s.it.give({ kind: 'MarkTime' }, 1)
    expect(s.it.give(named(s, 'list', ['a', 'b']))).toMatchObject({ reason: 'LIST_PRICES_CROSSED' })
  })
})

test('a list survives a snapshot at every stage, with the same outcome', () => {
  const after = [(_: Scene) => {}, (s: Scene) => buy(s, LOT / 4), (s: Scene) => trade(s, 9_000)]
  for (const act of after) {
    const s = withList()
    act(s)
    const bytes = s.it.exchange.encodeSnapshot()
    const copy = Exchange.decodeSnapshot(bytes)
    expect(copy.encodeSnapshot()).toEqual(bytes)
    const next = {
      kind: 'CancelList',
      accountId: s.cleo,
      listNumber: s.list.listNumber,
      listTime: s.list.time,
    } as const
    const [own] = s.it.exchange.due(1)
    for (const command of own === undefined ? [next] : [own, next]) {
      copy.apply(command, s.it.exchange.time, () => {})
      s.it.give(command, 0)
    }
    expect(copy.encodeSnapshot()).toEqual(s.it.exchange.encodeSnapshot())
  }
})

test('a pair whose limit order would meet more ended orders than allowed is refused, and holds nothing', () => {
  const s = scene({ matchStepsMax: 2 })
  trade(s, 10_000)
  const { time } = s.it.exchange
  for (const price of [9_000, 9_001, 9_002])
    s.it.accepted({
      who: s.ben,
      side: 'SELL',
      price,
      quantity: LOT,
      timeInForce: 'GTD',
      expireTime: time + 9,
    })
  s.it.give({ kind: 'MarkTime' }, 10)
  const stop = {
    side: 'BUY',
    type: 'STOP_LOSS_LIMIT',
    stopPrice: 11_000,
    price: 11_100,
    quantity: LOT,
  } as const
  const maker = { side: 'BUY', type: 'LIMIT_MAKER', price: 9_500, quantity: LOT } as const
  expect(s.it.give(listOf('OCO', [stop, maker], { who: s.cleo }))).toEqual({
    kind: 'Refused',
    reason: 'LIMIT_MAKER_WOULD_TAKE',
  })
  expect(s.it.money(s.cleo, 1).locked).toBe(0n)
  s.it.mustAddUp()
})
