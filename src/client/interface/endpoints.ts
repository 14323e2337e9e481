/** Every endpoint: how it is asked, what it takes and answers. Made by `npm run schemas` from src/wire/schemas: change it there. */
import type { Endpoint, NoMembers } from '../values.ts'
import type {
  AccountCommission,
  AccountLimits,
  AssetFree,
  BookTicker,
  Candle,
  DayTicker,
  Deposit,
  Depth,
  ExchangeInfo,
  LedgerPage,
  PriceTicker,
  RecentTrade,
  SignatureReport,
  SymbolRules,
  TradeHistory,
  Wallet,
  Withdrawal,
  WithdrawalAddress,
} from './answers.ts'
import type {
  ActiveOrder,
  Done,
  ErrorBody,
  FillPage,
  Order,
  OrderList,
  OrderPage,
  Placed,
  RepeatedOrder,
  Replacement,
  TestedOrder,
} from './orders.ts'
import type {
  AccountCommissionParameters,
  AccountLedgerParameters,
  AccountLimitsParameters,
  AccountPositionsParameters,
  ActiveOrdersParameters,
  AddWithdrawalAddressParameters,
  AllOrdersParameters,
  AmendOrderParameters,
  AskWithdrawalParameters,
  BookTickerParameters,
  CancelOrderListParameters,
  CancelOrderParameters,
  CancelWithdrawalParameters,
  CountdownParameters,
  DayTickerParameters,
  DepositHistoryParameters,
  DepthParameters,
  ExchangeInfoParameters,
  KlinesParameters,
  MassCancelParameters,
  MyTradesParameters,
  NewOcoParameters,
  NewOrderParameters,
  NewOtocoParameters,
  NewOtoParameters,
  OpenOrdersParameters,
  OrderBatchParameters,
  OrderListParameters,
  OrderParameters,
  PingParameters,
  PriceTickerParameters,
  RemoveWithdrawalAddressParameters,
  ReplaceOrderParameters,
  SignatureCheckParameters,
  SymbolRulesParameters,
  TestOrderParameters,
  TimeParameters,
  TradeHistoryParameters,
  TradesParameters,
  WalletBalanceParameters,
  WithdrawalAddressesParameters,
  WithdrawalHistoryParameters,
} from './parameters.ts'
import type { PositionList } from './positions.ts'

export const ENDPOINTS = {
  ping: { method: 'GET', path: '/ping', security: 'NONE', isExtension: true, isEnveloped: true },
  time: { method: 'GET', path: '/time', security: 'NONE', isExtension: true, isEnveloped: true },
  signatureCheck: {
    method: 'POST',
    path: '/signature/check',
    security: 'KEY',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  exchangeInfo: { method: 'GET', path: '/exchangeInfo', security: 'NONE', numbers: ['commission'] },
  symbolRules: {
    method: 'GET',
    path: '/exchangeInfo/rules',
    security: 'NONE',
    isExtension: true,
    isEnveloped: true,
  },
  depth: { method: 'GET', path: '/depth', security: 'USER_DATA', numbers: ['*'] },
  trades: { method: 'GET', path: '/trades', security: 'USER_DATA', numbers: ['price', 'quantity'] },
  klines: { method: 'GET', path: '/klines', security: 'NONE', isExtension: true, isEnveloped: true },
  dayTicker: { method: 'GET', path: '/ticker/24hr', security: 'NONE', isExtension: true, isEnveloped: true },
  priceTicker: {
    method: 'GET',
    path: '/ticker/price',
    security: 'NONE',
    isExtension: true,
    isEnveloped: true,
  },
  bookTicker: {
    method: 'GET',
    path: '/ticker/bookTicker',
    security: 'NONE',
    isExtension: true,
    isEnveloped: true,
  },
  newOrder: {
    method: 'POST',
    path: '/order',
    security: 'TRADE',
    isForm: true,
    isEnveloped: true,
    numbers: ['price', 'qty', 'total'],
  },
  cancelOrder: { method: 'DELETE', path: '/order', security: 'TRADE', isEnveloped: true },
  activeOrders: { method: 'GET', path: '/order/active', security: 'TRADE' },
  testOrder: {
    method: 'POST',
    path: '/order/test',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  orderBatch: {
    method: 'POST',
    path: '/order/batch',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
    numbers: ['price', 'qty', 'total'],
  },
  replaceOrder: {
    method: 'POST',
    path: '/order/cancelReplace',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
    numbers: ['price', 'qty', 'total'],
  },
  amendOrder: {
    method: 'PUT',
    path: '/order/amend/keepPriority',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  order: { method: 'GET', path: '/order', security: 'TRADE', isExtension: true, isEnveloped: true },
  openOrders: { method: 'GET', path: '/openOrders', security: 'TRADE', isExtension: true, isEnveloped: true },
  allOrders: { method: 'GET', path: '/allOrders', security: 'TRADE', isExtension: true, isEnveloped: true },
  massCancel: {
    method: 'DELETE',
    path: '/openOrders',
    security: 'TRADE',
    isExtension: true,
    isEnveloped: true,
  },
  countdown: {
    method: 'POST',
    path: '/countdownCancelAll',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  newOco: {
    method: 'POST',
    path: '/orderList/oco',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  newOto: {
    method: 'POST',
    path: '/orderList/oto',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  newOtoco: {
    method: 'POST',
    path: '/orderList/otoco',
    security: 'TRADE',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  orderList: { method: 'GET', path: '/orderList', security: 'TRADE', isExtension: true, isEnveloped: true },
  cancelOrderList: {
    method: 'DELETE',
    path: '/orderList',
    security: 'TRADE',
    isExtension: true,
    isEnveloped: true,
  },
  walletBalance: { method: 'GET', path: '/wallet/balance', security: 'WALLET', isEnveloped: true },
  tradeHistory: { method: 'GET', path: '/order/trade/history', security: 'TRADE' },
  myTrades: { method: 'GET', path: '/myTrades', security: 'TRADE', isExtension: true, isEnveloped: true },
  accountLedger: {
    method: 'GET',
    path: '/account/ledger',
    security: 'WALLET',
    isExtension: true,
    isEnveloped: true,
  },
  accountCommission: {
    method: 'GET',
    path: '/account/commission',
    security: 'TRADE',
    isExtension: true,
    isEnveloped: true,
  },
  accountLimits: {
    method: 'GET',
    path: '/account/limits',
    security: 'TRADE',
    isExtension: true,
    isEnveloped: true,
  },
  accountPositions: {
    method: 'GET',
    path: '/account/positions',
    security: 'WALLET',
    isExtension: true,
    isEnveloped: true,
  },
  askWithdrawal: {
    method: 'POST',
    path: '/capital/withdraw/apply',
    security: 'WITHDRAW',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  cancelWithdrawal: {
    method: 'DELETE',
    path: '/capital/withdraw/apply',
    security: 'WITHDRAW',
    isExtension: true,
    isEnveloped: true,
  },
  addWithdrawalAddress: {
    method: 'POST',
    path: '/capital/withdraw/address',
    security: 'WITHDRAW',
    isForm: true,
    isExtension: true,
    isEnveloped: true,
  },
  removeWithdrawalAddress: {
    method: 'DELETE',
    path: '/capital/withdraw/address',
    security: 'WITHDRAW',
    isExtension: true,
    isEnveloped: true,
  },
  withdrawalAddresses: {
    method: 'GET',
    path: '/capital/withdraw/address/list',
    security: 'WALLET',
    isExtension: true,
    isEnveloped: true,
  },
  withdrawalHistory: {
    method: 'GET',
    path: '/capital/withdraw/history',
    security: 'WALLET',
    isExtension: true,
    isEnveloped: true,
  },
  depositHistory: {
    method: 'GET',
    path: '/capital/deposit/hisrec',
    security: 'WALLET',
    isExtension: true,
    isEnveloped: true,
  },
} as const satisfies Readonly<Record<string, Endpoint>>

/** What each takes. */
export type ParametersOf = {
  readonly ping: PingParameters
  readonly time: TimeParameters
  readonly signatureCheck: SignatureCheckParameters
  readonly exchangeInfo: ExchangeInfoParameters
  readonly symbolRules: SymbolRulesParameters
  readonly depth: DepthParameters
  readonly trades: TradesParameters
  readonly klines: KlinesParameters
  readonly dayTicker: DayTickerParameters
  readonly priceTicker: PriceTickerParameters
  readonly bookTicker: BookTickerParameters
  readonly newOrder: NewOrderParameters
  readonly cancelOrder: CancelOrderParameters
  readonly activeOrders: ActiveOrdersParameters
  readonly testOrder: TestOrderParameters
  readonly orderBatch: OrderBatchParameters
  readonly replaceOrder: ReplaceOrderParameters
  readonly amendOrder: AmendOrderParameters
  readonly order: OrderParameters
  readonly openOrders: OpenOrdersParameters
  readonly allOrders: AllOrdersParameters
  readonly massCancel: MassCancelParameters
  readonly countdown: CountdownParameters
  readonly newOco: NewOcoParameters
  readonly newOto: NewOtoParameters
  readonly newOtoco: NewOtocoParameters
  readonly orderList: OrderListParameters
  readonly cancelOrderList: CancelOrderListParameters
  readonly walletBalance: WalletBalanceParameters
  readonly tradeHistory: TradeHistoryParameters
  readonly myTrades: MyTradesParameters
  readonly accountLedger: AccountLedgerParameters
  readonly accountCommission: AccountCommissionParameters
  readonly accountLimits: AccountLimitsParameters
  readonly accountPositions: AccountPositionsParameters
  readonly askWithdrawal: AskWithdrawalParameters
  readonly cancelWithdrawal: CancelWithdrawalParameters
  readonly addWithdrawalAddress: AddWithdrawalAddressParameters
  readonly removeWithdrawalAddress: RemoveWithdrawalAddressParameters
  readonly withdrawalAddresses: WithdrawalAddressesParameters
  readonly withdrawalHistory: WithdrawalHistoryParameters
  readonly depositHistory: DepositHistoryParameters
}

/** What each answers, without the envelope. */
export type AnswerOf = {
  readonly ping: NoMembers
  readonly time: {
    /** Milliseconds since 1970-01-01 UTC. */
    readonly serverTime: number
  }
  readonly signatureCheck: SignatureReport
  readonly exchangeInfo: ExchangeInfo
  readonly symbolRules: SymbolRules
  readonly depth: Depth
  readonly trades: readonly RecentTrade[]
  readonly klines: readonly Candle[]
  readonly dayTicker: DayTicker | readonly DayTicker[]
  readonly priceTicker: PriceTicker | readonly PriceTicker[]
  readonly bookTicker: BookTicker | readonly BookTicker[]
  readonly newOrder: Placed
  readonly cancelOrder: Done
  readonly activeOrders: readonly ActiveOrder[]
  readonly testOrder: TestedOrder | RepeatedOrder
  readonly orderBatch: readonly {
    /** HTTP status of this operation. */
    readonly status: number
    readonly body: Placed | Done | ErrorBody
    readonly repeated?: true | undefined
  }[]
  readonly replaceOrder: Replacement
  readonly amendOrder: Order
  readonly order: Order
  readonly openOrders: readonly Order[]
  readonly allOrders: OrderPage
  readonly massCancel: {
    readonly symbol?: string | undefined
    /** Orders that have ended by now. */
    readonly canceled: number
    /** Orders that are still to end. */
    readonly left: number
  }
  readonly countdown: {
    readonly symbol?: string | undefined
    /** A whole number. */
    readonly countdownTime: number
    /** When it ends; absent with 0. */
    readonly triggerAt?: number | undefined
  }
  readonly newOco: OrderList
  readonly newOto: OrderList
  readonly newOtoco: OrderList
  readonly orderList: OrderList
  readonly cancelOrderList: OrderList
  readonly walletBalance: Wallet | AssetFree
  readonly tradeHistory: TradeHistory
  readonly myTrades: FillPage
  readonly accountLedger: LedgerPage
  readonly accountCommission: AccountCommission | readonly AccountCommission[]
  readonly accountLimits: AccountLimits
  readonly accountPositions: PositionList
  readonly askWithdrawal: {
    readonly id: string
    /** Milliseconds since 1970-01-01 UTC. */
    readonly createdAt: number
  }
  readonly cancelWithdrawal: Done
  readonly addWithdrawalAddress: {
    /** Milliseconds since 1970-01-01 UTC. */
    readonly usableAt: number
  }
  readonly removeWithdrawalAddress: Done
  readonly withdrawalAddresses: {
    readonly addresses: readonly WithdrawalAddress[]
  }
  readonly withdrawalHistory: {
    readonly withdrawals: readonly Withdrawal[]
    /** before of the request that goes on; absent at the end. */
    readonly next?: string | undefined
  }
  readonly depositHistory: {
    readonly deposits: readonly Deposit[]
    /** before of the request that goes on; absent at the end. */
    readonly next?: string | undefined
  }
}
