/**
 * What the catalogue says about one reason, and the small functions that write its entries. `when` and `remedy` are the
 * cells of the reference's tables, with links as they stand there.
 */
import type { Localised } from '../language.ts'

/** The codes of docs/reference/errors.md#codes-and-statuses: validation, unreadable body, unavailable. */
export type ErrorCode = '4001' | '4004' | '0014'

/** Where a reason can appear: an answer over HTTP, the stream, an answer of the admin server, the output of `bourse`. */
export type Place = 'http' | 'stream' | 'admin' | 'command line'

type Described = {
  readonly at: readonly Place[]
  /** Text for people; `{name}` stands for the argument of that name. */
  readonly en: string
  /** When it happens. */
  readonly when: string
  /** What to do then. */
  readonly remedy: string
}

/**
 * Whose orders are refused where a reason is given: perhaps everybody's, which shows when none is taken; everybody's, which health says by a word of its own (one of
 * `wire/order-stops.ts`, or the node's phase); or those of one caller, one symbol, one moment.
 */
export type Refused = 'EVERYBODY' | 'EVERYBODY_BY_A_WORD' | 'SOME'

/** Names of ccxt's error classes. `RequestTimeout` says that what was asked for may have been done or not, and no other error says so. */
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

/** What clients of the trading interface can meet. */
export type PublicReasonEntry = Described & {
  readonly code: ErrorCode
  /** HTTP status of the answer. */
  readonly status: number
  readonly refuses: Refused
  /** HTTP status of the admin server's answer, where it is another. */
  readonly adminStatus?: number
  readonly tr: string
  /** The error that a program on ccxt is told of it. */
  readonly ccxt: CcxtError
}

/** What the admin server alone answers. */
export type OperatorReasonEntry = Described & { readonly status: number }

/** What only the command line says. */
export type CommandLineReasonEntry = Described & { readonly exitCode: number }

export type ReasonEntry = PublicReasonEntry | OperatorReasonEntry | CommandLineReasonEntry

/** An argument of a text: the same in every language, or one per language. */
export type TextArgument = string | number | Localised

/** The names between braces in a text. */
export type ArgumentNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ArgumentNames<Rest>
  : never

type OperatorTexts<En extends string> = { readonly en: En; readonly when: string; readonly remedy: string }
type Texts<En extends string> = OperatorTexts<En> & { readonly tr: string; readonly ccxt: CcxtError }

type Extras<At extends readonly Place[]> = {
  readonly status?: number
  readonly adminStatus?: number
  readonly refuses?: Refused
  readonly at?: At
}

/** A request that the rules refuse: `4001`, HTTP 400 unless said otherwise. */
export function invalid<const En extends string, const At extends readonly Place[] = readonly ['http']>(
  texts: Texts<En>,
  extras: Extras<At> = {},
) {
  return entry('4001', 400, texts, extras)
}

/** A body that cannot be read: `4004`, HTTP 400 unless said otherwise. */
export function unreadable<const En extends string, const At extends readonly Place[] = readonly ['http']>(
  texts: Texts<En>,
  extras: Extras<At> = {},
) {
  return entry('4004', 400, texts, extras)
}

/** Something that the service cannot do now: `0014`, HTTP 503 unless said otherwise; with 503 it says whose orders that refuses. */
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

/** A command that `bourse` did not carry out, for a reason that no server gave. */
export function notDone<const En extends string>(texts: OperatorTexts<En>, exitCode: number) {
  return { exitCode, ...texts, at: ['command line'] } as const
}
