import { describe, expect, test } from 'bun:test'
import { lots } from '../../../units/quantities.ts'
import { Exchange } from '../../exchange/exchange.ts'
import { OPERATOR } from '../../exchange/exchange-harness.fixture.ts'
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

const WORKING: LegWords = { side: 'BUY', type: 'LIMIT', price: 10_000, quantity: LOT }
const SELL: LegWords = { side: 'SELL', type: 'LIMIT', price: 12_000 }
const PAIR: readonly LegWords[] = [
  { side: 'SELL', type: 'LIMIT_MAKER', price: 12_000 },
  { side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000 },
]
/** A lot minus 0.1 % commission. */
const RECEIVED = (LOT * 999) / 1_000

const sell = ({ it, ann }: Scene, quantity: number) =>
  it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity })
const kinds = ({ it }: Scene) => it.events.map(({ kind }) => kind)
const open = ({ it, cleo }: Scene) => it.exchange.openOrders(cleo, undefined)

const oto = (s: Scene, pending: Partial<LegWords> = {}, working: Partial<LegWords> = {}) =>
  placed(
    s.it,
    listOf(
      'OTO',
      [
        { ...WORKING, ...working },
        { ...SELL, ...pending },
      ],
      { who: s.cleo },
    ),
  )
const otoco = (s: Scene, pair: readonly LegWords[] = PAIR) =>
  placed(s.it, listOf('OTOCO', [WORKING, ...pair], { who: s.cleo }))

test('a pending order is open, holds nothing and is in no book until the working order is filled', () => {
  const s = scene()
  const list = oto(s)
  expect(s.it.money(s.cleo, 0).locked).toBe(0n)
  expect(openIn(s.it, s.cleo, list, 1)).toMatchObject({
    isPending: true,
    quantity: 0,
    inList: { role: 'PENDING' },
  })
  sell(s, LOT / 2)
  expect(s.it.exchange.due(9)).toEqual([])
  sell(s, LOT / 2)
  expect(s.it.exchange.due(9)).toEqual([{ kind: 'PlacePending', listNumber: list.listNumber }])
  expect(s.it.money(s.cleo, 0).locked).toBe(0n)
  s.it.mustAddUp()
})

test('a pending SELL has the quantity that the working order received after commission, in whole lots', () => {
  const s = scene()
  const list = oto(s)
  sell(s, LOT)
  s.it.carryOut()
  expect(kinds(s)).toEqual(['OrderActivated', 'LevelChanged'])
  expect(openIn(s.it, s.cleo, list, 1)).toMatchObject({
    isPending: false,
    quantity: RECEIVED,
    remaining: RECEIVED,
  })
  expect(s.it.money(s.cleo, 0).locked).toBe(BigInt(RECEIVED))
  s.it.mustAddUp()
})

test('a pending BUY spends what the working order received', () => {
  const s = scene()
  const list = oto(s, { side: 'BUY', price: 9_000 }, { side: 'SELL' })
  s.it.accepted({ who: s.ann, side: 'BUY', price: 10_000, quantity: LOT })
  s.it.carryOut()
  const received = 99_90000000n
  const { quantity = 0 } = openIn(s.it, s.cleo, list, 1) ?? {}
  expect(quantity).toBe(111_000_000)
  expect(s.it.money(s.cleo, 1).locked <= received).toBe(true)
  s.it.mustAddUp()
  const any = scene()
  oto(any, { side: 'BUY', type: 'STOP_LOSS', stopPrice: 11_000, price: undefined as never }, { side: 'SELL' })
  any.it.accepted({ who: any.ann, side: 'BUY', price: 10_000, quantity: LOT })
  any.it.carryOut()
  expect(any.it.money(any.cleo, 1).locked).toBe(received)
  any.it.mustAddUp()
})

test('a pending order with a quantity of its own keeps it', () => {
  const s = scene()
  const list = oto(s, { quantity: LOT / 2 })
  expect(s.it.money(s.cleo, 0).locked).toBe(0n)
  sell(s, LOT)
  s.it.carryOut()
  expect(openIn(s.it, s.cleo, list, 1)).toMatchObject({ quantity: LOT / 2 })
  s.it.mustAddUp()
})

test('a working order that is filled at once has its pending order placed by a separate command', () => {
  const s = scene()
  s.it.accepted({ who: s.ann, side: 'SELL', price: 10_000, quantity: LOT })
  const list = oto(s, {}, { timeInForce: 'FOK' })
  expect(kinds(s)).toEqual(['OrderPlaced', 'OrdersMatched', 'LevelChanged', 'OrderPlaced'])
  expect(open(s).map(({ orderNumber }) => orderNumber)).toEqual([orderIn(list, 1)])
  s.it.carryOut()
  expect(openIn(s.it, s.cleo, list, 1)).toMatchObject({ isPending: false, quantity: RECEIVED })
  s.it.mustAddUp()
})

describe('a list ends with its working order where that is not filled', () => {
  test('canceled, by its account or an operator', () => {
    for (const place of [0, 1, 2]) {
      const s = scene()
      const list = otoco(s)
      s.it.give({
        kind: 'CancelOrder',
        accountId: s.cleo,
        orderNumber: orderIn(list, place),
        orderTime: list.time,
      })
      expect(endsOf(s.it).map(([, cause]) => cause)).toEqual(['LIST', 'LIST', 'USER'])
      expect(s.it.events.filter(({ kind }) => kind === 'LevelChanged')).toHaveLength(1)
      expect(open(s)).toEqual([])
      s.it.mustAddUp()
    }
    const s = scene()
    otoco(s)
    otoco(s)
    const reply = s.it.give({
      kind: 'CancelOrders',
      operator: OPERATOR,
      accountId: undefined,
      symbol: 'BTC/USDT',
    })
    expect(reply).toEqual({ kind: 'OrdersCanceled', canceled: 6, left: 0 })
    expect(s.it.events.filter(({ kind }) => kind === 'LevelChanged')).toHaveLength(1)
    s.it.mustAddUp()
  })

  test('canceled immediately without a fill', () => {
    const s = scene()
    sell(s, LOT / 2)
    const list = oto(s, {}, { timeInForce: 'IOC' })
    expect(endsOf(s.it)).toEqual([
      [orderIn(list, 0), 'IOC'],
      [orderIn(list, 1), 'LIST'],
    ])
    expect(open(s)).toEqual([])
    s.it.mustAddUp()
  })

  test('lowered to nothing or canceled by self-trade prevention', () => {
    for (const selfTradeMode of ['DECREMENT', 'EXPIRE_MAKER'] as const) {
      const s = scene()
      otoco(s)
      s.it.accepted({ who: s.cleo, side: 'SELL', price: 10_000, quantity: LOT, selfTradeMode })
      expect(open(s).filter(({ inList }) => inList !== undefined)).toEqual([])
      s.it.mustAddUp()
    }
  })
})

test('the pair of an OTOCO list holds what the larger needs and is an OCO pair from then on', () => {
  const s = scene()
  const list = otoco(s)
  sell(s, LOT)
  s.it.carryOut()
  expect(s.it.money(s.cleo, 0).locked).toBe(BigInt(RECEIVED))
  s.it.mustAddUp()
  s.it.accepted({ who: s.ben, side: 'BUY', price: 12_000, quantity: 1 })
  expect(endsOf(s.it)).toEqual([[orderIn(list, 2), 'LIST']])
  s.it.mustAddUp()
})

test('a pending order whose stop price is already reached is due at once', () => {
  const s = scene()
  const list = otoco(s, [
    { side: 'SELL', type: 'TAKE_PROFIT', stopPrice: 12_000 },
    { side: 'SELL', type: 'STOP_LOSS', stopPrice: 10_500 },
  ])
  s.it.accepted({ who: s.ben, side: 'BUY', price: 9_900, quantity: LOT })
  sell(s, LOT)
  expect(s.it.carryOut().map(({ orderNumber, status }) => [orderNumber, status])).toEqual([
    [orderIn(list, 2), 'FILLED'],
  ])
  expect(open(s)).toEqual([])
  s.it.mustAddUp()
})

describe('a pending order that would be refused as a new one ends the list', () => {
  test('for lack of liquidity, of room or of money', () => {
    const cases: readonly (readonly [string, Partial<LegWords>, (s: Scene) => void])[] = [
      ['NO_LIQUIDITY', { type: 'MARKET', price: undefined as never }, () => {}],
      [
        'LIMIT_MAKER_WOULD_TAKE',
        { type: 'LIMIT_MAKER', price: 9_000 },
        (s) => s.it.accepted({ who: s.ben, side: 'BUY', price: 9_500, quantity: LOT }),
      ],
      [
        'INSUFFICIENT_FUNDS',
        { quantity: LOT },
        (s) => {
          s.it.accepted({ who: s.cleo, side: 'SELL', price: 13_000, quantity: LOT })
          const { free } = s.it.money(s.cleo, 0)
          s.it.give({
            kind: 'MoveBetweenBuckets',
            operator: OPERATOR,
            accountId: s.cleo,
            asset: 'BTC',
            amount: (free - 5n) as never,
            from: 'free',
            to: 'freeze',
            reference: 'f',
          })
        },
      ],
    ]
    for (const [reason, pending, prepare] of cases) {
      const s = scene()
      const list = oto(s, pending)
      prepare(s)
      if (reason === 'LIMIT_MAKER_WOULD_TAKE')
        s.it.accepted({ who: s.ann, side: 'SELL', price: 10_000, quantity: LOT })
      else sell(s, LOT)
      s.it.carryOut()
      expect(endsOf(s.it)).toEqual([[orderIn(list, 1), reason]])
      s.it.mustAddUp()
    }
  })

  test('together with the other of its pair', () => {
    const s = scene()
    const list = otoco(s, [{ ...(PAIR[0] as LegWords), price: 9_990 }, PAIR[1] as LegWords])
    s.it.accepted({ who: s.ben, side: 'BUY', price: 9_995, quantity: LOT })
    sell(s, LOT)
    s.it.carryOut()
    expect(endsOf(s.it)).toEqual([
      [orderIn(list, 2), 'LIST'],
      [orderIn(list, 1), 'LIMIT_MAKER_WOULD_TAKE'],
    ])
    expect(open(s)).toEqual([])
    s.it.mustAddUp()
  })

  test('where less than a lot was received', () => {
    const s = scene()
    oto(s, { side: 'BUY', price: 2_000_000_000 }, { side: 'SELL', quantity: 1_000 })
    s.it.accepted({ who: s.ann, side: 'BUY', price: 10_000, quantity: 1_000 })
    s.it.carryOut()
    expect(endsOf(s.it).map(([, why]) => why)).toEqual(['QUANTITY_TOO_SMALL'])
    s.it.mustAddUp()
  })
})

test('pending orders are placed only while the symbol trades, in the order in which their working orders were filled', () => {
  const s = scene()
  const lists = [oto(s), oto(s)]
  sell(s, 2 * LOT)
  s.it.state('BTC/USDT', 'HALTED')
  expect(s.it.exchange.due(9)).toEqual([])
  const due = lists.map(({ listNumber }) => ({ kind: 'PlacePending', listNumber }) as const)
  expect(s.it.give(due[0]!)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ORDER_LIST' })
  s.it.state('BTC/USDT', 'TRADING')
  expect(s.it.exchange.due(9)).toEqual(due)
  expect(s.it.give(due[1]!)).toEqual({ kind: 'Refused', reason: 'UNKNOWN_ORDER_LIST' })
})

/** Orders that wait for the price of the lists' working orders, then the lists. */
function stopsAndLists(s: Scene): void {
  trade(s, 10_100)
  const words = { who: s.cleo, side: 'SELL', type: 'STOP_LOSS', quantity: LOT } as const
  for (const stopPrice of [9_000, 10_000, 10_000]) s.it.accepted({ ...words, stopPrice })
  for (let i = 0; i < 3; i++) oto(s)
}

const turnsOf = (exchange: Exchange): string[] => exchange.due(9).map(({ kind }) => kind)

test('triggers and lists of a symbol are carried out in the order in which they became due, also from a snapshot', () => {
  const s = scene()
  stopsAndLists(s)
  sell(s, LOT)
  const first = ['TriggerOrder', 'TriggerOrder', 'PlacePending']
  expect(turnsOf(s.it.exchange)).toEqual(first)
  // The turns do not depend on the number of the command.
  s.it.give({ kind: 'MarkTime' })
  expect(turnsOf(s.it.exchange)).toEqual(first)
  s.it.accepted({ who: s.ann, side: 'SELL', price: 10_000, quantity: LOT })
  for (let i = 0; i < 2; i++) trade(s, 9_000)
  const all = [...first, 'PlacePending', 'PlacePending', 'TriggerOrder']
  expect(turnsOf(s.it.exchange)).toEqual(all)
  expect(turnsOf(Exchange.decodeSnapshot(s.it.exchange.encodeSnapshot()))).toEqual(all)
})

test('a list whose pending orders crash the engine is set aside, and can be canceled', () => {
  const s = scene()
  const list = oto(s)
  sell(s, LOT)
  const [own] = s.it.exchange.due(1)
  s.it.exchange.refuse(s.it.exchange.time, own)
  expect(s.it.exchange.due(9)).toEqual([])
  const copy = Exchange.decodeSnapshot(s.it.exchange.encodeSnapshot())
  expect(copy.encodeSnapshot()).toEqual(s.it.exchange.encodeSnapshot())
  s.it.mustAddUp()
  s.it.give({ kind: 'CancelList', accountId: s.cleo, listNumber: list.listNumber, listTime: list.time })
  expect(endsOf(s.it)).toEqual([[orderIn(list, 1), 'USER']])
  expect(open(s)).toEqual([])
})

test('a list survives a snapshot at every stage, with the same outcome', () => {
  const stages = [
    () => {},
    (s: Scene) => sell(s, LOT / 2),
    (s: Scene) => sell(s, LOT),
    (s: Scene) => {
      sell(s, LOT)
      s.it.carryOut()
    },
  ]
  for (const reach of stages) {
    const s = scene()
    otoco(s)
    reach(s)
    const copy = Exchange.decodeSnapshot(s.it.exchange.encodeSnapshot())
    expect(copy.encodeSnapshot()).toEqual(s.it.exchange.encodeSnapshot())
    for (const command of [
      ...s.it.exchange.due(9),
      { kind: 'CancelOrders', operator: OPERATOR, accountId: s.cleo, symbol: undefined } as const,
    ]) {
      copy.apply(command, s.it.exchange.time, () => {})
      s.it.give(command, 0)
    }
    expect(copy.encodeSnapshot()).toEqual(s.it.exchange.encodeSnapshot())
  }
})

test('a list whose pending order cannot be fed by its working order is refused', () => {
  const s = scene()
  for (const legs of [
    [WORKING, { ...SELL, side: 'BUY' as const }],
    [{ ...WORKING, type: 'MARKET' as const, price: undefined as never }, SELL],
    [{ ...WORKING, quantity: undefined }, SELL],
    [WORKING, { ...SELL, total: 5n }],
    [WORKING, { side: 'BUY' as const, type: 'STOP_LOSS' as const, stopPrice: 11_000, quantity: LOT }],
  ])
    expect(s.it.give(listOf('OTO', legs, { who: s.cleo }))).toEqual({
      kind: 'Refused',
      reason: 'INVALID_COMMAND',
    })
  expect(
    s.it.give(listOf('OTOCO', [WORKING, PAIR[1] as LegWords, PAIR[0] as LegWords], { who: s.cleo })),
  ).toMatchObject({ reason: 'INVALID_COMMAND' })
  const crossed = [WORKING, PAIR[0] as LegWords, { ...(PAIR[1] as LegWords), stopPrice: 12_000 }]
  expect(s.it.give(listOf('OTOCO', crossed, { who: s.cleo }))).toMatchObject({
    reason: 'LIST_PRICES_CROSSED',
  })
  expect(
    s.it.give(listOf('OTO', [WORKING, { ...SELL, side: 'BUY', quantity: LOT }], { who: s.cleo })),
  ).toMatchObject({ kind: 'ListAccepted' })
})

describe('commands that cancel many orders', () => {
  const cancelAll = ({ it, cleo }: Scene) =>
    it.give({ kind: 'CancelAllOrders', accountId: cleo, symbolId: undefined })
  const countDown = ({ it, cleo }: Scene, keepsStops = false) =>
    it.give({ kind: 'SetCountdown', accountId: cleo, symbolId: undefined, countdownMs: 10, keepsStops })

  test('a mass cancel counts all orders of lists, and publishes each level once', () => {
    const s = scene()
    trade(s, 10_000)
    otoco(s)
    const pair = PAIR.map((leg) => ({ ...leg, quantity: LOT }))
    placed(s.it, listOf('OCO', pair, { who: s.cleo }))
    placed(s.it, listOf('OCO', pair, { who: s.cleo }))
    expect(cancelAll(s)).toEqual({ kind: 'OrdersCanceled', canceled: 7, left: 0 })
    expect(kinds(s).filter((kind) => kind === 'LevelChanged')).toHaveLength(2)
    expect(s.it.exchange.due(9)).toEqual([])
    s.it.mustAddUp()
  })

  test('a countdown that has ended cancels pending orders instead of having them placed', () => {
    const s = scene()
    const list = otoco(s)
    countDown(s)
    sell(s, LOT)
    s.it.give({ kind: 'MarkTime' }, 10)
    expect(s.it.exchange.due(9).map(({ kind }) => kind)).toEqual(['FireCountdown'])
    expect(s.it.give({ kind: 'PlacePending', listNumber: list.listNumber }).kind).toBe('ListAccepted')
    expect(endsOf(s.it)).toEqual([
      [orderIn(list, 2), 'LIST'],
      [orderIn(list, 1), 'DEAD_MAN'],
    ])
    expect(open(s)).toEqual([])
    s.it.mustAddUp()
  })

  test('a list that a countdown has ended is canceled with the reason of the countdown', () => {
    const s = scene()
    const { listNumber, time: listTime } = oto(s)
    countDown(s)
    s.it.give({ kind: 'MarkTime' }, 10)
    s.it.give({ kind: 'CancelList', accountId: s.cleo, listNumber, listTime })
    expect(endsOf(s.it).map(([, cause]) => cause)).toEqual(['LIST', 'DEAD_MAN'])
    s.it.mustAddUp()
  })

  test('a list that is placed after a countdown has ended stays, even where its working order is filled at once', () => {
    const s = scene()
    s.it.accepted({ who: s.cleo, side: 'BUY', price: 8_000, quantity: LOT })
    countDown(s)
    sell(s, LOT)
    s.it.give({ kind: 'MarkTime' }, 10)
    const list = oto(s)
    for (let [due] = s.it.exchange.due(1); due !== undefined; [due] = s.it.exchange.due(1)) s.it.give(due)
    expect(open(s).map(({ orderNumber }) => orderNumber)).toEqual([orderIn(list, 1)])
    s.it.mustAddUp()
  })

  const carryOut = ({ it }: Scene, max = 99): void => {
    for (let left = max; left > 0; left--) for (const due of it.exchange.due(1)) it.give(due)
  }

  test('a countdown that keeps stops keeps the pair of a filled list, which continues to trade, and no open working order', () => {
    const s = scene({ massCancelSteps: { first: 1, next: 1 } })
    const { it, cleo } = s
    trade(s, 10_000)
    it.accepted({ who: cleo, side: 'BUY', price: 9_000, quantity: LOT })
    const pair = placed(
      it,
      listOf(
        'OCO',
        PAIR.map((leg) => ({ ...leg, quantity: LOT })),
        { who: cleo },
      ),
    )
    const early = otoco(s)
    it.accepted({ who: cleo, side: 'BUY', price: 8_000, quantity: LOT })
    countDown(s, true)
    it.give({ kind: 'MarkTime' }, 10)
    // Carries out the trigger, and examines one order only.
    carryOut(s, 1)
    const buy = () => it.accepted({ who: s.ben, side: 'BUY', price: 12_000, quantity: LOT / 2 }).status
    expect([buy(), openIn(it, cleo, pair, 1), openIn(it, cleo, pair, 0)?.remaining]).toEqual([
      'FILLED',
      undefined,
      lots(LOT / 2),
    ])
    carryOut(s)
    expect([open(s).map(({ orderNumber }) => orderNumber), openIn(it, cleo, early, 0)]).toEqual([
      [orderIn(pair, 0)],
      undefined,
    ])
    expect(buy()).toBe('FILLED')
    it.mustAddUp()
  })

  test('a countdown that keeps stops lets stops be placed whose working order is filled', () => {
    const s = scene()
    const list = otoco(s)
    const other = oto(s)
    countDown(s, true)
    sell(s, 2 * LOT)
    s.it.give({ kind: 'MarkTime' }, 10)
    carryOut(s)
    expect(open(s).map(({ orderNumber }) => orderNumber)).toEqual([orderIn(list, 2), orderIn(list, 1)])
    expect(openIn(s.it, s.cleo, other, 1)).toBeUndefined()
    s.it.mustAddUp()
  })

  test('a countdown that keeps stops cancels a partly executed working order, and its pending stops with it', () => {
    const s = scene()
    const list = otoco(s)
    countDown(s, true)
    sell(s, LOT / 2)
    s.it.give({ kind: 'MarkTime' }, 10)
    expect(openIn(s.it, s.cleo, list, 0)?.remaining).toBe(lots(LOT / 2))
    carryOut(s)
    expect(open(s)).toEqual([])
    s.it.mustAddUp()
  })
})
