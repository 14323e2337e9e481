/**
 * What a command counts against the limits of orders of its account, where several gateways serve one account: it travels with the
 * command, and is counted where the commands of all of them come together (`transport/link`).
 */
import type { AccountId } from './ids.ts'
import type { TimeMs } from './quantities.ts'

export type OrderCharge = {
  /** Grows with each charge of a gateway. Commands that share one are counted once, with the first of them, and refused together. */
  readonly ticket: number
  readonly accountId: AccountId
  /** How many orders. */
  readonly orders: number
  /** When the request came: the windows that they count in are those of this time. */
  readonly at: TimeMs
}
