/** What is shown as live is no older than this, in milliseconds: on a way that has become slow or dead the page says so by then. */
export const LIVE_WITHIN_MS = 10_000
