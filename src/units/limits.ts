/**
 * Limits of the exchange's state. Everything that can grow has a limit; beyond it a command is refused with a
 * reason. Limits are part of the rules: changing one changes the state to which a journal replays, so a
 * change needs a new rules version.
 */

/** Maximum number of listed assets. */
export const ASSETS_MAX = 10_000
/** Maximum number of listed symbols. */
export const SYMBOLS_MAX = 10_000
/**
 * Maximum number of accounts: low enough for all of them to fit into memory, so that a further account is
 * refused before memory runs out.
 */
export const ACCOUNTS_MAX = 10_000_000
/**
 * Maximum number of API keys that one account has in use; which keys count depends on the rules
 * (`KeyCounting`).
 */
export const API_KEYS_PER_ACCOUNT_MAX = 1_000
/** Maximum number of keys of one account that are stored, ended ones included. */
export const API_KEY_RECORDS_PER_ACCOUNT_MAX = 10_000
/** Maximum number of entries in one key's address list. */
export const ADDRESSES_PER_KEY_MAX = 100
/**
 * Maximum number of external references remembered, low enough for them to fit into memory; each makes one
 * credit, debit or move idempotent forever.
 */
export const REFERENCES_MAX = 20_000_000
/** Longest client order id, in characters. */
export const CLIENT_ORDER_ID_MAX = 36
/** The time for which a client order id is remembered after its order's end: 24 hours. */
export const CLIENT_ORDER_ID_LIFETIME_MS = 24 * 60 * 60 * 1_000
/**
 * Longest time from now to the deadline of an order. Together with the lifetime above it determines how long
 * after its deadline an order is certainly still remembered
 * (docs/reference/client-order-ids.md#ask-what-became-of-an-order).
 */
export const ORDER_DEADLINE_AHEAD_MAX_MS = 60 * 60 * 1_000
/** Maximum number of client order ids of one account that are remembered at a time. */
export const CLIENT_ORDER_IDS_PER_ACCOUNT_MAX = 2_000_000
/**
 * Maximum number of client order ids that are remembered at a time, low enough for them to fit into memory:
 * about 230 bytes each for the longest ids, and up to four times as much if their lengths change every day
 * (`npm run bench -- client-order-ids`).
 */
export const CLIENT_ORDER_IDS_MAX = 10_000_000
/**
 * Maximum number of client order ids that one command forgets: more than it can add, so that the number of
 * expired ids falls.
 */
export const CLIENT_ORDER_IDS_FORGOTTEN_MAX = 2
/** Longest name, label, actor, note or reference, in UTF-16 code units. */
export const TEXT_MAX = 200
/** Longest asset code. */
export const ASSET_CODE_MAX = 16
/**
 * Largest number of ledger units in one field of a command: an amount, total, cap or minimum total. Sums may
 * exceed it.
 */
export const AMOUNT_MAX = 2n ** 127n - 1n
/** Longest sealed secret of an API key. */
export const SEALED_SECRET_BYTES_MAX = 1_024
/** Bytes of the public half of an Ed25519 key (RFC 8032). */
export const PUBLIC_KEY_BYTES = 32
/** Maximum number of fee tiers. */
export const FEE_TIERS_MAX = 100
/** Maximum number of tokens of the admin server, revoked ones included. */
export const ADMIN_TOKENS_MAX = 1_000
/** Maximum number of custom roles. */
export const ROLES_MAX = 100
/** Maximum number of limits of roles, each for one role in one asset. */
export const ROLE_LIMITS_MAX = 10_000
/** Largest multiple of the exchange's order limits in a window that an account may have. */
export const ORDER_RATE_TIMES_MAX = 10_000
/** Maximum number of approvers of one transfer, besides the operator who requests it. */
export const APPROVERS_MAX = 5
/** Maximum number of addresses banned by operators at a time. */
export const ADDRESS_BANS_MAX = 10_000
/** Maximum number of withdrawals remembered, ended ones included, low enough for them to fit into memory. */
export const WITHDRAWALS_MAX = 5_000_000
/** Maximum number of pending withdrawals, since read models have all of them. */
export const PENDING_WITHDRAWALS_MAX = 100_000
/** Maximum number of transfers that wait for a second person at a time. */
export const APPROVALS_MAX = 1_000
/** Time after which a transfer that was not approved expires: 7 days. */
export const APPROVAL_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000
/**
 * Maximum number of resting orders that one arriving order is matched against, since other commands wait in
 * the meantime. The rest of the order is then canceled.
 */
export const MATCH_STEPS_MAX = 10_000
/** Maximum number of orders that one command cancels, since other commands wait in the meantime. */
export const CANCEL_ORDERS_MAX = 500
/** Maximum number of orders that one of the engine's commands examines to continue a mass cancel. */
export const MASS_CANCEL_STEPS_MAX = 100
/**
 * Maximum number of mass cancels of one account in progress at a time, not counting those of its countdowns.
 */
export const MASS_CANCELS_PER_ACCOUNT_MAX = 8
/** Maximum number of countdowns of one account. */
export const COUNTDOWNS_PER_ACCOUNT_MAX = 20
/** Longest countdown: a day. */
export const COUNTDOWN_MAX_MS = 24 * 60 * 60 * 1_000
/** Longest time for which a session waits for its next connection before its orders end: a minute. */
export const SESSION_GRACE_MAX_MS = 60_000
/** Maximum number of sessions of one account, including those that wait for a connection. */
export const SESSIONS_PER_ACCOUNT_MAX = 100
/**
 * Maximum number of sessions of all accounts together: when the engine starts, one command examines all of
 * them.
 */
export const SESSIONS_MAX = 10_000
/** Longest time from now to the expire time of an order: ten years of 365 days. */
export const EXPIRE_TIME_AHEAD_MAX_MS = 3_650 * 24 * 60 * 60 * 1_000
/** Maximum number of planned phases of the exchange: cancel-only, closed, cancel-only and trading again. */
export const PLANNED_PHASES_MAX = 4
/** Maximum number of labels of one account. */
export const PROFILE_LABELS_MAX = 16
/** Maximum number of free fields of one account. */
export const PROFILE_FIELDS_MAX = 8
/** Longest time from now to a planned phase of the exchange: a year of 366 days. */
export const PHASE_AHEAD_MAX_MS = 366 * 24 * 60 * 60 * 1_000
/**
 * Maximum number of remembered withdrawals of one account that were requested by its trader: pending and
 * recently ended ones.
 */
export const ASKED_WITHDRAWALS_PER_ACCOUNT_MAX = 100
/** Maximum number of such withdrawals of all accounts together. */
export const ASKED_WITHDRAWALS_MAX = 1_000_000
/** The time for which a trader's withdrawal request is remembered after the withdrawal ends: 24 hours. */
export const ASKED_WITHDRAWAL_LIFETIME_MS = 24 * 60 * 60 * 1_000
/**
 * Maximum number of such withdrawals that one command forgets: more than it can end, so that the number of
 * expired ones falls.
 */
export const ASKED_WITHDRAWALS_FORGOTTEN_MAX = 2
/** Maximum number of withdrawal addresses of one account. */
export const WITHDRAWAL_ADDRESSES_PER_ACCOUNT_MAX = 50
/** Maximum number of withdrawal addresses of all accounts, low enough for them to fit into memory. */
export const WITHDRAWAL_ADDRESSES_MAX = 1_000_000
/** Longest withdrawal address, in characters. */
export const WITHDRAWAL_ADDRESS_MAX = 128
/** Longest tag of a withdrawal address, in characters. */
export const WITHDRAWAL_TAG_MAX = 64
/**
 * The time after which a new withdrawal address can be used, unless its asset has another delay: 24 hours.
 */
export const ADDRESS_DELAY_DEFAULT_MS = 24 * 60 * 60 * 1_000
/** Longest delay of new withdrawal addresses that an asset can have: 30 days. */
export const ADDRESS_DELAY_MAX_MS = 30 * 24 * 60 * 60 * 1_000
/** Longest name of a fee tier or a token. */
export const NAME_MAX = 64
/** Bytes of the digest (SHA-256) of a token. */
export const TOKEN_DIGEST_BYTES = 32

/** The jump of the numbers of orders and trades at the beginning of an epoch of the journal. */
export const NUMBERS_JUMP = 1_000_000_000

/**
 * Numbers jump no further than this, so that the numbers of events, 16 for each command and trade, stay below
 * 2^53: after 281,474 jumps they continue one by one.
 */
export const NUMBERS_JUMP_TO_MAX = 2 ** 48
/** Smallest and largest distance at which a trailing order follows the price, in basis points. */
export const TRAILING_DELTA_MIN = 10
export const TRAILING_DELTA_MAX = 2_000
