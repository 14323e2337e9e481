/**
 * The maximum age of data shown as live, in milliseconds. When a connection becomes slow or dead, the page
 * shows it within this time.
 */
export const LIVE_WITHIN_MS = 10_000
