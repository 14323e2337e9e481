/**
 * The charge of a command against the order limits of its account, for accounts that use several gateways: it
 * is sent with the command, and is counted where the commands of all gateways arrive (`transport/link`).
 */
import type { AccountId } from './ids.ts'
import type { TimeMs } from './quantities.ts'

export type OrderCharge = {
  /**
   * Rises with each charge of a gateway. Commands with the same ticket are counted once, with the first of
   * them, and are refused together.
   */
  readonly ticket: number
  readonly accountId: AccountId
  /** Number of orders. */
  readonly orders: number
  /** The time of the request, which determines the windows in which the orders count. */
  readonly at: TimeMs
}
