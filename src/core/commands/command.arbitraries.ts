/**
 * Random commands, for every suite that feeds the exchange, its codecs or its journal. Values cover the whole
 * range that the format can carry, not only what the rules allow.
 */
import * as fc from 'fast-check'
import type {
  AccountId,
  KeyNumber,
  ListNumber,
  OrderNumber,
  SessionNumber,
  SymbolId,
} from '../../units/ids.ts'
import { ACCOUNT_RESTRICTIONS, ADMIN_ROLES, RESTRICTION_SOURCES } from '../../units/operator-enums.ts'
import {
  CANCEL_REPLACE_MODES,
  CANCEL_RESTRICTIONS,
  EXCHANGE_PHASES,
  LIST_KINDS,
  ORDER_TYPES,
  ROLES_BY_KIND,
  SELF_TRADE_MODES,
  SIDES,
  SYMBOL_STATES,
  TIMES_IN_FORCE,
} from '../../units/order-enums.ts'
import {
  amount as amountOf,
  type Decimals,
  type Lots,
  type Price,
  type Rate,
  type TimeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { arbitrarySupport } from '../questions/support.arbitraries.ts'
import { rightsCommands } from '../records/rights.arbitraries.ts'
import type { Command, CommandKind } from './command.ts'
import { keyCommands } from './keys.arbitraries.ts'
import type { OrderTarget } from './order-changes.ts'
import type { ListLeg, PlaceList } from './order-lists.ts'
import type { OrderTrigger, PlaceOrder } from './orders.ts'
import { withdrawalCommands } from './withdrawal-commands.arbitraries.ts'

/** Whole numbers of every length of their binary form, 0 and 2^53-1 among them. */
export const arbitraryUint: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 0, max: 53 }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits - 1 })),
  fc.constantFrom(0, 127, 128, 2 ** 28 - 1, 2 ** 28, 2 ** 32 - 1, 2 ** 32, UNITS_MAX),
)

/** Integers of any sign, around 64 bits and far beyond. */
export const arbitraryBigint: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -300n, max: 300n }),
  arbitraryUint.map((value) => BigInt(value)),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
  fc.constantFrom(
    2n ** 52n - 1n,
    2n ** 52n,
    -(2n ** 52n),
    -(2n ** 52n) - 1n,
    2n ** 53n,
    2n ** 63n,
    -(2n ** 63n),
  ),
)

/** Well-formed Unicode texts: short codes, long ones, and ones outside ASCII. */
export const arbitraryText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', 'BTC', '\ufeffBTC', 'a'.repeat(200), 'ğüşiöç', '😀'.repeat(20)),
)

const accountId = arbitraryUint as fc.Arbitrary<AccountId>
const lots = arbitraryUint as fc.Arbitrary<Lots>
const amount = arbitraryBigint.map(amountOf)
const orderTarget: fc.Arbitrary<OrderTarget> = fc.oneof(
  fc.record({
    orderNumber: arbitraryUint as fc.Arbitrary<OrderNumber>,
    orderTime: arbitraryUint as fc.Arbitrary<TimeMs>,
  }),
  fc.record({ clientOrderId: arbitraryText }),
)
const sessionNumber = arbitraryUint as fc.Arbitrary<SessionNumber>
const keyNumber = arbitraryUint as fc.Arbitrary<KeyNumber>
const rate = arbitraryUint as fc.Arbitrary<Rate>
const time = arbitraryUint as fc.Arbitrary<TimeMs>
const decimals = arbitraryUint as fc.Arbitrary<Decimals>
const operator = fc.record({ actor: arbitraryText, note: arbitraryText })
const bucket = fc.constantFrom('free' as const, 'freeze' as const, 'savings' as const)
const flags = fc.record({
  isDeposit: fc.boolean(),
  isWithdraw: fc.boolean(),
  isTrade: fc.boolean(),
  isSaving: fc.boolean(),
})
const terms = fc.record({
  baseFraction: decimals,
  quoteFraction: decimals,
  makerRate: rate,
  takerRate: rate,
  minTotal: amount,
  minQuantity: lots,
  selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
  openOrdersMax: arbitraryUint,
  levelsMax: arbitraryUint,
})

function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined })
}

function kind<K extends CommandKind>(name: K): fc.Arbitrary<K> {
  return fc.constant(name)
}

const icebergOrder = fc.record({
  type: fc.constant('LIMIT' as const),
  side: fc.constantFrom(...SIDES),
  timeInForce: fc.constant('GTC' as const),
  price: arbitraryUint as fc.Arbitrary<Price>,
  quantity: lots,
  total: maybe(amount),
  icebergQuantity: lots,
})
/** The lifetime of an order: an end time only with GTD. */
const standing = fc.oneof(
  fc.record({ timeInForce: fc.constantFrom(...TIMES_IN_FORCE.filter((word) => word !== 'GTD')) }),
  fc.record({ timeInForce: fc.constant('GTD' as const), expireTime: time }),
)

const limitOrder = fc
  .record({
    type: fc.constant('LIMIT' as const),
    side: fc.constantFrom(...SIDES),
    standing,
    price: arbitraryUint as fc.Arbitrary<Price>,
    quantity: lots,
    total: maybe(amount),
  })
  .map(({ standing, ...order }) => ({ ...order, ...standing }))
const limitMakerOrder = fc.record({
  type: fc.constant('LIMIT_MAKER' as const),
  side: fc.constantFrom(...SIDES),
  price: arbitraryUint as fc.Arbitrary<Price>,
  quantity: lots,
  total: maybe(amount),
  icebergQuantity: maybe(lots),
})
const marketBuyOrder = fc.record({
  type: fc.constant('MARKET' as const),
  side: fc.constant('BUY' as const),
  total: amount,
  quantity: maybe(lots),
})
const marketBuyQuantityOrder = lots.map((quantity) => ({ type: 'MARKET', side: 'BUY', quantity }) as const)
const marketSellOrder = fc.record({
  type: fc.constant('MARKET' as const),
  side: fc.constant('SELL' as const),
  quantity: lots,
  total: maybe(amount),
})

const stopPrice = arbitraryUint as fc.Arbitrary<Price>
const trailingDelta = arbitraryUint as fc.Arbitrary<TrailingDelta>
const trigger: fc.Arbitrary<OrderTrigger> = fc.oneof(
  fc.record({ stopPrice }),
  fc.record({ stopPrice: maybe(stopPrice), trailingDelta }),
)
const stopLimitOrder = fc
  .record({
    type: fc.constantFrom('STOP_LOSS_LIMIT' as const, 'TAKE_PROFIT_LIMIT' as const),
    side: fc.constantFrom(...SIDES),
    standing,
    price: arbitraryUint as fc.Arbitrary<Price>,
    quantity: lots,
    total: maybe(amount),
    trigger,
  })
  .map(({ standing, trigger, ...order }) => ({ ...order, ...standing, ...trigger }))
const stopType = fc.constantFrom('STOP_LOSS' as const, 'TAKE_PROFIT' as const)
const stopBuyOrder = fc
  .record({
    type: stopType,
    side: fc.constant('BUY' as const),
    total: amount,
    quantity: maybe(lots),
    trigger,
  })
  .map(({ trigger, ...order }) => ({ ...order, ...trigger }))
const stopSellOrder = fc
  .record({ type: stopType, side: fc.constant('SELL' as const), quantity: lots, trigger })
  .map(({ trigger, ...order }) => ({ ...order, ...trigger }))

/** A symbol, or all of them. */
const scope = maybe(fc.nat() as fc.Arbitrary<SymbolId>)
const listLeg: fc.Arbitrary<ListLeg> = fc.record({
  type: fc.constantFrom(...ORDER_TYPES),
  side: fc.constantFrom(...SIDES),
  timeInForce: maybe(fc.constantFrom(...TIMES_IN_FORCE)),
  price: maybe(stopPrice),
  stopPrice: maybe(stopPrice),
  trailingDelta: maybe(trailingDelta),
  quantity: maybe(lots),
  total: maybe(amount),
  clientOrderId: maybe(arbitraryText),
})

const transfer = { operator, accountId, asset: arbitraryText, amount, reference: arbitraryText }

const placeOrder: fc.Arbitrary<PlaceOrder> = fc
  .tuple(
    fc.record({
      kind: kind('PlaceOrder'),
      accountId,
      symbolId: arbitraryUint as fc.Arbitrary<SymbolId>,
      selfTradeMode: maybe(fc.constantFrom(...SELF_TRADE_MODES)),
      clientOrderId: maybe(arbitraryText),
      sessionNumber: maybe(sessionNumber),
      keyNumber: maybe(keyNumber),
    }),
    fc.oneof(
      limitOrder,
      icebergOrder,
      limitMakerOrder,
      marketBuyOrder,
      marketBuyQuantityOrder,
      marketSellOrder,
      stopLimitOrder,
      stopBuyOrder,
      stopSellOrder,
    ),
  )
  .map(([order, figures]): PlaceOrder => ({ ...order, ...figures }))

const shared = { operator, accountId, uint: arbitraryUint, text: arbitraryText }

/** One arbitrary per kind of command: a new kind does not compile before it is here. */
export const arbitraryCommandByKind: {
  readonly [K in CommandKind]: fc.Arbitrary<Extract<Command, { readonly kind: K }>>
} = {
  PlaceOrder: placeOrder,
  CancelAllOrders: fc.record({ kind: kind('CancelAllOrders'), accountId, symbolId: scope }),
  ContinueCancelAll: fc.record({ kind: kind('ContinueCancelAll'), accountId }),
  SetCountdown: fc.record({
    kind: kind('SetCountdown'),
    accountId,
    symbolId: scope,
    countdownMs: arbitraryUint,
    keepsStops: fc.boolean(),
  }),
  FireCountdown: fc.record({ kind: kind('FireCountdown'), accountId, symbolId: scope }),
  ExpireOrder: fc.record({
    kind: kind('ExpireOrder'),
    orderNumber: arbitraryUint as fc.Arbitrary<OrderNumber>,
  }),
  TriggerOrder: fc.record({
    kind: kind('TriggerOrder'),
    orderNumber: arbitraryUint as fc.Arbitrary<OrderNumber>,
  }),
  PlaceList: fc
    .record({
      kind: kind('PlaceList'),
      accountId,
      symbolId: arbitraryUint as fc.Arbitrary<SymbolId>,
      list: fc.constantFrom(...LIST_KINDS),
      selfTradeMode: maybe(fc.constantFrom(...SELF_TRADE_MODES)),
      listClientOrderId: maybe(arbitraryText),
      sessionNumber: maybe(sessionNumber),
      keyNumber: maybe(keyNumber),
    })
    .chain((list) => {
      const count = ROLES_BY_KIND[list.list].length
      const legs = fc.array(listLeg, { minLength: count, maxLength: count })
      return legs.map((legs): PlaceList => ({ ...list, legs }))
    }),
  CancelList: fc.record({
    kind: kind('CancelList'),
    accountId,
    listNumber: arbitraryUint as fc.Arbitrary<ListNumber>,
    listTime: arbitraryUint as fc.Arbitrary<TimeMs>,
  }),
  CancelClientList: fc.record({
    kind: kind('CancelClientList'),
    accountId,
    listClientOrderId: arbitraryText,
  }),
  PlacePending: fc.record({
    kind: kind('PlacePending'),
    listNumber: arbitraryUint as fc.Arbitrary<ListNumber>,
  }),
  CancelOrder: fc.record(
    {
      kind: kind('CancelOrder'),
      accountId,
      orderNumber: arbitraryUint as fc.Arbitrary<OrderNumber>,
      orderTime: arbitraryUint as fc.Arbitrary<TimeMs>,
      symbolId: arbitraryUint as fc.Arbitrary<SymbolId>,
    },
    { requiredKeys: ['kind', 'accountId', 'orderNumber', 'orderTime'] },
  ),
  CancelClientOrder: fc.record(
    {
      kind: kind('CancelClientOrder'),
      accountId,
      clientOrderId: arbitraryText,
      symbolId: arbitraryUint as fc.Arbitrary<SymbolId>,
    },
    { requiredKeys: ['kind', 'accountId', 'clientOrderId'] },
  ),
  AmendOrder: fc.record({
    kind: kind('AmendOrder'),
    accountId,
    target: orderTarget,
    quantity: amount,
  }),
  ReplaceOrder: fc.record({
    kind: kind('ReplaceOrder'),
    target: orderTarget,
    mode: fc.constantFrom(...CANCEL_REPLACE_MODES),
    restriction: fc.option(fc.constantFrom(...CANCEL_RESTRICTIONS), { nil: undefined }),
    order: placeOrder,
  }),
  OpenSession: fc.record({
    kind: kind('OpenSession'),
    accountId,
    apiKey: arbitraryText,
    graceMs: arbitraryUint,
    resumes: maybe(fc.record({ sessionNumber, sessionTime: time })),
  }),
  DisconnectSession: fc.record({
    kind: kind('DisconnectSession'),
    sessionNumber,
    attachment: arbitraryUint,
  }),
  DisconnectSessions: fc.record({ kind: kind('DisconnectSessions') }),
  EndSession: fc.record({ kind: kind('EndSession'), sessionNumber }),
  MarkTime: fc.record({ kind: kind('MarkTime') }),
  SetPhase: fc.record({ kind: kind('SetPhase'), operator, phase: fc.constantFrom(...EXCHANGE_PHASES) }),
  PlanPhases: fc.record({
    kind: kind('PlanPhases'),
    operator,
    steps: fc.array(fc.record({ phase: fc.constantFrom(...EXCHANGE_PHASES), at: time }), { maxLength: 5 }),
  }),
  EnterPhase: fc.record({ kind: kind('EnterPhase') }),
  BeginEpoch: fc.record({ kind: kind('BeginEpoch'), epoch: arbitraryUint }),
  Credit: fc.record({ kind: kind('Credit'), ...transfer }),
  Debit: fc.record({ kind: kind('Debit'), ...transfer }),
  MoveBetweenBuckets: fc.record({ kind: kind('MoveBetweenBuckets'), ...transfer, from: bucket, to: bucket }),
  ListAsset: fc.record({
    kind: kind('ListAsset'),
    operator,
    code: arbitraryText,
    name: arbitraryText,
    fraction: decimals,
    flags,
    supplyCap: amount,
  }),
  SetAssetFlags: fc.record({ kind: kind('SetAssetFlags'), operator, code: arbitraryText, flags }),
  ListSymbol: fc.record(
    {
      kind: kind('ListSymbol'),
      operator,
      base: arbitraryText,
      quote: arbitraryText,
      terms,
      binanceName: arbitraryText,
    },
    { requiredKeys: ['kind', 'operator', 'base', 'quote', 'terms'] },
  ),
  SetSymbolState: fc.record({
    kind: kind('SetSymbolState'),
    operator,
    symbol: arbitraryText,
    state: fc.constantFrom(...SYMBOL_STATES),
  }),
  SetSymbolRates: fc.record({
    kind: kind('SetSymbolRates'),
    operator,
    symbol: arbitraryText,
    makerRate: rate,
    takerRate: rate,
  }),
  CreateAccount: fc.record({ kind: kind('CreateAccount'), operator, name: arbitraryText }),
  SetRulesVersion: fc.record({ kind: kind('SetRulesVersion'), operator, version: arbitraryUint }),
  SetAccountRestrictions: fc.record({
    kind: kind('SetAccountRestrictions'),
    operator,
    accountId,
    restrictions: fc.subarray([...ACCOUNT_RESTRICTIONS]),
  }),
  ChangeRestrictions: fc.record({
    kind: kind('ChangeRestrictions'),
    operator,
    accountId,
    source: fc.constantFrom(...RESTRICTION_SOURCES),
    added: fc.subarray([...ACCOUNT_RESTRICTIONS]),
    removed: fc.subarray([...ACCOUNT_RESTRICTIONS]),
  }),
  OpenCustomer: fc.record({ kind: kind('OpenCustomer'), operator, name: arbitraryText }),
  RaiseCustomerEpoch: fc.record({ kind: kind('RaiseCustomerEpoch'), operator, accountId }),
  ForgetCustomer: fc.record({ kind: kind('ForgetCustomer'), operator, accountId }),
  CloseAccount: fc.record({ kind: kind('CloseAccount'), operator, accountId }),
  SetAccountTerms: fc.record({
    kind: kind('SetAccountTerms'),
    operator,
    accountId,
    feeTier: arbitraryText,
    openOrdersMax: arbitraryUint,
  }),
  ...keyCommands(shared),
  ...arbitrarySupport(shared),
  CancelOrders: fc.record({
    kind: kind('CancelOrders'),
    operator,
    accountId: maybe(accountId),
    symbol: maybe(arbitraryText),
  }),
  SetAssetTerms: fc.record({
    kind: kind('SetAssetTerms'),
    operator,
    code: arbitraryText,
    name: arbitraryText,
    supplyCap: amount,
    creditMax: amount,
    approvalAbove: amount,
  }),
  SetSymbolTerms: fc.record({
    kind: kind('SetSymbolTerms'),
    operator,
    symbol: arbitraryText,
    minTotal: amount,
    minQuantity: lots,
    selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
    openOrdersMax: arbitraryUint,
    levelsMax: arbitraryUint,
    minPrice: arbitraryUint as fc.Arbitrary<Price>,
    maxPrice: arbitraryUint as fc.Arbitrary<Price>,
  }),
  SetSymbolIncrements: fc.record({
    kind: kind('SetSymbolIncrements'),
    operator,
    symbol: arbitraryText,
    tickSize: arbitraryUint as fc.Arbitrary<Price>,
    stepSize: lots,
  }),
  SetFeeTier: fc.record({
    kind: kind('SetFeeTier'),
    operator,
    name: arbitraryText,
    makerShare: rate,
    takerShare: rate,
  }),
  HoldWithdrawal: fc.record({ kind: kind('HoldWithdrawal'), ...transfer }),
  ...withdrawalCommands({ accountId, amount, operator, text: arbitraryText, uint: arbitraryUint }),
  CompleteWithdrawal: fc.record({ kind: kind('CompleteWithdrawal'), operator, reference: arbitraryText }),
  CancelWithdrawal: fc.record({ kind: kind('CancelWithdrawal'), operator, reference: arbitraryText }),
  MoveSavings: fc.record({ kind: kind('MoveSavings'), ...transfer, isDeposit: fc.boolean() }),
  PayOutCommission: fc.record({
    kind: kind('PayOutCommission'),
    operator,
    asset: arbitraryText,
    amount,
    reference: arbitraryText,
  }),
  AddAdminToken: fc.record({
    kind: kind('AddAdminToken'),
    operator,
    name: arbitraryText,
    role: fc.constantFrom(...ADMIN_ROLES),
    digest: fc.uint8Array({ maxLength: 40 }),
  }),
  ...rightsCommands({ operator, text: arbitraryText, time, amount, uint: arbitraryUint }),
  RevokeAdminToken: fc.record({ kind: kind('RevokeAdminToken'), operator, name: arbitraryText }),
  Approve: fc.record({ kind: kind('Approve'), operator, reference: arbitraryText }),
  Reject: fc.record({ kind: kind('Reject'), operator, reference: arbitraryText }),
  BanAddress: fc.record({ kind: kind('BanAddress'), operator, address: arbitraryText, until: time }),
  LiftBan: fc.record({ kind: kind('LiftBan'), operator, address: arbitraryText }),
  AcceptClock: fc.record({ kind: kind('AcceptClock'), operator, clock: time }),
  NoteChange: fc.record({
    kind: kind('NoteChange'),
    operator,
    subject: arbitraryText,
    change: arbitraryText,
  }),
}

/** Any command, each kind equally often. */
export const arbitraryCommand: fc.Arbitrary<Command> = fc.oneof(...Object.values(arbitraryCommandByKind))
