/**
 * Enums of the numbered feed of events. Their numbers in stored history are the positions in this list: new
 * ones are added at the end.
 */

/** The kinds of events that programs read (docs/reference/events.md#kinds). */
export const EVENT_KINDS = [
  'FILL',
  'CREDIT',
  'DEBIT',
  'HOUSE_PAYOUT',
  'WITHDRAWAL_ASKED',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_CANCELED',
  'APPROVAL_ASKED',
  'APPROVAL_GIVEN',
  'APPROVAL_REFUSED',
  'ACCOUNT_OPENED',
  'ACCOUNT_CHANGED',
  'KEY_CREATED',
  'KEY_CHANGED',
  'ASSET_LISTED',
  'ASSET_CHANGED',
  'SYMBOL_LISTED',
  'SYMBOL_STATE',
  'SYMBOL_CHANGED',
  'FEE_TIER_CHANGED',
  'PHASE_CHANGED',
  'PHASES_PLANNED',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
  'BALANCE_MOVED',
  'APPROVAL_LAPSED',
  'APPROVAL_ADDED',
  'WITHDRAWAL_CLAIMED',
  'ADDRESS_ADDED',
  'ADDRESS_REMOVED',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Maximum number of events of the numbered feed in one answer. */
export const EVENTS_MAX = 1_000
