/**
 * Slips that a person would make, or plant: each breaks one rule of the exchange by one edit, and the suite must notice
 * each. `npm run mutants -- --slips` tries them all, and names those whose place the code no longer has.
 */
import type { Mutant } from './mutant.ts'
import { ANSWERS } from './slips/answers.ts'
import { CLIENTS } from './slips/clients.ts'
import { DURABILITY } from './slips/durability.ts'
import { GATEWAY } from './slips/gateway.ts'
import { HISTORY } from './slips/history.ts'
import { ICEBERGS } from './slips/icebergs.ts'
import { INCREMENTS } from './slips/increments.ts'
import { LEADERSHIP } from './slips/leadership.ts'
import { LINKS } from './slips/links.ts'
import { ORDER_CHANGES } from './slips/order-changes.ts'
import { ORDER_ENTRY } from './slips/order-entry.ts'
import { ORDER_LISTS } from './slips/order-lists.ts'
import { ORDERS_AND_MONEY } from './slips/orders-and-money.ts'
import { PHASE_SLIPS } from './slips/phases.ts'
import { RIGHTS_SLIPS } from './slips/rights.ts'
import { SESSIONS } from './slips/sessions.ts'
import { SUPPORT_SLIPS } from './slips/support.ts'
import { TIMERS } from './slips/timers.ts'
import { TRIGGERS } from './slips/triggers.ts'
import { WEBHOOK_SLIPS } from './slips/webhooks.ts'
import { WITHDRAWAL_SLIPS } from './slips/withdrawals.ts'

export type Slip = {
  /** What the exchange then does wrong. */
  readonly wrong: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly before: string
  readonly after: string
}

export const SLIPS: readonly Slip[] = [
  ...ORDERS_AND_MONEY,
  ...ICEBERGS,
  ...INCREMENTS,
  ...PHASE_SLIPS,
  ...SUPPORT_SLIPS,
  ...RIGHTS_SLIPS,
  ...WITHDRAWAL_SLIPS,
  ...ANSWERS,
  ...CLIENTS,
  ...SESSIONS,
  ...TRIGGERS,
  ...TIMERS,
  ...ORDER_LISTS,
  ...ORDER_CHANGES,
  ...DURABILITY,
  ...GATEWAY,
  ...LEADERSHIP,
  ...LINKS,
  ...ORDER_ENTRY,
  ...HISTORY,
  ...WEBHOOK_SLIPS,
]

/** The mutant that a slip is in a file's text; undefined when its place is not there any more, or not once. */
export function mutantOf({ wrong, file, before, after }: Slip, text: string): Mutant | undefined {
  const start = text.indexOf(before)
  if (start === -1 || text.indexOf(before, start + 1) !== -1) return undefined
  return { file, operator: wrong, start, end: start + before.length, replacement: after }
}
