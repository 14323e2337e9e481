/** Values for the rules for every customer store. */

/** Later than 2 ** 31 seconds, in milliseconds. */
export const NOW = 4_102_444_800_000
export const MINUTE = 60_000
export const DAY = 86_400_000
export const ORIGIN = { device: 'Firefox, Linux — 火狐 🦊', network: '192.0.2.0/24' }

/** 32 bytes of one value. */
export const digest = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
