/** Order lists for tests, in a trader's words: numbers are ticks, lots and ledger units. */
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import type { ListKind, OrderType, SelfTradeMode, Side, TimeInForce } from '../../../units/order-enums.ts'
import { amount, lots, price } from '../../../units/quantities.ts'
import type { TrailingDelta } from '../../../units/trailing-delta.ts'
import type { ListLeg, PlaceList } from '../../commands/order-lists.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../exchange/rules.ts'
import type { ListAccepted } from '../../questions/reply.ts'
import type { OpenOrder } from '../../questions/view.ts'
import { orderNumberIn } from './order-lists.ts'

export const RICH = 10n ** 20n
export const LOT = 100_000_000

export type LegWords = {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce?: TimeInForce
  readonly price?: number
  readonly stopPrice?: number
  readonly trailingDelta?: number
  readonly quantity?: number | undefined
  readonly total?: bigint
  readonly id?: string
}

export type ListWords = {
  readonly who: AccountId
  readonly id?: string | undefined
  readonly selfTradeMode?: SelfTradeMode
}

export function legOf(words: LegWords): ListLeg {
  const takesTime = words.type === 'LIMIT' || words.type.endsWith('_LIMIT')
  return {
    side: words.side,
    type: words.type,
    timeInForce: words.timeInForce ?? (takesTime ? 'GTC' : undefined),
    price: words.price === undefined ? undefined : price(words.price),
    stopPrice: words.stopPrice === undefined ? undefined : price(words.stopPrice),
    ...(words.trailingDelta === undefined ? {} : { trailingDelta: words.trailingDelta as TrailingDelta }),
    quantity: words.quantity === undefined ? undefined : lots(words.quantity),
    total: words.total === undefined ? undefined : amount(words.total),
    clientOrderId: words.id,
  }
}

export function listOf(list: ListKind, legs: readonly LegWords[], words: ListWords): PlaceList {
  return {
    kind: 'PlaceList',
    accountId: words.who,
    symbolId: 0 as SymbolId,
    list,
    selfTradeMode: words.selfTradeMode,
    listClientOrderId: words.id,
    legs: legs.map(legOf),
  }
}

export type Scene = {
  readonly it: ExchangeHarness
  readonly ann: AccountId
  readonly ben: AccountId
  readonly cleo: AccountId
}

/** Three traders, under the newest rules by default. */
export function scene(
  terms: ConstructorParameters<typeof ExchangeHarness>[0] = {},
  version = RULES_VERSION,
): Scene {
  const it = new ExchangeHarness(terms)
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  const rich = { BTC: RICH, USDT: RICH }
  return { it, ann: it.trader('ann', rich), ben: it.trader('ben', rich), cleo: it.trader('cleo', rich) }
}

/** Places a list that must be accepted, and returns the answer. */
export function placed(it: ExchangeHarness, command: PlaceList): ListAccepted {
  const reply = it.give(command)
  invariant(reply.kind === 'ListAccepted', () => `expected an accepted list, found ${JSON.stringify(reply)}`)
  return reply
}

/** The number of an order of a list; the first one has place 0. */
export function orderIn({ listNumber }: ListAccepted, place: number): OrderNumber {
  return orderNumberIn(listNumber, place)
}

/** An order of a list if it is open; otherwise undefined. */
export function openIn(
  it: ExchangeHarness,
  who: AccountId,
  list: ListAccepted,
  place: number,
): OpenOrder | undefined {
  return it.exchange
    .openOrders(who, undefined)
    .find(({ orderNumber }) => orderNumber === orderIn(list, place))
}

/** Two other accounts trade a lot at this price; orders resting at better prices trade too. */
export function trade({ it, ann, ben }: Scene, at: number): void {
  it.accepted({ who: ann, side: 'SELL', price: at, quantity: LOT })
  it.accepted({ who: ben, side: 'BUY', price: at, quantity: LOT })
}

/** For each order that ended with the last command, its number and the cause. */
export function endsOf(it: ExchangeHarness): [OrderNumber, string][] {
  return it.events.flatMap((event) =>
    event.kind === 'OrderCanceled'
      ? [[event.orderNumber, event.reason ?? event.cause] as [OrderNumber, string]]
      : [],
  )
}

/**
 * Lists at every stage: an OCO pair, a parted one, working orders, due ones, one set aside, and pairs placed
 * when others already wait.
 */
export function listedExchange(): Exchange {
  const s = scene()
  const { it, ann, ben, cleo } = s
  trade(s, 10_000)
  const pair: readonly LegWords[] = [
    { side: 'SELL', type: 'LIMIT_MAKER', price: 11_000, quantity: LOT, id: 'above' },
    { side: 'SELL', type: 'STOP_LOSS_LIMIT', stopPrice: 9_000, price: 8_900, quantity: LOT },
  ]
  const working: LegWords = { side: 'BUY', type: 'LIMIT', price: 9_990, quantity: LOT }
  const later: readonly LegWords[] = [
    { side: 'SELL', type: 'TAKE_PROFIT', stopPrice: 12_000 },
    { side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000, id: 'below' },
  ]
  const fill = (quantity: number) => it.accepted({ who: ann, side: 'SELL', price: 9_990, quantity })
  placed(it, listOf('OCO', pair, { who: cleo, id: 'oco' }))
  placed(
    it,
    listOf(
      'OCO',
      pair.map(({ id: _, ...leg }) => leg),
      { who: ben },
    ),
  )
  it.accepted({ who: ann, side: 'BUY', price: 11_000, quantity: LOT / 2 })
  placed(it, listOf('OTOCO', [working, ...later], { who: cleo, id: 'otoco' }))
  it.accepted({ who: ben, side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000, quantity: LOT })
  fill(LOT)
  it.carryOut()
  const oto = (leg: LegWords) => placed(it, listOf('OTO', [working, leg], { who: cleo }))
  oto({ side: 'SELL', type: 'LIMIT', price: 13_000 })
  fill(LOT)
  it.exchange.refuse(it.exchange.time, it.exchange.due(1)[0])
  oto({ side: 'SELL', type: 'MARKET' })
  oto({ side: 'SELL', type: 'TAKE_PROFIT_LIMIT', price: 13_000, stopPrice: 12_500, quantity: LOT / 2 })
  fill(2 * LOT)
  oto({ side: 'SELL', type: 'STOP_LOSS_LIMIT', price: 8_000, stopPrice: 8_500 })
  return it.exchange
}
