/**
 * Slips that a person could make by mistake or on purpose: each breaks one rule of the exchange by one edit,
 * and the tests must detect each. `npm run mutants -- --slips` tries them all, and lists those whose place is
 * no longer in the code.
 */
import type { Mutant } from './mutant.ts'
import { ANSWERS } from './slips/answers.ts'
import { BINANCE } from './slips/binance.ts'
import { BINANCE_NAMES } from './slips/binance-names.ts'
import { BOUND_SLIPS } from './slips/bounds.ts'
import { CLIENTS } from './slips/clients.ts'
import { CODEC_SLIPS } from './slips/codecs.ts'
import { DURABILITY } from './slips/durability.ts'
import { ENDED_KEYS } from './slips/ended-keys.ts'
import { GATEWAY } from './slips/gateway.ts'
import { HISTORY } from './slips/history.ts'
import { ICEBERGS } from './slips/icebergs.ts'
import { INCREMENTS } from './slips/increments.ts'
import { KEYS } from './slips/keys.ts'
import { LEADERSHIP } from './slips/leadership.ts'
import { LINKS } from './slips/links.ts'
import { NUMBERS } from './slips/numbers.ts'
import { OPENING_SLIPS } from './slips/openings.ts'
import { ORDER_CHANGES } from './slips/order-changes.ts'
import { ORDER_ENTRY } from './slips/order-entry.ts'
import { ORDER_LISTS } from './slips/order-lists.ts'
import { ORDERS_AND_MONEY } from './slips/orders-and-money.ts'
import { OUTSIDE_TEXTS } from './slips/outside-texts.ts'
import { PHASE_SLIPS } from './slips/phases.ts'
import { POSITION_SLIPS } from './slips/positions.ts'
import { RECORD_SLIPS } from './slips/records.ts'
import { REFUSAL_SLIPS } from './slips/refusals.ts'
import { RIGHTS_SLIPS } from './slips/rights.ts'
import { SESSIONS } from './slips/sessions.ts'
import { SHAPE_SLIPS } from './slips/shapes.ts'
import { SUPPORT_SLIPS } from './slips/support.ts'
import { TABLE_SLIPS } from './slips/tables.ts'
import { TIMERS } from './slips/timers.ts'
import { TRADING_PAGE_SLIPS } from './slips/trading-page.ts'
import { TRAILING } from './slips/trailing.ts'
import { TRIGGERS } from './slips/triggers.ts'
import { TWIN_SLIPS } from './slips/twins.ts'
import { WEBHOOK_SLIPS } from './slips/webhooks.ts'
import { WITHDRAWAL_SLIPS } from './slips/withdrawals.ts'

export type Slip = {
  /** The resulting error of the exchange. */
  readonly wrong: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly before: string
  readonly after: string
  /** Files or folders of the nearest tests, if they are not in the file's own folder. They run first. */
  readonly tests?: readonly string[]
}

/** The lists by the name of their file. */
export const SLIP_LISTS = {
  'orders-and-money': ORDERS_AND_MONEY,
  icebergs: ICEBERGS,
  keys: KEYS,
  endedKeys: ENDED_KEYS,
  numbers: NUMBERS,
  trailing: TRAILING,
  increments: INCREMENTS,
  phases: PHASE_SLIPS,
  support: SUPPORT_SLIPS,
  rights: RIGHTS_SLIPS,
  withdrawals: WITHDRAWAL_SLIPS,
  answers: ANSWERS,
  clients: CLIENTS,
  binance: BINANCE,
  'binance-names': BINANCE_NAMES,
  sessions: SESSIONS,
  shapes: SHAPE_SLIPS,
  records: RECORD_SLIPS,
  codecs: CODEC_SLIPS,
  triggers: TRIGGERS,
  timers: TIMERS,
  'order-lists': ORDER_LISTS,
  'order-changes': ORDER_CHANGES,
  durability: DURABILITY,
  gateway: GATEWAY,
  leadership: LEADERSHIP,
  links: LINKS,
  'order-entry': ORDER_ENTRY,
  'outside-texts': OUTSIDE_TEXTS,
  history: HISTORY,
  positions: POSITION_SLIPS,
  webhooks: WEBHOOK_SLIPS,
  bounds: BOUND_SLIPS,
  openings: OPENING_SLIPS,
  refusals: REFUSAL_SLIPS,
  twins: TWIN_SLIPS,
  tables: TABLE_SLIPS,
  'trading-page': TRADING_PAGE_SLIPS,
} as const satisfies Readonly<Record<string, readonly Slip[]>>

export const SLIPS: readonly Slip[] = Object.values(SLIP_LISTS).flat()

/** The mutant of a slip in a file's text; undefined if its place does not occur exactly once. */
export function mutantOf({ wrong, file, before, after, tests }: Slip, text: string): Mutant | undefined {
  const start = text.indexOf(before)
  if (start === -1 || text.indexOf(before, start + 1) !== -1) return undefined
  const mutant = { file, operator: wrong, start, end: start + before.length, replacement: after }
  return tests === undefined ? mutant : { ...mutant, tests }
}
