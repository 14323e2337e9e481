/**
 * The changes of one account by one command, as the private feed shows them (docs/reference/private-feed.md):
 * its limits, and the accounts that an event concerns.
 */
import type { ExchangeEvent } from '../../core/events/event.ts'
import type { AccountId } from '../../units/ids.ts'

/** Maximum number of accounts in one query. */
export const UPDATE_ACCOUNTS_MAX = 1_000

/** An answer gets no further update once it has this many orders, trades and balances together. */
export const UPDATE_PARTS_MAX = 2_000

/**
 * Number of commands for which updates are kept: about 30 bytes for each of the accounts that a command
 * concerns.
 */
export const UPDATES_KEPT_COMMANDS = 10_000_000

/**
 * Calls `visit` with each account for which an event changes an order or a balance, possibly twice with the
 * same account.
 */
export function accountsOf(event: ExchangeEvent, visit: (accountId: AccountId) => void): void {
  if (event.kind === 'OrdersMatched') {
    visit(event.maker.accountId)
    visit(event.taker.accountId)
  } else if (event.kind === 'WithdrawalChanged') visit(event.withdrawal.accountId)
  else if ('accountId' in event) visit(event.accountId)
}
