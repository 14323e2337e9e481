/**
 * Random events, replies and views, for suites of the code that carries them between threads. Records are
 * like those of the registry; everything else covers the whole range of its format.
 */
import * as fc from 'fast-check'
import type * as ids from '../../units/ids.ts'
import { ACCOUNT_RESTRICTIONS, APPROVAL_STATES } from '../../units/operator-enums.ts'
import {
  EXCHANGE_PHASES,
  LIST_ROLES,
  ORDER_STATUSES,
  ORDER_TYPES,
  PERMISSIONS,
  SELF_TRADE_MODES,
  SIDES,
  SYMBOL_STATES,
  TIMES_IN_FORCE,
} from '../../units/order-enums.ts'
import {
  amount as amountOf,
  type Decimals,
  type Lots,
  notional,
  type Price,
  type Rate,
  type Seq,
  type TimeMs,
} from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { arbitraryBigint, arbitraryText, arbitraryUint } from '../commands/command.arbitraries.ts'
import {
  amended,
  arbitraryApproval,
  arbitraryApprovalsNeeded,
  arbitraryBan,
  arbitraryFeeTier,
  arbitraryGivenApproval,
  arbitraryRole,
  arbitraryRoleLimit,
  arbitraryToken,
  arbitraryWithdrawal,
} from '../commands/operators.arbitraries.ts'
import { RULES_VERSION } from '../exchange/rules.ts'
import type { TestedFill, TestedOrder } from '../exchange/tested-order.ts'
import { acceptance } from '../questions/reply.arbitraries.ts'
import type {
  Balance,
  BookView,
  Bootstrap,
  ClientOrderAnswer,
  ClientOrderQuery,
  OpenOrder,
  OpenOrdersPage,
  OpenOrdersPlace,
  OpenOrdersQuery,
} from '../questions/view.ts'
import {
  arbitraryAddress,
  arbitraryAskedWithdrawal,
  arbitraryHandling,
} from '../records/withdrawal-records.arbitraries.ts'
import { restrictedAccount } from '../registry/amendments.ts'
import {
  type Account,
  type ApiKey,
  type Asset,
  type ExchangePhases,
  NO_SECRET,
  type TradingSymbol,
} from '../registry/records.ts'
import { CANCEL_CAUSES, type CancelCause, type ExchangeEvent, type TradeParty } from './event.ts'
import { arbitraryStop, trailingDelta } from './order-stop.arbitraries.ts'

const accountId = arbitraryUint as fc.Arbitrary<ids.AccountId>
const assetId = arbitraryUint as fc.Arbitrary<ids.AssetId>
const symbolId = arbitraryUint as fc.Arbitrary<ids.SymbolId>
const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined })
const orderNumber = arbitraryUint as fc.Arbitrary<ids.OrderNumber>
const keyNumber = maybe(arbitraryUint.filter((n) => n > 0) as fc.Arbitrary<ids.KeyNumber>)
const time = arbitraryUint as fc.Arbitrary<TimeMs>
const price = arbitraryUint as fc.Arbitrary<Price>
const lots = arbitraryUint as fc.Arbitrary<Lots>
const amount = arbitraryBigint.map(amountOf)
const side = fc.constantFrom(...SIDES)
const code = fc.stringMatching(/^[A-Z0-9]{1,16}$/)
const name = arbitraryText.filter((text) => text.length > 0 && text.length <= 200)
const decimals = fc.integer({ min: 0, max: 18 }) as fc.Arbitrary<Decimals>
const rate = fc.integer({ min: 0, max: 99_999_999 }) as fc.Arbitrary<Rate>
const positiveAmount = fc.bigInt({ min: 0n, max: 2n ** 62n }).map(amountOf)

/** A program refuses all data under rules newer than its own. */
const rulesVersion = fc.integer({ min: 1, max: RULES_VERSION })
const positive = arbitraryUint.filter((value) => value > 0)
const someAmount = fc.bigInt({ min: 1n, max: 2n ** 70n }).map(amountOf)

const listedAsset = fc.record({
  id: assetId,
  code,
  name,
  fraction: decimals,
  isDeposit: fc.boolean(),
  isWithdraw: fc.boolean(),
  isTrade: fc.boolean(),
  isSaving: fc.boolean(),
  supplyCap: positiveAmount,
})
const arbitraryAsset: fc.Arbitrary<Asset> = amended(listedAsset, {
  creditMax: someAmount,
  approvalAbove: someAmount,
  withdrawMin: someAmount,
  withdrawMax: someAmount,
  addressDelayMs: fc.integer({ min: 0, max: 86_399_999 }),
})

const listedSymbol = fc
  .record({
    id: symbolId,
    base: assetId,
    quote: assetId,
    baseCode: code,
    quoteCode: code,
    basePrecision: decimals,
    quotePrecision: decimals,
    baseFraction: decimals,
    quoteFraction: decimals,
    makerRate: rate,
    takerRate: rate,
    minTotal: positiveAmount,
    minQuantity: lots,
    selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
    openOrdersMax: arbitraryUint,
    levelsMax: arbitraryUint,
    state: fc.constantFrom(...SYMBOL_STATES),
    roundingAccountId: accountId,
  })
  .map((symbol) => ({ ...symbol, name: `${symbol.baseCode}/${symbol.quoteCode}` }))
const arbitrarySymbol: fc.Arbitrary<TradingSymbol> = amended(listedSymbol, {
  priceBand: fc
    .tuple(positive, positive)
    .map(([a, b]) => ({ min: Math.min(a, b) as Price, max: Math.max(a, b) as Price })),
  increments: fc
    .tuple(positive, positive)
    .filter(([tick, step]) => tick > 1 || step > 1)
    .map(([tick, step]) => ({ tickSize: tick as Price, stepSize: step as Lots })),
  binanceName: fc.stringMatching(/^[A-Z0-9]{1,32}$/),
})

const openedAccount = fc.record({
  id: accountId,
  name,
  role: fc.constantFrom('outside' as const, 'fees' as const, 'rounding' as const, 'trader' as const),
  createdAt: time,
})
const operatorsAccount: fc.Arbitrary<Account> = amended(openedAccount, {
  restrictions: fc.subarray([...ACCOUNT_RESTRICTIONS], { minLength: 1 }),
  isClosed: fc.constant(true as const),
  feeTier: name,
  openOrdersMax: positive,
  customer: fc.record({ epoch: fc.nat(), isForgotten: fc.boolean() }),
})
const arbitraryAccount: fc.Arbitrary<Account> = fc
  .record({
    account: operatorsAccount,
    added: maybe(fc.subarray([...ACCOUNT_RESTRICTIONS], { minLength: 1 })),
  })
  .map(({ account, added }) =>
    added === undefined ? account : restrictedAccount(account, 'CUSTOMER', added),
  )

const madeApiKey = fc.record({
  apiKey: name,
  accountId,
  sealedSecret: fc.uint8Array({ minLength: 1, maxLength: 80 }),
  permissions: fc.subarray([...PERMISSIONS]),
  addresses: fc.array(name, { maxLength: 4 }),
  label: arbitraryText,
  createdAt: time,
  enabled: fc.boolean(),
})
const secretKey: fc.Arbitrary<ApiKey> = amended(madeApiKey, {
  expiresAt: positive as fc.Arbitrary<TimeMs>,
  isRevoked: fc.constant(true as const),
  previousSecret: fc.record({
    sealedSecret: fc.uint8Array({ maxLength: 80 }),
    until: positive as fc.Arbitrary<TimeMs>,
  }),
  strictSignature: fc.constant(true as const),
})
const pairKey = fc
  .record({ key: secretKey, publicKey: fc.uint8Array({ minLength: 32, maxLength: 32 }) })
  .map(({ key: { previousSecret: _, ...key }, publicKey }): ApiKey => {
    return { ...key, sealedSecret: NO_SECRET, publicKey, strictSignature: true }
  })
const arbitraryApiKey: fc.Arbitrary<ApiKey> = fc
  .record({ key: fc.oneof(secretKey, pairKey), isBinance: fc.boolean(), endedAt: maybe(time) })
  .map(({ key, isBinance, endedAt }): ApiKey => {
    const ended = key.isRevoked && endedAt !== undefined ? { ...key, endedAt } : key
    if (!isBinance) return ended
    const { strictSignature: _, ...rest } = ended
    return { ...rest, wire: 'BINANCE', permissions: key.permissions.filter((one) => one !== 'WITHDRAW') }
  })
/** An element of a list of keys: an API key, with its number if it has one. */
const listedApiKey: fc.Arbitrary<ApiKey> = fc
  .record({ key: arbitraryApiKey, number: maybe(fc.integer({ min: 2, max: 20_000 })) })
  .map(({ key, number }) => (number === undefined ? key : { ...key, number: number as ids.KeyNumber }))

const party: fc.Arbitrary<TradeParty> = fc.record({
  accountId,
  orderNumber,
  orderTime: time,
  total: amount,
  commission: amount,
})

function kind<K extends string>(word: K): fc.Arbitrary<K> {
  return fc.constant(word)
}

const listNumber = arbitraryUint as fc.Arbitrary<ids.ListNumber>
const inList = maybe(fc.record({ listNumber, role: fc.constantFrom(...LIST_ROLES) }))

const hasReason = (cause: CancelCause) => cause === 'TRIGGER_REFUSED' || cause === 'PENDING_REFUSED'

const phaseChange = fc.record({
  phase: fc.constantFrom(...EXCHANGE_PHASES),
  at: arbitraryUint as fc.Arbitrary<TimeMs>,
  actor: arbitraryText,
  note: arbitraryText,
})
/** The phases of the exchange in read models. */
export const arbitraryPhases: fc.Arbitrary<ExchangePhases> = fc.record({
  current: phaseChange,
  planned: fc.array(phaseChange, { maxLength: 4 }),
})

/** One arbitrary per kind of event: a new kind does not compile before it is here. */
export const arbitraryEventByKind: {
  readonly [K in ExchangeEvent['kind']]: fc.Arbitrary<Extract<ExchangeEvent, { readonly kind: K }>>
} = {
  PhasesChanged: fc.record({ kind: kind('PhasesChanged'), phases: arbitraryPhases }),
  ApprovalGiven: fc.record({
    kind: kind('ApprovalGiven'),
    approval: arbitraryGivenApproval,
    by: arbitraryText,
  }),
  RoleChanged: fc.record({ kind: kind('RoleChanged'), role: arbitraryRole }),
  RoleLimitChanged: fc.record({ kind: kind('RoleLimitChanged'), limit: arbitraryRoleLimit }),
  ApprovalsNeededChanged: fc.record({
    kind: kind('ApprovalsNeededChanged'),
    approvals: arbitraryApprovalsNeeded,
  }),
  RulesVersionChanged: fc.record({ kind: kind('RulesVersionChanged'), version: rulesVersion }),
  AssetChanged: fc.record({ kind: kind('AssetChanged'), asset: arbitraryAsset }),
  SymbolChanged: fc.record({ kind: kind('SymbolChanged'), symbol: arbitrarySymbol }),
  AccountCreated: fc.record({ kind: kind('AccountCreated'), account: arbitraryAccount }),
  ApiKeyChanged: fc.record({ kind: kind('ApiKeyChanged'), apiKey: arbitraryApiKey }),
  ApiKeyRemoved: fc.record({ kind: kind('ApiKeyRemoved'), accountId, apiKey: name }),
  OrderPlaced: fc.record({
    kind: kind('OrderPlaced'),
    symbolId,
    accountId,
    orderNumber,
    keyNumber,
    time,
    side,
    type: fc.constantFrom(...ORDER_TYPES),
    timeInForce: maybe(fc.constantFrom(...TIMES_IN_FORCE)),
    price: maybe(price),
    quantity: maybe(lots),
    total: maybe(amount),
    icebergQuantity: maybe(lots),
    stopPrice: maybe(price),
    trailingDelta: maybe(trailingDelta),
    expireTime: maybe(time),
    selfTradeMode: fc.constantFrom(...SELF_TRADE_MODES),
    clientOrderId: maybe(arbitraryText),
    inList,
  }),
  OrderActivated: fc.record({
    kind: kind('OrderActivated'),
    symbolId,
    accountId,
    orderNumber,
    time,
    side,
    quantity: maybe(lots),
    total: maybe(amount),
  }),
  OrderTriggered: fc.record({
    kind: kind('OrderTriggered'),
    symbolId,
    accountId,
    orderNumber,
    time,
    side,
  }),
  OrdersMatched: fc.record({
    kind: kind('OrdersMatched'),
    symbolId,
    tradeNumber: arbitraryUint as fc.Arbitrary<ids.TradeNumber>,
    symbolTrade: arbitraryUint,
    time,
    price,
    quantity: lots,
    takerSide: side,
    maker: party,
    taker: party,
  }),
  OrderCanceled: fc
    .record({
      kind: kind('OrderCanceled'),
      symbolId,
      accountId,
      orderNumber,
      side,
      quantity: lots,
      cause: fc.constantFrom(...CANCEL_CAUSES),
      reason: fc.constantFrom(...CORE_REASONS),
    })
    .map(({ reason, ...canceled }) => (hasReason(canceled.cause) ? { ...canceled, reason } : canceled)),
  OrderDecremented: fc.record({
    kind: kind('OrderDecremented'),
    symbolId,
    accountId,
    orderNumber,
    side,
    quantity: lots,
  }),
  OrderAmended: fc.record({
    kind: kind('OrderAmended'),
    symbolId,
    accountId,
    orderNumber,
    side,
    quantity: lots,
    remaining: lots,
  }),
  LevelChanged: fc.record({ kind: kind('LevelChanged'), symbolId, side, price, quantity: arbitraryBigint }),
  ExternalTransfer: fc.record({
    kind: kind('ExternalTransfer'),
    accountId,
    assetId,
    amount,
    reference: arbitraryText,
  }),
  BalanceMoved: fc.record({
    kind: kind('BalanceMoved'),
    accountId,
    assetId,
  }),
  AccountChanged: fc.record({ kind: kind('AccountChanged'), account: arbitraryAccount }),
  FeeTierChanged: fc.record({ kind: kind('FeeTierChanged'), feeTier: arbitraryFeeTier }),
  AdminTokenChanged: fc.record({ kind: kind('AdminTokenChanged'), token: arbitraryToken }),
  AddressBanned: fc.record({ kind: kind('AddressBanned'), ban: arbitraryBan }),
  BanLifted: fc.record({ kind: kind('BanLifted'), address: arbitraryText }),
  WithdrawalChanged: fc.record({
    kind: kind('WithdrawalChanged'),
    withdrawal: fc.oneof(arbitraryWithdrawal, arbitraryAskedWithdrawal),
  }),
  WithdrawalHandled: fc.record({ kind: kind('WithdrawalHandled'), handling: arbitraryHandling }),
  WithdrawalAddressChanged: fc.record({
    kind: kind('WithdrawalAddressChanged'),
    address: arbitraryAddress,
    isAllowed: fc.boolean(),
  }),
  ApprovalChanged: fc.record({
    kind: kind('ApprovalChanged'),
    approval: arbitraryApproval,
    state: fc.constantFrom(...APPROVAL_STATES),
  }),
}

/** Any event, each kind equally often. */
export const arbitraryEvent: fc.Arbitrary<ExchangeEvent> = fc.oneof(...Object.values(arbitraryEventByKind))

export const arbitraryOpenOrder: fc.Arbitrary<OpenOrder> = fc.record({
  orderNumber,
  time,
  accountId,
  keyNumber,
  symbolId,
  side,
  price,
  quantity: lots,
  askedQuantity: maybe(lots),
  executedQuantity: lots,
  executedNotional: arbitraryBigint.map(notional),
  commission: amount,
  remaining: lots,
  type: fc.constantFrom(...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  selfTradeMode: maybe(fc.constantFrom(...SELF_TRADE_MODES)),
  updatedAt: time,
  stop: maybe(arbitraryStop),
  clientOrderId: maybe(arbitraryText),
  icebergQuantity: maybe(lots.filter((quantity) => quantity > 0)),
  expireTime: maybe(time.filter((at) => at > 0)),
  inList,
  isPending: fc.boolean(),
})

const arbitraryPlace: fc.Arbitrary<OpenOrdersPlace | undefined> = maybe(
  fc.record({
    before: arbitraryUint as fc.Arbitrary<OpenOrdersPlace['before']>,
    at: arbitraryUint as fc.Arbitrary<OpenOrdersPlace['at']>,
  }),
)

export const arbitraryOpenOrdersPage: fc.Arbitrary<OpenOrdersPage> = fc.record({
  orders: fc.array(arbitraryOpenOrder, { maxLength: 5 }),
  total: arbitraryUint,
  next: arbitraryPlace,
})

export const arbitraryOpenOrdersQuery: fc.Arbitrary<OpenOrdersQuery> = fc.record({
  accountId,
  symbolId: maybe(fc.nat() as fc.Arbitrary<NonNullable<OpenOrdersQuery['symbolId']>>),
  after: arbitraryPlace,
})

export const arbitraryClientOrderQuery: fc.Arbitrary<ClientOrderQuery> = fc.record({
  accountId,
  clientOrderId: arbitraryText,
})

export const arbitraryClientOrderAnswer: fc.Arbitrary<ClientOrderAnswer> = fc.record({
  order: maybe(fc.record({ orderNumber, time, symbolId, isOpen: fc.boolean() })),
  time,
})

const arbitraryTestedFill: fc.Arbitrary<TestedFill> = fc.record({
  price: arbitraryUint as fc.Arbitrary<Price>,
  quantity: arbitraryUint as fc.Arbitrary<Lots>,
  total: amount,
  commission: amount,
})

export const arbitraryTestedOrder: fc.Arbitrary<TestedOrder> = fc.oneof(
  fc.record({ kind: fc.constant('Refused' as const), reason: fc.constantFrom(...CORE_REASONS) }),
  fc.record({ kind: fc.constant('OrderRepeated' as const), ...acceptance }),
  fc.record({
    kind: fc.constant('Tested' as const),
    status: fc.constantFrom(...ORDER_STATUSES),
    cause: maybe(fc.constantFrom(...CANCEL_CAUSES)),
    executedQuantity: arbitraryUint as fc.Arbitrary<Lots>,
    executedNotional: arbitraryBigint.map(notional),
    total: amount,
    commission: amount,
    hold: amount,
    fillCount: arbitraryUint,
    fills: fc.array(arbitraryTestedFill, { maxLength: 4 }),
  }),
)

export const arbitraryBalance: fc.Arbitrary<Balance> = fc.record({
  assetId,
  free: amount,
  locked: amount,
  freeze: amount,
  savings: amount,
})

const levels = fc.array(fc.record({ price, quantity: arbitraryBigint }), { maxLength: 5 })
const book: fc.Arbitrary<BookView> = fc.record({ symbolId, sell: levels, buy: levels })

const usedBootstrap = fc.record({
  seq: arbitraryUint as fc.Arbitrary<Seq>,
  time,
  rulesVersion,
  assets: fc.array(arbitraryAsset, { maxLength: 1 }),
  symbols: fc.array(arbitrarySymbol, { maxLength: 1 }),
  accounts: fc.array(arbitraryAccount, { maxLength: 1 }),
  apiKeys: fc.array(listedApiKey, { maxLength: 1 }),
  books: fc.array(book, { maxLength: 1 }),
})

const rights = fc
  .record({
    roles: fc.array(arbitraryRole, { maxLength: 1 }),
    limits: fc.array(arbitraryRoleLimit, { maxLength: 1 }),
    approvalsNeeded: fc.array(arbitraryApprovalsNeeded, { maxLength: 1 }),
  })
  .filter((lists) => Object.values(lists).some((list) => list.length > 0))

const usedBackOffice = fc.record({
  feeTiers: fc.array(arbitraryFeeTier, { maxLength: 1 }),
  tokens: fc.array(arbitraryToken, { maxLength: 1 }),
  bans: fc.array(arbitraryBan, { maxLength: 1 }),
  withdrawals: fc.array(fc.oneof(arbitraryWithdrawal, arbitraryAskedWithdrawal), { maxLength: 1 }),
  approvals: fc.array(fc.oneof(arbitraryApproval, arbitraryGivenApproval), { maxLength: 1 }),
})
const backOffice = amended(usedBackOffice, {
  rights,
  handlings: fc.array(arbitraryHandling, { minLength: 1, maxLength: 2 }),
})

export const arbitraryBootstrap: fc.Arbitrary<Bootstrap> = amended(usedBootstrap, {
  backOffice,
  phases: arbitraryPhases,
})
