/**
 * Rules versions: the version from which a journal may contain a kind of command. A newer program on an old
 * journal writes nothing that the previous program could not read, so going back works until an operator
 * raises the version (docs/decisions/0023-stored-formats.md).
 *
 * A change that adds a kind of command, a field of one, a section of the state or a rule, also adds a version
 * here, declares in this file what needs it, and checks `state.rulesVersion` where the rule is applied. The
 * meaning of a version never changes, and its number is never used again.
 */

/** The rules that every journal begins under; it says itself when it changes them. */
export const FIRST_RULES_VERSION = 1

/**
 * The oldest rules that a journal may begin with: it is refused untouched unless its first command chooses
 * these or newer ones (docs/decisions/0051-rules-floor.md).
 */
export const RULES_MIN = 14

/** The last commit that replays journals which begin under older rules. Rules 13 had no release. */
export const LAST_COMMIT_BELOW_MIN = 'ba73333e227a'

/** Why stored data under older rules than `RULES_MIN` is refused, and the commit that can read it. */
export function belowFloor(version: number): string {
  const floor = `under rules ${version}, this program replays those that begin under rules ${RULES_MIN} or newer`
  return `${floor}. Nothing was changed: the last commit that replays it is ${LAST_COMMIT_BELOW_MIN}`
}

/**
 * From these rules on an asset's switches bind operators too, a delisted symbol stays so, and two people are
 * two named tokens (docs/reference/admin.md#rules).
 */
export const OPERATOR_RULES = 2

/**
 * From these rules on the payments of a MARKET BUY, rounded up, and the exact deductions of DECREMENT from
 * its total never exceed the total together (docs/reference/matching.md#money-and-rounding).
 */
export const BUDGET_RULES = 3
/**
 * From these rules on there are FOK and LIMIT_MAKER, and an arriving order meets at most `MATCH_STEPS_MAX`
 * resting ones (docs/reference/matching.md#matching).
 */
export const ORDER_TYPE_RULES = 4
/**
 * From these rules on an open order keeps its original fields and the time of its last change
 * (docs/reference/admin.md#rules), and an order that is placed again under its client order id gets its
 * original answer (docs/reference/client-order-ids.md).
 */
export const ORDER_RECORD_RULES = 5
/**
 * From these rules on a symbol keeps the price of its last trade, and orders can wait for a trigger
 * (docs/reference/waiting-orders.md#orders-that-wait).
 */
export const TRIGGER_RULES = 6
/**
 * From these rules on orders can be amended, replaced, limited in time, shown in part and joined in lists,
 * and an account cancels many with one command, at once, when its countdown ends or when a connection does
 * (docs/reference/orders.md).
 */
export const ADVANCED_ORDER_RULES = 7
/**
 * From these rules on a symbol can have a tick size and a step size of its own, multiples of its smallest
 * price and quantity (docs/reference/admin.md#tick-and-step).
 */
export const MARKET_RULES = 8
/**
 * From these rules on the exchange as a whole has a phase, set at once or planned
 * (docs/reference/admin.md#phases-of-the-exchange).
 */
export const PHASE_RULES = 9
/**
 * From these rules on the journal records operators' changes outside the exchange
 * (docs/webhooks.md#what-is-in-the-journal).
 */
export const TRACE_RULES = 10
/**
 * From these rules on operators can cancel one order of any account, set customer ids and labels of accounts,
 * and give an account special terms until a given time (docs/reference/admin.md#special-terms).
 */
export const SUPPORT_RULES = 10
/**
 * From these rules on operators have roles of their own, tokens with terms, limits by amount and day, and
 * more than two people for much money (docs/reference/admin.md#rights).
 */
export const RIGHTS_RULES = 11
/**
 * From these rules on the special terms of an account can have orders in a window too
 * (docs/reference/admin.md#special-terms).
 */
export const ORDER_RATE_RULES = 11
/**
 * From these rules on traders ask for withdrawals themselves, to addresses of their accounts
 * (docs/reference/withdrawals.md).
 */
export const WITHDRAWAL_RULES = 11
/**
 * From these rules on a second person agrees before a withdrawal is claimed, and before the money of one that
 * was claimed is given back (docs/reference/withdrawals.md#paying).
 */
export const PAYING_RULES = 12
/**
 * From these rules on the exchange keeps by which command each order and list became due, and carries out
 * those of a symbol in that order (docs/reference/waiting-orders.md#triggering).
 */
export const DUE_RULES = 13
/**
 * From these rules on a cancel may name the symbol that its order must be of
 * (docs/reference/http.md#cancel-order).
 */
export const CANCEL_RULES = 14
/**
 * From these rules on a key has a kind and a wire and may have the permission READ
 * (docs/reference/authentication.md#keys).
 */
export const KEY_RULES = 15
/**
 * From these rules on a MARKET BUY may name its quantity alone (docs/reference/matching.md#market).
 */
export const QUANTITY_RULES = 16
/**
 * From these rules on the numbers of orders and trades jump where an epoch of the journal begins, and a trade
 * has its number in its symbol (docs/recovery.md#numbers-of-orders-and-trades).
 */
export const NUMBER_RULES = 17
/**
 * From these rules on a role may have the rights on customers (docs/reference/admin.md#rights), and an
 * account can be one of a customer who registered himself, with the number of the last change of his ways to
 * sign in, and his erasure (docs/customers.md#the-journal-and-the-store).
 */
export const CUSTOMER_RULES = 18
/**
 * From these rules on an order names the key that placed it
 * (docs/reference/authentication.md#numbers-of-keys).
 */
export const KEY_NUMBER_RULES = 19
/**
 * From these rules on keys that have ended leave the limits of an account's keys
 * (docs/reference/authentication.md#keys-that-have-ended).
 */
export const ENDED_KEY_RULES = 20
/**
 * From these rules on an order may follow the price, at a distance (docs/reference/trailing-orders.md).
 */
export const TRAILING_RULES = 21
/**
 * From these rules on no two symbols have the same name for clients of Binance, and a listing may give one
 * (docs/binance.md#names-of-symbols).
 */
export const BINANCE_NAME_RULES = 22
/** The newest rules of this program. A journal that requires newer ones cannot be replayed by it. */
export const RULES_VERSION = BINANCE_NAME_RULES
