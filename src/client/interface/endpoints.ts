/**
 * What every endpoint takes and answers. Made by `npm run schemas` from src/contract/publish:
 * change it there.
 */
import type { NoMembers } from '../values.ts'
import type {
  AccountCommission,
  AccountLimits,
  AggregateTrade,
  AssetFree,
  BookTicker,
  Candle,
  DayTicker,
  Deposit,
  Depth,
  ExchangeInfo,
  LedgerPage,
  NumberedTrade,
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
import type { PositionList } from './positions.ts'
import type {
  AccountCommissionParameters,
  AccountLedgerParameters,
  AccountLimitsParameters,
  AccountPositionsParameters,
  ActiveOrdersParameters,
  AddWithdrawalAddressParameters,
  AggTradesParameters,
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
  HistoricalTradesParameters,
  KlinesParameters,
  MassCancelParameters,
  MyTradesParameters,
  NewOcoParameters,
  NewOrderParameters,
  NewOtoParameters,
  NewOtocoParameters,
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

/** What each takes. */
export type ParametersOf = {
  readonly ping: PingParameters
  readonly time: TimeParameters
  readonly signatureCheck: SignatureCheckParameters
  readonly exchangeInfo: ExchangeInfoParameters
  readonly symbolRules: SymbolRulesParameters
  readonly depth: DepthParameters
  readonly trades: TradesParameters
  readonly historicalTrades: HistoricalTradesParameters
  readonly aggTrades: AggTradesParameters
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
  readonly historicalTrades: readonly NumberedTrade[]
  readonly aggTrades: readonly AggregateTrade[]
  readonly klines: readonly Candle[]
  readonly dayTicker: DayTicker | readonly DayTicker[]
  readonly priceTicker: PriceTicker | readonly PriceTicker[]
  readonly bookTicker: BookTicker | readonly BookTicker[]
  readonly newOrder: Placed
  readonly cancelOrder: Order
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
