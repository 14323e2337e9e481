/**
 * Limits per address: weight and openings of the stream per minute, bans for continuing after 429, and the
 * limit of malformed requests. Minutes are those of the clock. Tables have a bounded number of entries; when
 * one is full, the oldest entry is dropped.
 */

import type { RateLimitUse } from '../../../contract/api/account-limits.ts'
import { perMinuteText } from '../../../contract/rate-limit-texts.ts'
import type { AddressBan } from '../../../core/registry/records.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import { WIDER_TIMES, widerKeys } from '../auth/address.ts'
import type { LimitsConfig } from './limits-config.ts'

const MINUTE_MS = 60_000
/** A connection closed for flooding counts as this many answers with 429; it cost at least as much. */
const FLOOD_REFUSALS = 10

/** Counters of an address per minute. */
export type AddressCounts = {
  weight: number
  /** Number of answers with 429, and of stream connections that were cut off. */
  refusals: number
  malformed: number
  /** Stream connections, and requests that would have opened one. */
  openings: number
}

export const NO_COUNTS: Readonly<AddressCounts> = { weight: 0, refusals: 0, malformed: 0, openings: 0 }
/** Counted quantities, by name. */
export const COUNTED = Object.keys(NO_COUNTS) as readonly (keyof AddressCounts)[]

/** Usage of an address in the current minute. */
export type AddressUse = AddressCounts & {
  /**
   * The keys of the wider networks of an IPv6 address, which all of their addresses share; undefined if it
   * has none.
   */
  readonly wider?: readonly WiderUse[]
}

/** Usage of a whole /56 or /48, which is allowed `times` as much as an address. */
type WiderUse = { readonly key: string; readonly times: number; readonly use: AddressUse }

/** A counted quantity of an address, and the setting that limits it. */
const MAX_OF = { weight: 'weightPerMinuteMax', openings: 'openingsPerMinuteMax' } as const
type Allotted = keyof typeof MAX_OF

/** A ban of an address; the next one is twice as long. */
export type LimitBan = { readonly until: TimeMs; readonly durationMs: number }

export class AddressLimits {
  #config: LimitsConfig
  readonly #banByAddress = new Map<string, LimitBan>()
  #useByAddress = new Map<string, AddressUse>()
  #minute = -1
  /** Called with each address that has just been banned, and the refusal that is sent to it. */
  onBanned: ((address: string, refusal: Refusal) => void) | undefined
  /** Called with each ban that this process imposes. */
  onBan: ((address: string, ban: LimitBan) => void) | undefined

  constructor(config: LimitsConfig) {
    this.#config = config
  }

  /** The usage of an address in this minute: the argument of `charge` and `noteMalformed`. */
  use(address: string, now: TimeMs): AddressUse {
    this.#turn(now)
    const known = this.#useByAddress.get(address)
    if (known !== undefined) return known
    const use = this.#begun(address, now)
    putBounded(this.#useByAddress, address, use, this.#config.entriesMax)
    return use
  }

  #begun(address: string, now: TimeMs): AddressUse {
    const nothing = { ...NO_COUNTS }
    const keys = widerKeys(address)
    if (keys.length === 0) return nothing
    const wider = keys.map((key, at) => ({ key, times: WIDER_TIMES[at] ?? 1, use: this.use(key, now) }))
    return { ...nothing, wider }
  }

  /**
   * Refuses an address that is banned, then one without weight left, then one with too many malformed
   * requests.
   */
  admit(address: string, use: AddressUse, weight: number, now: TimeMs): Refusal | undefined {
    if (!this.#config.isEnabled) return this.charge(address, use, weight, now)
    const until = this.#bannedUntil(address, use, now)
    if (until !== undefined) return refuse('BANNED', { seconds: secondsUntil(until, now) })
    const refusal = this.charge(address, use, weight, now)
    if (refusal !== undefined) return refusal
    const max = this.#config.malformedPerMinuteMax
    const isOver =
      use.malformed >= max || use.wider?.some((each) => each.use.malformed >= max * each.times) === true
    return isOver ? refuse('WAF', {}) : undefined
  }

  /** The end of the ban of the address or of a network that contains it; undefined if there is no ban. */
  #bannedUntil(address: string, { wider = [] }: AddressUse, now: TimeMs): TimeMs | undefined {
    for (const key of [address, ...wider.map((each) => each.key)]) {
      const ban = this.#banByAddress.get(key)
      if (ban !== undefined && now < ban.until) return ban.until
    }
    return undefined
  }

  /** Charges `weight`, or refuses and charges nothing. Further requests after that lead to a ban. */
  charge(address: string, use: AddressUse, weight: number, now: TimeMs): Refusal | undefined {
    return this.#take(address, use, 'weight', weight, now)
  }

  /**
   * Counts a stream connection that is about to be opened, before any other work for it. A client that
   * continues after the refusal is banned.
   */
  chargeOpening(address: string, now: TimeMs): Refusal | undefined {
    const use = this.use(address, now)
    // Another gateway may have imposed a ban after this request passed the check for bans.
    const until = this.#config.isEnabled ? this.#bannedUntil(address, use, now) : undefined
    if (until !== undefined) return refuse('BANNED', { seconds: secondsUntil(until, now) })
    return this.#take(address, use, 'openings', 1, now)
  }

  #take(address: string, use: AddressUse, what: Allotted, amount: number, now: TimeMs): Refusal | undefined {
    const full = this.#config.isEnabled ? this.#fullBy(use, what, amount) : undefined
    if (full === undefined) {
      addTo(use, what, amount)
      return undefined
    }
    const nextMinute = ((this.#minute + 1) * MINUTE_MS) as TimeMs
    const seconds = secondsUntil(nextMinute, now)
    return (
      this.noteRefusal(address, use, now) ??
      refuse('RATE_LIMITED', { limit: perMinuteText(what, full.max, full.network), seconds })
    )
  }

  /**
   * The limit that this weight would exceed, of the address or of a network that contains it; undefined if
   * there is none.
   */
  #fullBy(
    use: AddressUse,
    what: Allotted,
    amount: number,
  ): { readonly max: number; readonly network: string | undefined } | undefined {
    const max = this.#config[MAX_OF[what]]
    if (use[what] + amount > max) return { max, network: undefined }
    const network = use.wider?.find((each) => each.use[what] + amount > max * each.times)
    return network && { max: max * network.times, network: network.key }
  }

  /**
   * Charges the weight of an answer's content, which was not known when the request arrived. All of it is
   * charged if the address has not exceeded its limit yet, so that the longest answer is possible; the next
   * request is then refused.
   */
  chargeRows(address: string, use: AddressUse, weight: number, now: TimeMs): Refusal | undefined {
    if (this.#config.isEnabled && this.#fullBy(use, 'weight', 0) !== undefined) {
      return this.charge(address, use, weight, now)
    }
    addTo(use, 'weight', weight)
    return undefined
  }

  /** Counts an answer with 429; beyond the limit, bans the address instead. */
  noteRefusal(address: string, use: AddressUse, now: TimeMs): Refusal | undefined {
    addTo(use, 'refusals', 1)
    const max = this.#config.refusalsBeforeBan
    if (use.refusals > max) return this.#banAnew(address, now)
    const network = use.wider?.find((each) => each.use.refusals > max * each.times)
    return network && this.#banAnew(network.key, now)
  }

  #banAnew(address: string, now: TimeMs): Refusal {
    const durationMs = this.#nextBanMs(address, now)
    const ban = { until: (now + durationMs) as TimeMs, durationMs }
    this.onBan?.(address, ban)
    return this.ban(address, ban, now)
  }

  /** Bans an address on the decision of this or another gateway. Returns the refusal for its requests. */
  ban(address: string, ban: LimitBan, now: TimeMs): Refusal {
    this.#refusalsBeginAnew(address)
    this.#banByAddress.delete(address)
    putBounded(this.#banByAddress, address, ban, this.#config.entriesMax)
    const refusal = refuse('BANNED', { seconds: secondsUntil(ban.until, now) })
    this.onBanned?.(address, refusal)
    return refusal
  }

  /** Replaces the limits from now on. */
  limitBy(config: LimitsConfig): void {
    this.#config = config
  }

  /** Usage of addresses in the minute of `now`, and the number of that minute since 1970. */
  countedAt(now: TimeMs): {
    readonly minute: number
    readonly useByAddress: ReadonlyMap<string, AddressUse>
  } {
    this.#turn(now)
    return { minute: this.#minute, useByAddress: this.#useByAddress }
  }

  /**
   * Counts the usage of an address at another gateway in a minute; counts nothing for a minute that is over.
   */
  addUse(address: string, minute: number, more: AddressCounts): void {
    if (minute < this.#minute) return
    const use = this.use(address, (minute * MINUTE_MS) as TimeMs)
    for (const what of COUNTED) use[what] += more[what]
  }

  /** All bans that are not over. */
  bansNow(now: TimeMs): readonly (readonly [address: string, ban: LimitBan])[] {
    return [...this.#banByAddress].filter(([, { until }]) => now < until)
  }

  /** Usage of an address in the minute of `now`, in the form of the API's list of limits. */
  uses({ weight, refusals, malformed, openings }: AddressUse, now: TimeMs): RateLimitUse[] {
    const { isEnabled, weightPerMinuteMax, refusalsBeforeBan, malformedPerMinuteMax, openingsPerMinuteMax } =
      this.#config
    const resetAt = ((Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS) as TimeMs
    const of = (type: RateLimitUse['type'], used: number, max: number): RateLimitUse => {
      return { type, windowMs: MINUTE_MS, used, max: isEnabled ? max : undefined, resetAt }
    }
    return [
      of('REQUEST_WEIGHT', weight, weightPerMinuteMax),
      of('RATE_LIMITED', refusals, refusalsBeforeBan),
      of('MALFORMED_REQUESTS', malformed, malformedPerMinuteMax),
      of('STREAM_OPENINGS', openings, openingsPerMinuteMax),
    ]
  }

  /** Bans that are not over. */
  bans(now: TimeMs): AddressBan[] {
    return this.bansNow(now).map(([address, { until }]) => ({ address, until }))
  }

  /**
   * Removes a ban, the record of it (so that the next one is short again) and the refusals counted toward
   * the next one. Returns true if there was a ban.
   */
  lift(address: string): boolean {
    this.#refusalsBeginAnew(address)
    return this.#banByAddress.delete(address)
  }

  #refusalsBeginAnew(address: string): void {
    const use = this.#useByAddress.get(address)
    if (use !== undefined) use.refusals = 0
  }

  noteMalformed(use: AddressUse): void {
    addTo(use, 'malformed', 1)
  }

  /**
   * Notes that a stream connection was closed because of malformed data that it sent, which is worse than
   * requests after a 429.
   */
  noteFlood(address: string, now: TimeMs): void {
    const use = this.use(address, now)
    this.noteMalformed(use)
    if (!this.#config.isEnabled) return
    for (let refusals = 0; refusals < FLOOD_REFUSALS; refusals++) {
      if (this.noteRefusal(address, use, now) !== undefined) return
    }
  }

  #turn(now: TimeMs): void {
    const minute = Math.floor(now / MINUTE_MS)
    // Another gateway's clock may have been in the next minute already.
    if (minute <= this.#minute) return
    this.#minute = minute
    this.#useByAddress = new Map()
  }

  /**
   * Twice the duration of the last ban. That ban is forgotten once as much time as the longest ban has passed
   * since its end.
   */
  #nextBanMs(address: string, now: TimeMs): number {
    const { banMsMin, banMsMax } = this.#config
    const last = this.#banByAddress.get(address)
    if (last === undefined || now - last.until >= banMsMax) return banMsMin
    return Math.min(last.durationMs * 2, banMsMax)
  }
}

function addTo(use: AddressUse, what: keyof AddressCounts, amount: number): void {
  use[what] += amount
  for (const each of use.wider ?? []) each.use[what] += amount
}

/** Whole seconds until `time`, at least 1. */
export function secondsUntil(time: TimeMs, now: TimeMs): number {
  return Math.max(1, Math.ceil((time - now) / 1000))
}

/** Adds a new key, forgetting the oldest one when there are `entriesMax` already. */
export function putBounded<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  entriesMax: number,
): void {
  if (map.size >= entriesMax) {
    const oldest = map.keys().next()
    if (!oldest.done) map.delete(oldest.value)
  }
  map.set(key, value)
}
