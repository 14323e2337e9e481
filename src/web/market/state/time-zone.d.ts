export declare const ZONE_ENTRY = 'bourse-zone'
export declare const ZONES: readonly ['UTC', 'LOCAL']
export type Zone = (typeof ZONES)[number]
export declare function shownZone(): Zone
export declare function showZone(zone: Zone): void
/** The zone in a stored text. */
export declare function zoneOf(text: string | undefined): Zone
/** Runs at once, and again after each change of the zone. */
export declare function onZone(write: () => void): void
/** `2026-11-23T14:05:09.000` as a clock in the zone shows it. */
export declare function zonedIso(timeMs: number): string
/**
 * The time at which a clock in the zone shows this, `2026-11-23T14:05`; NaN if there is none. If the clock
 * shows it twice, the first one.
 */
export declare function momentOf(text: string): number
/** `UTC`, or the offset of the zone at a time, such as `UTC+05:30`. */
export declare function zoneName(timeMs?: number): string
