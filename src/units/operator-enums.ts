/**
 * Enums of operators. Their numbers in journals are the positions in these lists: new words are added at the
 * end, none is ever removed or moved.
 */

/**
 * The restrictions of an account: placing orders, withdrawing money, using its keys; bits 1, 2 and 4 of a
 * mask.
 */
export const ACCOUNT_RESTRICTIONS = ['TRADE', 'WITHDRAW', 'LOGIN'] as const
export type AccountRestriction = (typeof ACCOUNT_RESTRICTIONS)[number]

/** The source of a restriction: each source lifts only its own, and all of them are in force. */
export const RESTRICTION_SOURCES = ['OPERATOR', 'CUSTOMER'] as const
export type RestrictionSource = (typeof RESTRICTION_SOURCES)[number]

/** The three original built-in roles; each includes the rights of those before it. */
export const ADMIN_ROLES = ['READ_ONLY', 'SUPPORT', 'OPERATOR'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

/**
 * `PENDING` money is in `freeze`; `COMPLETED` money has left the exchange; `CANCELED` money is free again.
 */
export const WITHDRAWAL_STATES = ['PENDING', 'COMPLETED', 'CANCELED'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** The party that ended a withdrawal requested by its trader, if its money did not leave. */
export const WITHDRAWAL_CANCELERS = ['TRADER', 'OPERATOR'] as const
export type WithdrawalCanceler = (typeof WITHDRAWAL_CANCELERS)[number]

/**
 * Actions on a withdrawal requested by its trader: `CLAIM` claims it for payment, `REFUSE` gives the money
 * back.
 */
export const WITHDRAWAL_STEPS = ['CLAIM', 'REFUSE'] as const
export type WithdrawalStep = (typeof WITHDRAWAL_STEPS)[number]

/**
 * Commands that wait for a second person if their amount is above the asset's threshold; `ClaimWithdrawal`
 * and `RefuseWithdrawal` are the actions of `HandleWithdrawal` and `CancelWithdrawal` on a withdrawal
 * requested by a trader. Journals and snapshots store their positions in this list.
 */
export const APPROVABLE_KINDS = [
  'Credit',
  'Debit',
  'CompleteWithdrawal',
  'PayOutCommission',
  'ClaimWithdrawal',
  'RefuseWithdrawal',
] as const
export type ApprovableKind = (typeof APPROVABLE_KINDS)[number]

/** The outcome of a request for approval. */
export const APPROVAL_STATES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/**
 * The reasons why a webhook sends nothing (docs/webhooks.md#pauses): an operator has paused it; it has given
 * up the maximum number of stored events; its position belongs to another journal; its secret cannot be
 * decrypted with the master key.
 */
export const WEBHOOK_PAUSES = ['OPERATOR', 'DEAD_EVENTS_FULL', 'OTHER_JOURNAL', 'SECRET_UNREADABLE'] as const
export type WebhookPause = (typeof WEBHOOK_PAUSES)[number]

/** Maximum number of operators' commands in one answer of the audit trail. */
export const OPERATOR_ACTIONS_MAX = 500

/**
 * Maximum number of archived batches of the journal that are compared and removed at once, which takes a few
 * milliseconds during which orders wait.
 */
export const TRIM_BATCHES_MAX = 256
