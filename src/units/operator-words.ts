/**
 * The words of operators. Their numbers in journals are the positions in these lists: new words go to the end, none
 * is ever removed or moved.
 */

/** What an account can be forbidden: placing orders, taking money out, using its keys; bits 1, 2 and 4 of a mask. */
export const ACCOUNT_RESTRICTIONS = ['TRADE', 'WITHDRAW', 'LOGIN'] as const
export type AccountRestriction = (typeof ACCOUNT_RESTRICTIONS)[number]

/** What a token of the admin server may be used for; each includes those before it. */
export const ADMIN_ROLES = ['READ_ONLY', 'SUPPORT', 'OPERATOR'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

/** `PENDING` money waits in `freeze`; `COMPLETED` has left the exchange; `CANCELED` is free again. */
export const WITHDRAWAL_STATES = ['PENDING', 'COMPLETED', 'CANCELED'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** Who ended a withdrawal that its trader has asked for, where its money did not leave. */
export const WITHDRAWAL_CANCELERS = ['TRADER', 'OPERATOR'] as const
export type WithdrawalCanceler = (typeof WITHDRAWAL_CANCELERS)[number]

/** What whoever pays does with a withdrawal that its trader has asked for: `CLAIM` takes it in hand, `REFUSE` gives the money back. */
export const WITHDRAWAL_STEPS = ['CLAIM', 'REFUSE'] as const
export type WithdrawalStep = (typeof WITHDRAWAL_STEPS)[number]

/**
 * What waits for a second person when its amount is above the asset's threshold: commands; `ClaimWithdrawal` and `RefuseWithdrawal` are what
 * `HandleWithdrawal` and `CancelWithdrawal` do with a withdrawal that a trader has asked for. Journals and snapshots have them by place.
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

/** What became of a request for approval. */
export const APPROVAL_STATES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/**
 * Why a webhook sends nothing (docs/webhooks.md#pauses): an operator paused it; it has given up as many events as are kept; its position is of another
 * journal; its secret does not open under the master key.
 */
export const WEBHOOK_PAUSES = ['OPERATOR', 'DEAD_EVENTS_FULL', 'OTHER_JOURNAL', 'SECRET_UNREADABLE'] as const
export type WebhookPause = (typeof WEBHOOK_PAUSES)[number]

/** Most commands of operators in one answer of the audit trail. */
export const OPERATOR_ACTIONS_MAX = 500

/** Most archived batches of the journal that are compared and removed in one piece, in a few milliseconds that orders wait for. */
export const TRIM_BATCHES_MAX = 256
