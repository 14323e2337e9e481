export declare const ZONE_ENTRY = 'bourse-zone'
export declare const ZONES: readonly ['UTC', 'LOCAL']
export type Zone = (typeof ZONES)[number]
export declare function shownZone(): Zone
export declare function showZone(zone: Zone): void
/** Of what is kept. */
export declare function zoneOf(text: string | undefined): Zone
/** Runs at once, and again with each other zone. */
export declare function onZone(write: () => void): void
/** `2026-11-23T14:05:09.000` as a clock of the zone shows it. */
export declare function zonedIso(timeMs: number): string
/** The moment at which a clock of the zone shows this, `2026-11-23T14:05`; NaN: no time. Where the clock shows it twice, the first. */
export declare function momentOf(text: string): number
/** `UTC`, or `UTC+05:30`: what the zone is at a moment. */
export declare function zoneName(timeMs?: number): string
