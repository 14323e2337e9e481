/**
 * The zone that times are shown in: UTC, like every time that the interfaces give, so that two people who talk about a trade see the same figure; or that of the
 * reader's machine, where it was chosen. The page names it beside them.
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

/** Of what is kept. */
export function zoneOf(text: string | undefined): Zone {
  return ZONES.find((zone) => zone === text) ?? 'UTC'
}

/** Runs at once, and again with each other zone. */
export function onZone(write: () => void): void {
  effect(() => {
    void shown.value
    untracked(write)
  })
}

/** `2026-11-23T14:05:09.000` as a clock of the zone shows it. */
export function zonedIso(timeMs: number): string {
  return new Date(timeMs + offsetMs(timeMs)).toISOString().slice(0, -1)
}

/** The moment at which a clock of the zone shows this, `2026-11-23T14:05`; NaN: no time. Where the clock shows it twice, the first. */
export function momentOf(text: string): number {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc) || shown.value === 'UTC') return asUtc
  // The browser reads a time without a zone as one of the machine.
  return Date.parse(text)
}

/** `UTC`, or `+05:30`, what a clock of the machine is ahead of it at a moment. */
export function zoneName(timeMs = Date.now()): string {
  const minutes = offsetMs(timeMs) / MINUTE_MS
  if (minutes === 0) return 'UTC'
  const two = (figure: number) => String(Math.trunc(figure)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

function offsetMs(timeMs: number): number {
  return shown.value === 'UTC' ? 0 : -new Date(timeMs).getTimezoneOffset() * MINUTE_MS
}
