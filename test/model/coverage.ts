/**
 * Coverage of random runs: each kind of command with each possible answer, and the effects of trading. A
 * generator that never draws a failing case finds nothing, so the cells are counted.
 */

import type { ExchangeEvent, OrderCanceled } from '../../src/core/events/event.ts'
import type { OrderAccepted, OrderReplaced, Reply } from '../../src/core/questions/reply.ts'
import type { OpenOrder } from '../../src/core/questions/view.ts'
import { SELF_TRADE_MODES, SIDES, STOP_TYPES } from '../../src/units/order-enums.ts'
import { KEY_ANSWERS } from './coverage-keys.ts'
import { LIST_ANSWERS, ListedOrders, listEnds } from './coverage-lists.ts'
import { effectsOfMatch } from './coverage-matches.ts'
import { OWN_ANSWERS } from './coverage-own.ts'
import { PairCoverage } from './coverage-pairs.ts'
import { OF_APPROVALS, RIGHTS_ANSWERS } from './coverage-rights.ts'
import { trailingAnswer, trailingCells, triggeredTrailing } from './coverage-trailing.ts'
import { WITHDRAWAL_ANSWERS } from './coverage-withdrawals.ts'
import type { Outcome } from './run.ts'
import { kindOf, type Step } from './step.ts'

const ANY_ORDER = [
  'INSUFFICIENT_FUNDS',
  'UNKNOWN_SYMBOL',
  'UNKNOWN_ACCOUNT',
  'EXCHANGE_CANCEL_ONLY',
  'EXCHANGE_CLOSED',
  'SYMBOL_HALTED',
  'SYMBOL_CANCEL_ONLY',
  'SYMBOL_DELISTED',
  'ACCOUNT_RESTRICTED',
  'ACCOUNT_CLOSED',
  'ASSET_NOT_TRADABLE',
  'INVALID_COMMAND',
  'OrderRepeated',
  'DUPLICATE_CLIENT_ORDER_ID',
  'TOO_MANY_CLIENT_ORDER_IDS',
  'QUANTITY_TOO_SMALL',
  'TOTAL_TOO_SMALL',
  'QUANTITY_NOT_ON_STEP',
  'FILLED',
  'CANCELED',
]
const ANY_LIMIT = [...ANY_ORDER, 'TOTAL_MISMATCH', 'PRICE_OUT_OF_BAND', 'PRICE_NOT_ON_TICK']
const RESTING = ['NEW', 'PARTIALLY_FILLED', 'TOO_MANY_OPEN_ORDERS', 'TOO_MANY_PRICE_LEVELS']
const ICEBERG = ['ICEBERG_QUANTITY_TOO_SMALL', 'ICEBERG_QUANTITY_TOO_LARGE']
const NEW_TYPES = 'RULES_VERSION_TOO_LOW'
const ANY_FOK = [...ANY_LIMIT.filter((answer) => answer !== 'CANCELED'), NEW_TYPES, 'FOK_NOT_FILLABLE']
const ANY_END = ['EXPIRE_TIME_PASSED', 'EXPIRE_TIME_TOO_FAR']
const ANY_GTD = [...ANY_LIMIT, ...RESTING, NEW_TYPES, ...ANY_END]
const ANY_LIMIT_MAKER = [
  ...ANY_LIMIT.filter((answer) => answer !== 'CANCELED' && answer !== 'FILLED'),
  ...RESTING.filter((answer) => answer !== 'PARTIALLY_FILLED'),
  ...ICEBERG,
  NEW_TYPES,
  'LIMIT_MAKER_WOULD_TAKE',
]
const ENDED = ['CANCELED', 'FILLED']
const ANY_STOP = [
  ...ANY_ORDER.filter((answer) => !ENDED.includes(answer)),
  ...RESTING.filter((answer) => answer !== 'PARTIALLY_FILLED'),
  NEW_TYPES,
  'STOP_PRICE_REACHED',
  'PRICE_OUT_OF_BAND',
  'PRICE_NOT_ON_TICK',
]
const ANY_STOP_SELL = ANY_STOP.filter((answer) => answer !== 'TOTAL_TOO_SMALL')
const ANY_STOP_LIMIT = [...ANY_STOP, 'TOTAL_MISMATCH', ...ANY_END]
const ANY_MARKET = [...ANY_ORDER, 'NO_LIQUIDITY', 'TOTAL_BELOW_BEST_PRICE', 'SELF_TRADE_PREVENTED']
/** Reasons that only a total can cause. */
const OF_TOTALS = ['TOTAL_TOO_SMALL', 'TOTAL_BELOW_BEST_PRICE']
const ANY_MONEY = [
  'done',
  'repeated',
  'REFERENCE_CONFLICT',
  'INVALID_COMMAND',
  'UNKNOWN_ASSET',
  'UNKNOWN_ACCOUNT',
  'ACCOUNT_CLOSED',
]
const UNAMENDED = [
  'UNKNOWN_ORDER',
  'INVALID_COMMAND',
  'ORDER_NOT_AMENDABLE',
  'AMENDED_QUANTITY_TOO_LARGE',
  'AMENDED_QUANTITY_TOO_SMALL',
  'AMENDED_QUANTITY_TOO_PRECISE',
  'QUANTITY_NOT_ON_STEP',
]
const ASKED = ['ApprovalNeeded', 'NAMED_TOKEN_NEEDED', 'ROLE_LIMIT']
const ANY_ACCOUNT = ['done', 'UNKNOWN_ACCOUNT', 'INVALID_COMMAND', 'ACCOUNT_CLOSED']

/**
 * Every possible answer of each kind of command. Random runs cannot reach the following answers, which are
 * left out: LIMIT_REACHED except for keys, TOO_MANY_REFERENCES (tests of registry and references lower the
 * limits), and answers about rules that are newer than the code.
 */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'LIMIT BUY GTC': [...ANY_LIMIT, 'UNKNOWN_SESSION', ...RESTING, ...ICEBERG, NEW_TYPES],
  'LIMIT SELL GTC': [...ANY_LIMIT, ...RESTING, ...ICEBERG, NEW_TYPES],
  'LIMIT BUY GTD': ANY_GTD,
  'LIMIT SELL GTD': ANY_GTD,
  'LIMIT BUY IOC': ANY_LIMIT,
  'LIMIT SELL IOC': ANY_LIMIT,
  'LIMIT BUY FOK': ANY_FOK,
  'LIMIT SELL FOK': ANY_FOK,
  'LIMIT_MAKER BUY': ANY_LIMIT_MAKER,
  'LIMIT_MAKER SELL': ANY_LIMIT_MAKER,
  'MARKET BUY': ANY_MARKET,
  'MARKET BUY by quantity': ANY_MARKET.filter((answer) => !OF_TOTALS.includes(answer)).concat(NEW_TYPES),
  'MARKET SELL': ANY_MARKET,
  'STOP_LOSS BUY': ANY_STOP,
  'STOP_LOSS SELL': ANY_STOP_SELL,
  'TAKE_PROFIT BUY': ANY_STOP,
  'TAKE_PROFIT SELL': ANY_STOP_SELL,
  'STOP_LOSS_LIMIT BUY': ANY_STOP_LIMIT,
  'STOP_LOSS_LIMIT SELL': ANY_STOP_LIMIT,
  'TAKE_PROFIT_LIMIT BUY': ANY_STOP_LIMIT,
  'TAKE_PROFIT_LIMIT SELL': ANY_STOP_LIMIT,
  CancelAllOrders: ['OrdersCanceled', 'EXCHANGE_CLOSED', 'UNKNOWN_SYMBOL', 'UNKNOWN_ACCOUNT'],
  OpenSession: [
    'SessionOpened',
    'SessionOpened again',
    'UNKNOWN_ACCOUNT',
    'UNKNOWN_API_KEY',
    'INVALID_COMMAND',
    'UNKNOWN_SESSION',
    'TOO_MANY_SESSIONS',
  ],
  DisconnectSession: ['done', 'UNKNOWN_SESSION'],
  SetCountdown: ['CountdownSet', 'UNKNOWN_SYMBOL', 'UNKNOWN_ACCOUNT', 'INVALID_COMMAND'],
  ...LIST_ANSWERS,
  ...OWN_ANSWERS,
  ...RIGHTS_ANSWERS,
  CancelOrder: ['done', 'UNKNOWN_ORDER', 'EXCHANGE_CLOSED'],
  CancelClientOrder: ['done', 'UNKNOWN_ORDER', 'EXCHANGE_CLOSED'],
  AmendOrder: ['OrderAmended', 'EXCHANGE_CLOSED', ...UNAMENDED],
  ReplaceOrder: [
    'both',
    'both before',
    'canceled alone',
    'placed alone',
    'placed alone before',
    'UNKNOWN_ORDER',
    'CANCEL_RESTRICTED',
    'DUPLICATE_CLIENT_ORDER_ID',
    NEW_TYPES,
    'as an order',
  ],
  MarkTime: ['done'],
  Credit: [...ANY_MONEY, 'SUPPLY_LIMIT', 'CREDIT_LIMIT', 'ASSET_NOT_DEPOSITABLE', ...ASKED],
  Debit: [...ANY_MONEY, 'INSUFFICIENT_FUNDS', 'ASSET_NOT_WITHDRAWABLE', ...ASKED],
  MoveBetweenBuckets: [...ANY_MONEY, 'INSUFFICIENT_FUNDS', 'ASSET_NOT_SAVABLE'],
  ListAsset: ['AssetListed', 'ASSET_EXISTS', 'INVALID_COMMAND'],
  SetAssetFlags: ['done', 'UNKNOWN_ASSET'],
  ListSymbol: [
    'SymbolListed',
    'SYMBOL_EXISTS',
    'UNKNOWN_ASSET',
    'INVALID_COMMAND',
    'BINANCE_NAME_TAKEN',
    NEW_TYPES,
  ],
  SetSymbolState: ['done', 'UNKNOWN_SYMBOL', 'SYMBOL_NOT_EMPTY', 'SYMBOL_DELISTED'],
  SetSymbolRates: ['done', 'UNKNOWN_SYMBOL', 'INVALID_COMMAND'],
  CreateAccount: ['AccountOpened', 'ACCOUNT_EXISTS', 'INVALID_COMMAND'],
  ...KEY_ANSWERS,
  SetAccountRestrictions: ANY_ACCOUNT,
  ChangeRestrictions: [...ANY_ACCOUNT, NEW_TYPES],
  OpenCustomer: ['AccountOpened', 'ACCOUNT_EXISTS', 'INVALID_COMMAND', NEW_TYPES],
  RaiseCustomerEpoch: ['done', 'UNKNOWN_ACCOUNT', NEW_TYPES],
  ForgetCustomer: ['done', 'UNKNOWN_ACCOUNT', NEW_TYPES],
  CloseAccount: [...ANY_ACCOUNT, 'ACCOUNT_NOT_EMPTY'],
  SetAccountTerms: [...ANY_ACCOUNT, 'UNKNOWN_FEE_TIER'],
  CancelAnyOrder: ['done', 'UNKNOWN_ORDER'],
  SetAccountProfile: ['done', 'UNKNOWN_ACCOUNT', 'INVALID_COMMAND', 'CUSTOMER_ID_TAKEN'],
  SetSpecialTerms: ANY_ACCOUNT,
  CancelOrders: ['OrdersCanceled', 'UNKNOWN_SYMBOL', 'UNKNOWN_ACCOUNT', 'INVALID_COMMAND'],
  SetAssetTerms: ['done', 'UNKNOWN_ASSET', 'INVALID_COMMAND'],
  SetSymbolTerms: ['done', 'UNKNOWN_SYMBOL', 'INVALID_COMMAND'],
  SetSymbolIncrements: ['done', 'UNKNOWN_SYMBOL', 'INVALID_COMMAND'],
  SetPhase: ['done', 'PHASE_SEQUENCE'],
  PlanPhases: ['done', 'PHASE_SEQUENCE', 'PHASE_TIME_OUT_OF_RANGE', 'INVALID_COMMAND'],
  SetFeeTier: ['done', 'INVALID_COMMAND'],
  HoldWithdrawal: [...ANY_MONEY, 'INSUFFICIENT_FUNDS', 'ASSET_NOT_WITHDRAWABLE', 'ACCOUNT_RESTRICTED'],
  CompleteWithdrawal: [
    'WITHDRAWAL_NOT_CLAIMED',
    'done',
    'repeated',
    'UNKNOWN_WITHDRAWAL',
    'WITHDRAWAL_FINISHED',
    'REFERENCE_CONFLICT',
    ...ASKED,
  ],
  CancelWithdrawal: [
    'done',
    'repeated',
    'UNKNOWN_WITHDRAWAL',
    'WITHDRAWAL_FINISHED',
    'ApprovalNeeded',
    'NAMED_TOKEN_NEEDED',
    'APPROVAL_WAITS',
  ],
  ...WITHDRAWAL_ANSWERS,
  MoveSavings: [...ANY_MONEY, 'INSUFFICIENT_FUNDS', 'ASSET_NOT_SAVABLE'],
  PayOutCommission: [
    'done',
    'repeated',
    'REFERENCE_CONFLICT',
    'INVALID_COMMAND',
    'UNKNOWN_ASSET',
    'INSUFFICIENT_FUNDS',
    'ASSET_NOT_WITHDRAWABLE',
    ...ASKED,
  ],
  BanAddress: ['done', 'INVALID_COMMAND'],
  LiftBan: ['done'],
  AcceptClock: ['done'],
  NoteChange: ['done', 'INVALID_COMMAND'],
  SetRulesVersion: ['done', 'UNKNOWN_RULES_VERSION'],
  refuse: ['INTERNAL_ERROR'],
  reload: ['done'],
}

/** Effects of trading. */
const EFFECTS = [
  'OrdersMatched: maker filled',
  'OrdersMatched: maker left with a rest',
  'OrdersMatched: both sides of one account',
  'OrdersMatched: several by one order',
  'OrdersMatched: at several prices by one order',
  'OrdersMatched: one unit left over',
  'OrdersMatched: one unit given back',
  'OrdersMatched: for nothing',
  'OrdersMatched: commission of nothing',
  'OrdersMatched: commission is all that was received',
  'OrdersMatched: worth beyond 2^53',
  'OrderCanceled: USER',
  'OrderCanceled: IOC',
  'OrderCanceled: MARKET_REMAINDER',
  'OrderCanceled: OPERATOR',
  'OrderCanceled: STEPS',
  'OrderCanceled: SELF_TRADE',
  'OrderCanceled: SELF_TRADE of a resting order',
  'OrderCanceled: TRIGGER_REFUSED',
  'OrderCanceled: EXPIRED by ExpireOrder',
  'OrderCanceled: EXPIRED by PlaceOrder',
  'OrderCanceled: EXPIRED by CancelOrder',
  'OrderCanceled: EXPIRED by TriggerOrder',
  'OrderCanceled: DEAD_MAN by FireCountdown',
  'OrderCanceled: DEAD_MAN by ContinueCancelAll',
  'OrderCanceled: DEAD_MAN by PlaceOrder',
  'OrderCanceled: USER by CancelAllOrders',
  'OrderCanceled: USER by ContinueCancelAll',
  'OrderCanceled: USER by PlaceOrder',
  'OrderCanceled: DISCONNECT by EndSession',
  'OrderCanceled: DISCONNECT by PlaceOrder',
  'OrderCanceled: DISCONNECT by CancelOrder',
  'OrderCanceled: LIST',
  'OrderCanceled: PENDING_REFUSED',
  'OrderCanceled: USER of an order that is due',
  'OrdersMatched: reaches several orders that wait',
  'OrdersMatched: two parts of one order',
  'OrdersMatched: two parts of one order by a FOK order',
  'OrderDecremented: two parts of one order',
  'OrderDecremented: arriving',
  'OrderDecremented: resting',
  'OrderPlaced: of a total and a quantity',
  'LevelChanged: gone',
  'OrderAmended: BUY',
  'OrderAmended: SELL',
  'OrderAmended: of what is hidden alone',
  'OrderAmended: of what was asked for anyway',
  'ApiKeyRemoved',
]

export class Coverage {
  readonly #timesByCell = new Map<string, number>()
  readonly #listed = new ListedOrders()
  readonly #pairs = new PairCoverage()

  constructor() {
    for (const [kind, answers] of Object.entries(ANSWERS)) {
      for (const answer of answers) this.#timesByCell.set(`${kind} -> ${answer}`, 0)
    }
    for (const effect of [...EFFECTS, ...endsOf(), ...triggeredEnds(), ...listEnds(), ...trailingCells()])
      this.#timesByCell.set(effect, 0)
  }

  count({ step, reply, events, triggered, due }: Outcome): void {
    for (const end of this.#listed.endsOf(events)) this.#add(end)
    this.#pairs.count(events)
    this.#add(
      `${kindOf(step)} -> ${approvalOf(step, reply) ?? replacementOf(step, reply) ?? answerOf(reply)}`,
    )
    for (const effect of [...effectsOf(step, events), ...trailingAnswer(step, answerOf(reply))])
      this.#add(effect)
    const end = endOf(step, reply)
    if (end !== undefined && this.#timesByCell.has(end)) this.#add(end)
    if (triggered !== undefined && reply?.kind === 'OrderAccepted') {
      this.#add(`triggered ${triggered.type} ${triggered.side}`)
      for (const cell of triggeredTrailing(triggered)) this.#add(cell)
      const end = triggeredEnd(triggered, reply, events)
      if (end !== undefined) this.#add(end)
    }
    if (isUnseen(events)) this.#add('OrderAmended: of what is hidden alone')
    const isAmended = events.some(({ kind }) => kind === 'OrderAmended')
    if (reply?.kind === 'OrderAmended' && !isAmended) this.#add('OrderAmended: of what was asked for anyway')
    if (due.reached > 1) this.#add('OrdersMatched: reaches several orders that wait')
    if (due.isCanceled) this.#add('OrderCanceled: USER of an order that is due')
  }

  /** Every cell with its count, the rarest first. */
  cells(): [string, number][] {
    return [...this.#timesByCell].sort(([, a], [, b]) => a - b)
  }

  /** The cells with fewer than `times` hits, and the pairs that were not reached. */
  missing(times: number): string[] {
    const rare = (cells: [string, number][], least: number) => cells.filter(([, reached]) => reached < least)
    return [...rare(this.cells(), times), ...rare(this.pairs(), 1)].map(([cell]) => cell)
  }

  /** Every pair of a property and an outcome of orders. */
  pairs(): [string, number][] {
    return this.#pairs.cells()
  }

  #add(cell: string): void {
    this.#timesByCell.set(cell, (this.#timesByCell.get(cell) ?? 0) + 1)
  }
}

/** Outcomes of triggered orders, by type and time in force. */
function triggeredEnds(): string[] {
  const ends: Readonly<Record<string, readonly string[]>> = {
    GTC: ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'refused'],
    GTD: ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'refused', 'expired'],
    IOC: ['FILLED', 'CANCELED', 'refused'],
    FOK: ['FILLED', 'refused'],
  }
  const words = Object.entries(ends).flatMap(([time, answers]) =>
    answers.map((answer) => `${time} -> ${answer}`),
  )
  const limits = ['STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'].flatMap((type) =>
    words.map((one) => `${type} ${one}`),
  )
  const markets = ['STOP_LOSS', 'TAKE_PROFIT'].flatMap((type) =>
    ['FILLED', 'CANCELED', 'refused'].map((answer) => `${type} GTC -> ${answer}`),
  )
  const sides = STOP_TYPES.flatMap((type) => SIDES.map((side) => `${type} ${side}`))
  return [...limits, ...markets, ...sides].map((end) => `triggered ${end}`)
}

/** Undefined if a mass cancel ended the order before. */
function triggeredEnd(
  { type, timeInForce, orderNumber }: OpenOrder,
  { status }: OrderAccepted,
  events: readonly ExchangeEvent[],
): string | undefined {
  const canceled = events.find(
    (event) => event.kind === 'OrderCanceled' && event.orderNumber === orderNumber,
  ) as OrderCanceled | undefined
  switch (canceled?.cause) {
    case 'USER':
    case 'DEAD_MAN':
    case 'DISCONNECT':
      return undefined
    case 'TRIGGER_REFUSED':
      return `triggered ${type} ${timeInForce} -> refused`
    case 'EXPIRED':
      return `triggered ${type} ${timeInForce} -> expired`
    default:
      return `triggered ${type} ${timeInForce} -> ${status}`
  }
}

/**
 * The kind of a command that ends orders whose time is over; commands on lists count as those on single
 * orders.
 */
function endingKindOf(step: Step): string {
  const kind = commandKindOf(step)
  if (kind === 'PlaceList') return 'PlaceOrder'
  return kind === 'PlacePending' ? 'TriggerOrder' : kind
}

/** Ends of orders, by type, time in force and self-trade mode. */
function endsOf(): string[] {
  const ends: Readonly<Record<string, readonly string[]>> = {
    'LIMIT GTC': ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED'],
    'LIMIT GTD': ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED'],
    'LIMIT IOC': ['FILLED', 'CANCELED'],
    'LIMIT FOK': ['FILLED', 'FOK_NOT_FILLABLE'],
    LIMIT_MAKER: ['NEW', 'LIMIT_MAKER_WOULD_TAKE'],
    MARKET: ['FILLED', 'CANCELED', 'NO_LIQUIDITY'],
  }
  return Object.entries(ends).flatMap(([words, answers]) =>
    SELF_TRADE_MODES.flatMap((mode) =>
      answers.flatMap((answer) => {
        const end = `${words} ${mode} -> ${answer}`
        return words === 'LIMIT GTC' || words === 'LIMIT_MAKER' ? [end, `iceberg ${end}`] : [end]
      }),
    ),
  )
}

/** The cell of an order with a self-trade mode of its own. */
function endOf(step: Step, reply: Reply | undefined): string | undefined {
  if (step.kind !== 'apply' || step.command.kind !== 'PlaceOrder') return undefined
  const { type, timeInForce, selfTradeMode, icebergQuantity } = step.command
  const words = type === 'LIMIT' ? `LIMIT ${timeInForce}` : type
  const end = `${words} ${selfTradeMode} -> ${answerOf(reply)}`
  return icebergQuantity === undefined ? end : `iceberg ${end}`
}

/**
 * An approved transfer can be refused for every reason of a transfer; these cells belong to approvals alone.
 */
function approvalOf(step: Step, reply: Reply | undefined): string | undefined {
  if (kindOf(step) !== 'Approve' || reply?.kind !== 'Refused') return undefined
  return OF_APPROVALS.includes(reply.reason) ? undefined : 'what it approves is refused'
}

function answerOf(reply: Reply | undefined): string {
  if (reply === undefined) return 'done'
  switch (reply.kind) {
    case 'Refused':
      return reply.reason
    case 'OrderAccepted':
      return reply.status
    case 'OrderReplaced':
      return replacedOf(reply)
    case 'SessionOpened':
      return reply.attachment > 1 ? 'SessionOpened again' : 'SessionOpened'
    case 'Done':
      return reply.repeated ? 'repeated' : 'done'
    case 'WithdrawalAsked':
    case 'AddressAllowed':
      return reply.repeated ? `${reply.kind} again` : reply.kind
    default:
      return reply.kind
  }
}

function commandKindOf(step: Step): string {
  return step.kind === 'apply' ? step.command.kind : step.kind
}

function replacedOf({ cancelRefusal, placed, repeated }: OrderReplaced): string {
  if (placed.kind === 'Refused') return 'canceled alone'
  const done = cancelRefusal === undefined ? 'both' : 'placed alone'
  return repeated ? `${done} before` : done
}

/** The new order can be refused for every reason of an order; these cells belong to replacements alone. */
function replacementOf(step: Step, reply: Reply | undefined): string | undefined {
  if (kindOf(step) !== 'ReplaceOrder' || reply?.kind !== 'Refused') return undefined
  return ANSWERS.ReplaceOrder?.includes(reply.reason) ? undefined : 'as an order'
}

function effectsOf(step: Step, events: readonly ExchangeEvent[]): string[] {
  const matches = events.filter((event) => event.kind === 'OrdersMatched')
  const taker = events.find((event) => event.kind === 'OrderPlaced')?.orderNumber
  const effects: string[] = []
  for (const event of events) {
    if (event.kind === 'OrderCanceled') {
      const kind = endingKindOf(step)
      effects.push(`OrderCanceled: ${event.cause}`)
      // Only the pairs of a cause and a kind of command listed above are counted.
      const pair = `OrderCanceled: ${event.cause} by ${kind}`
      if (EFFECTS.includes(pair)) effects.push(pair)
      const isResting = event.cause === 'SELF_TRADE' && event.orderNumber !== taker
      if (isResting) effects.push('OrderCanceled: SELF_TRADE of a resting order')
    }
    if (event.kind === 'OrderDecremented') {
      effects.push(`OrderDecremented: ${event.orderNumber === taker ? 'arriving' : 'resting'}`)
    }
    if (event.kind === 'OrderAmended') effects.push(`OrderAmended: ${event.side}`)
    if (event.kind === 'ApiKeyRemoved') effects.push('ApiKeyRemoved')
    if (event.kind === 'LevelChanged' && event.quantity === 0n) effects.push('LevelChanged: gone')
  }
  if (matches.length > 1) effects.push('OrdersMatched: several by one order')
  const isTwice = (numbers: readonly number[]) => new Set(numbers).size < numbers.length
  if (isTwice(matches.map(({ maker }) => maker.orderNumber))) {
    effects.push('OrdersMatched: two parts of one order')
    const order = step.kind === 'apply' && step.command.kind === 'PlaceOrder' ? step.command : undefined
    if (order?.timeInForce === 'FOK') effects.push('OrdersMatched: two parts of one order by a FOK order')
  }
  const lowered = events.flatMap((event) =>
    event.kind === 'OrderDecremented' && event.orderNumber !== taker ? [event.orderNumber as number] : [],
  )
  if (isTwice(lowered)) effects.push('OrderDecremented: two parts of one order')
  const prices = new Set(matches.map(({ price }) => price))
  if (prices.size > 1) effects.push('OrdersMatched: at several prices by one order')
  const command = step.kind === 'apply' ? step.command : undefined
  const isBounded =
    command?.kind === 'PlaceOrder' && command.type === 'MARKET' && command.quantity !== undefined
  if (isBounded && command.total !== undefined && taker !== undefined) {
    effects.push('OrderPlaced: of a total and a quantity')
  }
  for (const match of matches) effects.push(...effectsOfMatch(match, events))
  return effects
}

/** Whether something was amended that no market data shows. */
function isUnseen(events: readonly ExchangeEvent[]): boolean {
  const [first, ...others] = events
  return first?.kind === 'OrderAmended' && others.length === 0
}
