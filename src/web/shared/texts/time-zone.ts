/**
 * The time zone of displayed times: UTC, as in all interfaces, so that two people who talk about a trade see
 * the same time; or the zone of the user's machine, if chosen. The page names the zone beside the times.
 */
import { effect, signal, untracked } from '@preact/signals'

export const ZONE_ENTRY = 'bourse-zone'
export const ZONES = ['UTC', 'LOCAL'] as const

export type Zone = (typeof ZONES)[number]

const MINUTE_MS = 60_000

const shown = signal<Zone>('UTC')

export function shownZone(): Zone {
  return shown.value
}

export function showZone(zone: Zone): void {
  shown.value = zone
}

/** The zone in a stored text. */
export function zoneOf(text: string | undefined): Zone {
  return ZONES.find((zone) => zone === text) ?? 'UTC'
}

/** Runs at once, and again after each change of the zone. */
export function onZone(write: () => void): void {
  effect(() => {
    void shown.value
    untracked(write)
  })
}

/** `2026-11-23T14:05:09.000` as a clock in the zone shows it. */
export function zonedIso(timeMs: number): string {
  return new Date(timeMs + offsetMs(timeMs)).toISOString().slice(0, -1)
}

/**
 * The time at which a clock in the zone shows this, `2026-11-23T14:05`; NaN if there is none. If the clock
 * shows it twice, the first one.
 */
export function momentOf(text: string): number {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc) || shown.value === 'UTC') return asUtc
  // The browser reads a time without a zone as local time.
  return Date.parse(text)
}

/** `UTC`, or the offset of the machine's clock at a time, such as `+05:30`. */
export function zoneName(timeMs = Date.now()): string {
  const minutes = offsetMs(timeMs) / MINUTE_MS
  if (minutes === 0) return 'UTC'
  const two = (figure: number) => String(Math.trunc(figure)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

function offsetMs(timeMs: number): number {
  return shown.value === 'UTC' ? 0 : -new Date(timeMs).getTimezoneOffset() * MINUTE_MS
}
