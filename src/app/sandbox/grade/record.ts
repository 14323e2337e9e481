/** The record of a graded bot after its exit: its requests, its own reports, and its account. */
import type { SeenRequest } from '../faults/observer.ts'
import type { GradeReport } from './report-line.ts'

export type Fill = {
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly quantity: string
  readonly total: string
  readonly commission: string
  readonly commissionAsset: string
  /** Milliseconds since 1970, by the exchange. */
  readonly time: number
}

/** A report of the bot, and whether its book matched the exchange's. */
export type HeardReport = {
  /** Milliseconds since 1970, when it was read. */
  readonly wallMs: number
  readonly report: GradeReport
  /** Undefined if the line reports no book. */
  readonly isBookTrue: boolean | undefined
}

/** The end of a bot: by itself, at SIGTERM, or killed. */
export type BotEnd = 'BY_ITSELF' | 'TOLD' | 'KILLED'

export type BotRecord = {
  /** The bot's requests, in the order in which they were answered. */
  readonly requests: readonly SeenRequest[]
  /** Time of SIGTERM, on the clock of the requests. */
  readonly stopAtMs: number
  readonly end: BotEnd
  readonly exitCode: number | null
  readonly reports: readonly HeardReport[]
  /** The problems of lines that could not be read. */
  readonly unreadable: readonly string[]
  /** Oldest first. */
  readonly fills: readonly Fill[]
  /** Number of orders that are open although the bot has ended. */
  readonly openOrders: number
}

export const FINDING_KINDS = [
  'DOUBLED_ORDER',
  'OUTCOME_NOT_ASKED',
  'LIMIT_IGNORED',
  'CLOCK_IGNORED',
  'HAMMERING',
  'REFUSAL_REPEATED',
  'FILLS_WRONG',
  'POSITION_WRONG',
  'BOOK_DRIFTED',
  'REPORT_UNREADABLE',
  'ORDERS_LEFT',
  'DID_NOT_STOP',
  'ENDED_EARLY',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export type Finding = {
  readonly kind: FindingKind
  /** The number of occurrences. */
  readonly count: number
  /** The event in plain words, with one example. */
  readonly message: string
}
