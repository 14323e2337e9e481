/** Bounds of operators' requests that are not rules of the exchange. */
import { ADDRESS_DELAY_MAX_MS } from '../../../units/limits.ts'

/** Maximum number of entries of a list in one answer. */
export const PAGE_MAX = 1_000
export const ACCOUNTS_PAGE_MAX = 1_000
export const WITHDRAWALS_PAGE_MAX = 1_000
/** Maximum number of orders, fills or finished withdrawals in one answer. */
export const SUPPORT_PAGE_MAX = 250
/**
 * Maximum number of bytes of batches in one answer, unless a single batch is larger: the writer waits 7 ms at
 * worst (measured).
 */
export const JOURNAL_BYTES_MAX = 64 * 1024
/** Longest path of a file. */
export const FILE_NAME_MAX = 4_096
/** Longest waiting time of a new address. */
export const ADDRESS_DELAY_MINUTES_MAX = ADDRESS_DELAY_MAX_MS / 60_000
/** Longest time for which a key's old secret is valid alongside the new one: 30 days. */
export const OVERLAP_MINUTES_MAX = 30 * 24 * 60
/** Longest ban: ten years. */
export const BAN_MINUTES_MAX = 10 * 366 * 24 * 60
/** Longest address of a webhook. */
export const WEBHOOK_URL_MAX = 1_000
