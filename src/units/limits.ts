/**
 * Limits of the exchange's state. Everything that can grow has one; what happens there is a refusal with a
 * reason. They are part of the rules: changing one changes what a journal replays to, so a change needs a new
 * rules version.
 */

/** Most assets that can be listed. */
export const ASSETS_MAX = 10_000
/** Most symbols that can be listed. */
export const SYMBOLS_MAX = 10_000
/** Most accounts: few enough that memory holds them, so that the limit is met as a refusal. */
export const ACCOUNTS_MAX = 10_000_000
/** Most API keys of one account, revoked ones included. */
export const API_KEYS_PER_ACCOUNT_MAX = 1_000
/** Most entries of one key's address list. */
export const ADDRESSES_PER_KEY_MAX = 100
/** Most external references remembered, few enough for memory; each makes one credit, debit or move idempotent for ever. */
export const REFERENCES_MAX = 20_000_000
/** Longest client order id, in characters. */
export const CLIENT_ORDER_ID_MAX = 36
/** A client order id is remembered for so long after its order's end: 24 hours. */
export const CLIENT_ORDER_ID_LIFETIME_MS = 24 * 60 * 60 * 1_000
/**
 * How far ahead an order may name its deadline. With the lifetime above it says how long after a deadline an order of it is certainly not
 * forgotten (docs/reference/client-order-ids.md#ask-what-became-of-an-order).
 */
export const ORDER_DEADLINE_AHEAD_MAX_MS = 60 * 60 * 1_000
/** Most client order ids of one account that are remembered at a time. */
export const CLIENT_ORDER_IDS_PER_ACCOUNT_MAX = 2_000_000
/** Most client order ids that are remembered at a time, few enough for memory: some 230 bytes each with the longest ids, up to four times as much where every day's have other lengths (`npm run bench -- client-order-ids`). */
export const CLIENT_ORDER_IDS_MAX = 10_000_000
/** Most client order ids that one command forgets: more than it can add, so that those whose time is over become fewer. */
export const CLIENT_ORDER_IDS_FORGOTTEN_MAX = 2
/** Longest name, label, actor, note or reference, in UTF-16 code units. */
export const TEXT_MAX = 200
/** Longest asset code. */
export const ASSET_CODE_MAX = 16
/** Most ledger units that one command may name: an amount, total, cap or least total. Sums may exceed it. */
export const AMOUNT_MAX = 2n ** 127n - 1n
/** Longest sealed secret of an API key. */
export const SEALED_SECRET_BYTES_MAX = 1_024
/** Most fee tiers. */
export const FEE_TIERS_MAX = 100
/** Most tokens of the admin server, revoked ones included. */
export const ADMIN_TOKENS_MAX = 1_000
/** Most roles of the operators' own. */
export const ROLES_MAX = 100
/** Most limits of roles, each of one role in one asset. */
export const ROLE_LIMITS_MAX = 10_000
/** Most times the exchange's limits of orders in a window that an account of its own may have. */
export const ORDER_RATE_TIMES_MAX = 10_000
/** Most people beside who asks that approve one transfer. */
export const APPROVERS_MAX = 5
/** Most addresses that operators have banned at a time. */
export const ADDRESS_BANS_MAX = 10_000
/** Most withdrawals remembered, finished ones included, few enough for memory. */
export const WITHDRAWALS_MAX = 5_000_000
/** Most withdrawals that wait at a time: read models hold them all. */
export const PENDING_WITHDRAWALS_MAX = 100_000
/** Most transfers that wait for a second person at a time. */
export const APPROVALS_MAX = 1_000
/** A transfer that nobody approves is forgotten after this long: 7 days. */
export const APPROVAL_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000
/** Most resting orders that one arriving order meets: the time for which others wait. What is left of it then is cancelled. */
export const MATCH_STEPS_MAX = 10_000
/** Most orders that one command cancels: the time for which others wait. */
export const CANCEL_ORDERS_MAX = 500
/** Most orders that a command of the engine's own looks at to go on with a mass cancel. */
export const MASS_CANCEL_STEPS_MAX = 100
/** Most mass cancels of one account that are under way at a time, those of its countdowns not counted. */
export const MASS_CANCELS_PER_ACCOUNT_MAX = 8
/** Most countdowns of one account. */
export const COUNTDOWNS_PER_ACCOUNT_MAX = 20
/** Longest countdown: a day. */
export const COUNTDOWN_MAX_MS = 24 * 60 * 60 * 1_000
/** Longest time for which a session waits for its next connection before its orders end: a minute. */
export const SESSION_GRACE_MAX_MS = 60_000
/** Most sessions of one account, those that wait for a connection included. */
export const SESSIONS_PER_ACCOUNT_MAX = 100
/** Most sessions of all accounts together: so many the start of the service looks at in one command. */
export const SESSIONS_MAX = 10_000
/** How far ahead an order may name the time at which it ends: ten years of 365 days. */
export const EXPIRE_TIME_AHEAD_MAX_MS = 3_650 * 24 * 60 * 60 * 1_000
/** Most phases of the exchange that are planned at a time: cancel-only, closed, cancel-only and trading again. */
export const PLANNED_PHASES_MAX = 4
/** Labels of one account. */
export const PROFILE_LABELS_MAX = 16
/** Free fields of one account. */
export const PROFILE_FIELDS_MAX = 8
/** How far ahead a phase of the exchange may be planned: a year of 366 days. */
export const PHASE_AHEAD_MAX_MS = 366 * 24 * 60 * 60 * 1_000
/** Most withdrawals of one account that its trader has asked for and that are remembered: those that wait, and those that ended lately. */
export const ASKED_WITHDRAWALS_PER_ACCOUNT_MAX = 100
/** Most withdrawals of all accounts that traders have asked for and that are remembered so. */
export const ASKED_WITHDRAWALS_MAX = 1_000_000
/** A withdrawal that its trader has asked for is remembered as such for so long after its end: 24 hours. */
export const ASKED_WITHDRAWAL_LIFETIME_MS = 24 * 60 * 60 * 1_000
/** Most of them that one command forgets: more than it can end, so that those whose time is over become fewer. */
export const ASKED_WITHDRAWALS_FORGOTTEN_MAX = 2
/** Most addresses of one account that its money may be withdrawn to. */
export const WITHDRAWAL_ADDRESSES_PER_ACCOUNT_MAX = 50
/** Most addresses of all accounts, few enough for memory. */
export const WITHDRAWAL_ADDRESSES_MAX = 1_000_000
/** Longest address of a withdrawal, in characters. */
export const WITHDRAWAL_ADDRESS_MAX = 128
/** Longest tag of such an address, in characters. */
export const WITHDRAWAL_TAG_MAX = 64
/** How long a new address waits until money may go there, where the asset says nothing else: 24 hours. */
export const ADDRESS_DELAY_DEFAULT_MS = 24 * 60 * 60 * 1_000
/** Longest time that an asset's new addresses wait: 30 days. */
export const ADDRESS_DELAY_MAX_MS = 30 * 24 * 60 * 60 * 1_000
/** Longest name of a fee tier or a token. */
export const NAME_MAX = 64
/** Bytes of the digest (SHA-256) of a token. */
export const TOKEN_DIGEST_BYTES = 32
