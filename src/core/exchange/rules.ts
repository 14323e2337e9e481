/**
 * Rules versions: the version from which a journal may contain a kind of command. A newer program writes
 * nothing to an old journal that the previous program could not read, so an operator can go back until the
 * version is raised (docs/decisions/0023-stored-formats.md).
 *
 * A change that adds a kind of command, a field of a command, a section of the state or a rule also adds a
 * version here, declares in this file what needs it, and checks `state.rulesVersion` where the rule is
 * applied. The meaning of a version never changes, and its number is never used again.
 */

/** The rules under which every journal begins; a command in the journal chooses others. */
export const FIRST_RULES_VERSION = 1

/**
 * The oldest rules with which a journal may begin: it is refused untouched unless its first command chooses
 * these or newer rules (docs/decisions/0051-rules-floor.md).
 */
export const RULES_MIN = 14

/** The last commit that replays journals which begin under older rules. No release had rules 13. */
export const LAST_COMMIT_BELOW_MIN = 'ba73333e227a'

/**
 * The reason why stored data under older rules than `RULES_MIN` is refused, and the commit that can read it.
 */
export function belowFloor(version: number): string {
  const floor = `under rules ${version}, and this program only reads data under rules ${RULES_MIN} or newer`
  return `${floor}. Nothing was changed: the last commit that replays it is ${LAST_COMMIT_BELOW_MIN}`
}

/**
 * From these rules on a key has a kind and a wire and may have the permission READ
 * (docs/reference/authentication.md#keys).
 */
export const KEY_RULES = 15
/** From these rules on, a MARKET BUY may have only a quantity (docs/reference/matching.md#market). */
export const QUANTITY_RULES = 16
/**
 * From these rules on the numbers of orders and trades jump where an epoch of the journal begins, and a trade
 * has its number in its symbol (docs/recovery.md#numbers-of-orders-and-trades).
 */
export const NUMBER_RULES = 17
/**
 * From these rules on, a role may have the rights on customers (docs/reference/admin.md#rights), and an
 * account can belong to a self-registered customer. The account then has the number of the last change to the
 * customer's ways to sign in, and may be marked as erased
 * (docs/customers-operations.md#the-journal-and-the-store).
 */
export const CUSTOMER_RULES = 18
/**
 * From these rules on an order names the key that placed it
 * (docs/reference/authentication.md#numbers-of-keys).
 */
export const KEY_NUMBER_RULES = 19
/**
 * From these rules on, ended keys do not count toward the limits of an account's keys
 * (docs/reference/authentication.md#keys-that-have-ended).
 */
export const ENDED_KEY_RULES = 20
/** From these rules on an order may follow the price at a distance (docs/reference/trailing-orders.md). */
export const TRAILING_RULES = 21
/**
 * From these rules on no two symbols have the same name for clients of Binance, and a listing may specify the
 * name (docs/binance.md#names-of-symbols).
 */
export const BINANCE_NAME_RULES = 22
/** The newest rules of this program, which cannot replay a journal that requires newer ones. */
export const RULES_VERSION = BINANCE_NAME_RULES
