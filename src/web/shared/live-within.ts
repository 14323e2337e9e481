/**
 * The maximum age of data shown as live, in milliseconds: when the connection becomes slow or dead, the page
 * shows that by then.
 */
export const LIVE_WITHIN_MS = 10_000
