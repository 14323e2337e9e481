/** Every request that the exchange takes over HTTP, as types: one method for each endpoint, named as in the OpenAPI document. */
import type { BatchRow } from './http/batches.ts'
import type { CallOptions } from './http/caller.ts'
import type { Attempted, Fate } from './http/placements.ts'
import type {
  AccountCommission,
  AssetFree,
  BookTicker,
  DayTicker,
  LedgerPage,
  PriceTicker,
  Wallet,
} from './interface/answers.ts'
import type { AnswerOf, ParametersOf } from './interface/endpoints.ts'
import type { CreatedOrder, FilledOrder, Order, OrderList, Replacement } from './interface/orders.ts'
import type { CancelOrderParameters, NewOrderParameters } from './interface/parameters.ts'

export type EndpointId = keyof ParametersOf

/** Of a call that places something. */
export type PlaceOptions = CallOptions & {
  /** False: what was lost, and is final never to be placed, is not sent again by itself; the error says NOT_DONE. True unless said otherwise. */
  readonly sendAgain?: boolean | undefined
  /** Told before each attempt is sent what it can be asked for by (`resolveOrder`, `resolveOrderList`), for a program that may end before the answer comes. */
  readonly onAttempt?: ((attempted: Attempted) => void) | undefined
}

export type PlacedOrder<As> = {
  readonly order: As
  /** The one that was given, or that the client has made. */
  readonly clientOrderId: string
  /** It was placed by an attempt before: this is the answer of then. */
  readonly isRepeated: boolean
}

export type ReplacedOrder = {
  readonly replacement: Replacement
  readonly clientOrderId: string
  readonly isRepeated: boolean
}

/** An operation of a batch. */
export type BatchOperation =
  | ({ readonly method: 'POST' } & NewOrderParameters)
  | ({ readonly method: 'DELETE' } & CancelOrderParameters)

type LedgerParameters = Omit<ParametersOf['accountLedger'], 'format'>

/** With a symbol one object, without it those of all symbols. */
type OneOrAll<One> = {
  (parameters: { readonly symbol: string }, options?: CallOptions): Promise<One>
  (parameters?: { readonly symbol?: undefined }, options?: CallOptions): Promise<readonly One[]>
}

type PlacedWith<ResponseType> = NewOrderParameters &
  (ResponseType extends undefined
    ? { readonly newOrderRespType?: undefined }
    : { readonly newOrderRespType: ResponseType })

/** Those whose types say more than the table of endpoints. */
type Refined = {
  readonly priceTicker: OneOrAll<PriceTicker>
  readonly bookTicker: OneOrAll<BookTicker>
  readonly dayTicker: OneOrAll<DayTicker>
  readonly accountCommission: OneOrAll<AccountCommission>
  readonly walletBalance: {
    (parameters: { readonly code: string }, options?: CallOptions): Promise<AssetFree>
    (parameters?: { readonly code?: undefined }, options?: CallOptions): Promise<Wallet>
  }
  /** `order` is of the type that `newOrderRespType` asks for. */
  readonly newOrder: {
    (parameters: PlacedWith<'FULL'>, options?: PlaceOptions): Promise<PlacedOrder<FilledOrder>>
    (parameters: PlacedWith<'RESULT'>, options?: PlaceOptions): Promise<PlacedOrder<Order>>
    (parameters: PlacedWith<undefined>, options?: PlaceOptions): Promise<PlacedOrder<CreatedOrder>>
  }
  readonly replaceOrder: (
    parameters: ParametersOf['replaceOrder'],
    options?: PlaceOptions,
  ) => Promise<ReplacedOrder>
  readonly newOco: Placing<'newOco'>
  readonly newOto: Placing<'newOto'>
  readonly newOtoco: Placing<'newOtoco'>
  /** Done when it resolves. */
  readonly cancelOrder: (parameters: CancelOrderParameters, options?: CallOptions) => Promise<void>
  readonly orderBatch: (
    parameters: { readonly operations: readonly BatchOperation[] },
    options?: CallOptions,
  ) => Promise<readonly BatchRow[]>
  /** With an id of your own, which you have also where your program ends before the answer comes: asked again under it, nothing leaves twice. */
  readonly askWithdrawal: (
    parameters: ParametersOf['askWithdrawal'] & { readonly withdrawOrderId: string },
    options?: CallOptions,
  ) => Promise<AnswerOf['askWithdrawal']>
  readonly accountLedger: (parameters?: LedgerParameters, options?: CallOptions) => Promise<LedgerPage>
  /** What the server says of a signature of these parameters, whatever they are. */
  readonly signatureCheck: (
    parameters?: Readonly<Record<string, string | number>>,
    options?: CallOptions,
  ) => Promise<AnswerOf['signatureCheck']>
}

type Placing<Id extends 'newOco' | 'newOto' | 'newOtoco'> = (
  parameters: ParametersOf[Id],
  options?: PlaceOptions,
) => Promise<OrderList>

type Plain = {
  readonly [Id in Exclude<EndpointId, keyof Refined>]: Record<never, never> extends ParametersOf[Id]
    ? (parameters?: ParametersOf[Id], options?: CallOptions) => Promise<AnswerOf[Id]>
    : (parameters: ParametersOf[Id], options?: CallOptions) => Promise<AnswerOf[Id]>
}

/** One method for each endpoint. */
export type Requests = Plain & Refined

/** Beside the endpoints. */
export type Helpers = {
  /** What became of an order that was sent under a client order id. */
  readonly resolveOrder: (attempted: Attempted, options?: CallOptions) => Promise<Fate<Order>>
  readonly resolveOrderList: (attempted: Attempted, options?: CallOptions) => Promise<Fate<OrderList>>
  /** The ledger as a table, to be kept; `next` is `before` of the request that goes on. */
  readonly accountLedgerCsv: (
    parameters?: LedgerParameters,
    options?: CallOptions,
  ) => Promise<{ readonly csv: string; readonly next?: string | undefined }>
}
