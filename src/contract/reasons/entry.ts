/**
 * The catalogue's entry for one reason, and the small functions that create entries. `when` and `remedy` are
 * the cells of the reference's tables, including links.
 */
import type { Localised } from '../language.ts'

/** The codes of docs/reference/errors.md#codes-and-statuses: validation, unreadable body, unavailable. */
export type ErrorCode = '4001' | '4004' | '0014'

/**
 * Where a reason can appear: an answer over HTTP, the stream, an answer of the admin server, the output of
 * `bourse`, an answer to a customer under `/account`.
 */
export type Place = 'http' | 'stream' | 'admin' | 'command line' | 'account'

type Described = {
  readonly at: readonly Place[]
  /** Text for people; `{name}` is replaced by the argument with that name. */
  readonly en: string
  /** The case in which it occurs. */
  readonly when: string
  /** The step with which the caller can resolve it. */
  readonly remedy: string
}

/**
 * How many orders a reason refuses. EVERYBODY: possibly all, without a word of its own in health.
 * EVERYBODY_BY_A_WORD: all, reported by health with a word of its own (one of `contract/api/order-stops.ts`,
 * or the node's phase). SOME: only those of one caller, one symbol or one time.
 */
export type Refused = 'EVERYBODY' | 'EVERYBODY_BY_A_WORD' | 'SOME'

/**
 * Kinds of requests with common reasons: any request; requests with parameters, a body, a key, a signature
 * (for which the answer to an unusable key is more precise); queries to the engine or the history
 * (`READING`), potentially long lists, commands, decimals, parameters that other exchanges have (`FOREIGN`),
 * placed or tested orders, and so on. Kinds that include the reasons of others:
 * `contract/endpoints/reasons.ts`.
 */
export type RequestKind =
  | 'ANY'
  | 'PARAMETERS'
  | 'BODY'
  | 'KEY'
  | 'SIGNATURE'
  | 'READING'
  | 'LONG'
  | 'COMMAND'
  | 'DECIMALS'
  | 'FOREIGN'
  | 'PLACEMENT'
  | 'ORDER'
  | 'PLACED_ORDER'
  | 'ORDER_LIST'
  | 'CANCEL'
  | 'AMENDMENT'

/**
 * Names of ccxt's error classes. `RequestTimeout` means that the request may or may not have been carried
 * out, and it is the only error with that meaning.
 */
export type CcxtError =
  | 'AuthenticationError'
  | 'AccountSuspended'
  | 'AccountNotEnabled'
  | 'PermissionDenied'
  | 'InvalidNonce'
  | 'BadRequest'
  | 'InvalidAddress'
  | 'AddressPending'
  | 'BadSymbol'
  | 'NotSupported'
  | 'InsufficientFunds'
  | 'InvalidOrder'
  | 'OrderNotFound'
  | 'OrderImmediatelyFillable'
  | 'OrderNotFillable'
  | 'DuplicateOrderId'
  | 'OperationRejected'
  | 'MarketClosed'
  | 'OnMaintenance'
  | 'RequestTimeout'
  | 'NetworkError'
  | 'DDoSProtection'
  | 'RateLimitExceeded'
  | 'ExchangeNotAvailable'

/** Reasons for clients of the trading interface. */
export type PublicReasonEntry = Described & {
  readonly code: ErrorCode
  /** HTTP status of the answer. */
  readonly status: number
  readonly refuses: Refused
  /** HTTP status of the admin server's answer, if it differs. */
  readonly adminStatus?: number
  readonly tr: string
  /** The matching ccxt error. */
  readonly ccxt: CcxtError
  /** Kinds of requests that it refuses. Endpoints add their own. */
  readonly requests?: readonly RequestKind[]
}

/** Reasons of the admin server only. */
export type OperatorReasonEntry = Described & { readonly status: number }

/** A reason that only customers receive, in their languages. */
export type CustomerReasonEntry = Described & {
  readonly code: ErrorCode
  readonly status: number
  readonly tr: string
}

/** Reasons of the command line only. */
export type CommandLineReasonEntry = Described & { readonly exitCode: number }

export type ReasonEntry =
  | PublicReasonEntry
  | OperatorReasonEntry
  | CommandLineReasonEntry
  | CustomerReasonEntry

/** An argument of a text: the same in every language, or one per language. */
export type TextArgument = string | number | Localised

/** The names between braces in a text. */
export type ArgumentNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ArgumentNames<Rest>
  : never

type OperatorTexts<En extends string> = { readonly en: En; readonly when: string; readonly remedy: string }
type Texts<En extends string> = OperatorTexts<En> & Pick<PublicReasonEntry, 'tr' | 'ccxt' | 'requests'>

type Extras<At extends readonly Place[]> = {
  readonly status?: number
  readonly adminStatus?: number
  readonly refuses?: Refused
  readonly at?: At
}

/** A request that violates the rules: `4001`, HTTP 400 by default. */
export function invalid<const En extends string, const At extends readonly Place[] = readonly ['http']>(
  texts: Texts<En>,
  extras: Extras<At> = {},
) {
  return entry('4001', 400, texts, extras)
}

/** An unreadable body: `4004`, HTTP 400 by default. */
export function unreadable<const En extends string, const At extends readonly Place[] = readonly ['http']>(
  texts: Texts<En>,
  extras: Extras<At> = {},
) {
  return entry('4004', 400, texts, extras)
}

/**
 * Something that the service cannot do now: `0014`, HTTP 503 by default; with 503 the entry specifies the
 * scope of the refusals.
 */
export function unavailable<const En extends string, const At extends readonly Place[] = readonly ['http']>(
  texts: Texts<En>,
  extras: Extras<At> & ({ readonly refuses: Refused } | { readonly status: 403 | 418 | 429 }),
) {
  return entry('0014', 503, texts, extras)
}

function entry<Code extends ErrorCode, En extends string, At extends readonly Place[]>(
  code: Code,
  status: number,
  texts: Texts<En>,
  extras: Extras<At>,
) {
  const refuses: Refused = extras.refuses ?? 'SOME'
  return { code, status, ...texts, ...extras, refuses, at: extras.at ?? (['http'] as unknown as At) }
}

/** An operator's request that the admin server refuses. */
export function refused<const En extends string>(texts: OperatorTexts<En>, status = 400) {
  return { status, ...texts, at: ['admin'] } as const
}

/** A customer's request that is refused: `4001` unless specified otherwise. */
export function refusedPerson<const En extends string>(
  texts: OperatorTexts<En> & Pick<CustomerReasonEntry, 'tr'>,
  { status, code = '4001' }: { readonly status: number; readonly code?: ErrorCode },
) {
  return { code, status, ...texts, at: ['account'] } as const
}

/** A command that `bourse` did not carry out, for a reason that does not come from a server. */
export function notDone<const En extends string>(texts: OperatorTexts<En>, exitCode: number) {
  return { exitCode, ...texts, at: ['command line'] } as const
}
