/**
 * Counts that a gateway shares with other gateways of the same exchange (`count-hub.ts` is the other end).
 * Orders and nonces are counted only there: the order counts here are the last ones received. The use by
 * addresses is counted here and reported ten times a second, and reports of others are added: between two
 * reports an address may use its limit once per gateway. Without a link each gateway allows a share of the
 * total. A new leading engine has counted nothing, and receives the counts of the previous one.
 */

import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import { RequestClient } from '../../engine/port/request-client.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { ReportedKeyUse } from '../../server/access/auth/key-use.ts'
import type { NonceStore, NonceUse, NonceVerdict } from '../../server/access/auth/nonces.ts'
import type { SessionKeys } from '../../server/access/auth/session-keys.ts'
import {
  type AddressCounts,
  AddressLimits,
  COUNTED,
  NO_COUNTS,
  putBounded,
} from '../../server/access/limits/address-limits.ts'
import type { LimitsConfig } from '../../server/access/limits/limits-config.ts'
import type { Link } from '../../transport/link/asking/link-client.ts'
import type { AccountId } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import {
  type Counted,
  encodeCount,
  type FromGateway,
  formOf,
  type GatewayMeters,
  type OrderSums,
  readToGateway,
  type ToGateway,
  usesIn,
} from './count-messages.ts'
import { LinkedOrders } from './linked-orders.ts'
import { type SessionKeysMessage, takeSessionKeys } from './session-key-hub.ts'

/** Interval at which the usage of addresses is reported. */
export const REPORT_EVERY_MS = 100
/** The gateway's own counts are reported once per this number of reports. */
const REPORTS_PER_METERS = 10
/** Maximum number of accounts in one message about their earlier orders. */
const ACCOUNTS_PER_MESSAGE = 1_000
/** Maximum number of nonces that wait to be counted. */
const NONCES_MAX = 32_768
const NONCE_TIMEOUT_MS = 5_000

export type SharedCountsOptions = {
  readonly limits: LimitsConfig
  /** The number of gateways among which the limits are divided while there is no link. */
  readonly gateways: number
  readonly now: () => TimeMs
  readonly meters: () => GatewayMeters
  /** Undefined if there are no sessions of customers. */
  readonly sessionKeys?: SessionKeys | undefined
  readonly scheduler: Pick<Scheduler, 'later'>
}

type CountLink = Pick<Link, 'sendCount' | 'onCount' | 'lost'> & {
  readonly welcome: { readonly epoch: number }
}

export class SharedCounts {
  /** The limits that the gateway applies. */
  readonly addresses: AddressLimits
  readonly orders: LinkedOrders
  readonly keyUse = new ReportedKeyUse()
  readonly nonces: NonceStore
  readonly #options: SharedCountsOptions
  /** The other end's count of each address, in the minute of the last report. */
  #knownByAddress = new Map<string, AddressCounts>()
  #knownMinute = -1
  /** The use of each address that other gateways reported in the same minute. */
  #othersByAddress = new Map<string, AddressCounts>()
  /**
   * The use by addresses when the link was lost, and its minute; without a link, counting starts from zero.
   */
  #before: { readonly minute: number; readonly useByAddress: ReadonlyMap<string, AddressCounts> } | undefined
  /** The epoch of the engine at the other end; undefined if there was none yet. */
  #epoch: number | undefined
  #bans: [string, number, number][] = []
  #link: CountLink | undefined
  #nonceClient: RequestClient<NonceUse, { readonly nonce: NonceVerdict }> | undefined
  #cancelReport: () => void = () => {}
  #reports = 0

  constructor(options: SharedCountsOptions) {
    this.#options = options
    const { limits } = options
    this.addresses = new AddressLimits(this.#alone())
    this.addresses.onBan = (address, { until, durationMs }) => {
      this.#bans.push([address, until, durationMs])
      this.#refusalsBeginAnew(address)
    }
    this.orders = new LinkedOrders(limits, (accountId, at) => this.#send({ kind: 'giveBack', accountId, at }))
    this.nonces = { take: (use) => this.#takeNonce(use) }
  }

  /** Makes the gateway count over this link from now on, until the link is lost. */
  join(link: CountLink): void {
    const { limits, scheduler } = this.#options
    this.#link = link
    this.#addBefore()
    if (this.#epoch !== undefined && this.#epoch !== link.welcome.epoch) {
      this.#countAnew()
      this.#reportOrders()
    }
    this.#epoch = link.welcome.epoch
    const client = new RequestClient<NonceUse, { readonly nonce: NonceVerdict }>({
      send: (request, use) => this.#send({ kind: 'nonce', request, use: { ...use } }),
      terms: { nonce: { lost: 'ENGINE_DOWN', late: 'OVERLOADED' } },
      inFlightMax: NONCES_MAX,
      faultOf,
      patience: {
        timeoutMs: NONCE_TIMEOUT_MS,
        later: (task, delayMs) => scheduler.later(task, delayMs),
      },
    })
    this.#nonceClient = client
    this.addresses.limitBy(limits)
    link.onCount((message) => this.#received(readToGateway(message), client))
    void link.lost.then(() => {
      client.close('ENGINE_DOWN')
      if (this.#link !== link) return
      this.#link = undefined
      // Without a link it would not receive the end of a session.
      this.#options.sessionKeys?.suspend()
      this.#cancelReport()
      this.#setAside()
      this.addresses.limitBy(this.#alone())
    })
    this.#reportLater()
  }

  /** Called when the gateway begins to serve clients. */
  serving(): void {
    this.#send({ kind: 'serving' })
    this.#sendMeters()
  }

  /** Reports the unreported counts, and then stops the regular reports. */
  stop(): void {
    this.#cancelReport()
    this.#report()
    this.#sendMeters()
  }

  #alone(): LimitsConfig {
    const { limits, gateways } = this.#options
    const part = (whole: number): number => Math.ceil(whole / gateways)
    return {
      ...limits,
      weightPerMinuteMax: part(limits.weightPerMinuteMax),
      openingsPerMinuteMax: part(limits.openingsPerMinuteMax),
      malformedPerMinuteMax: part(limits.malformedPerMinuteMax),
      refusalsBeforeBan: part(limits.refusalsBeforeBan),
    }
  }

  #send(message: FromGateway): void {
    this.#link?.sendCount(encodeCount(message))
  }

  #takeNonce(use: NonceUse): Promise<NonceVerdict> {
    const client = this.#nonceClient
    return client === undefined ? Promise.reject(faultOf('STARTING')) : client.ask('nonce', use)
  }

  #received(message: ToGateway, client: RequestClient<NonceUse, { readonly nonce: NonceVerdict }>): void {
    switch (message.kind) {
      case 'totals':
        this.#begin(message)
        break
      case 'counts':
        this.#add(message)
        break
      case 'lifted':
        this.addresses.lift(message.address)
        this.#refusalsBeginAnew(message.address)
        break
      case 'nonce':
        client.answer(message.request, 'nonce', message.verdict)
        break
      case 'orders':
        for (const [accountId, at, counts] of message.sums)
          this.orders.takeCounts(accountId as AccountId, at as TimeMs, counts)
        break
      case 'sessionKeys':
        this.#takeSessionKeys(message)
        break
    }
  }

  #takeSessionKeys(message: SessionKeysMessage): void {
    const { sessionKeys } = this.#options
    if (sessionKeys !== undefined) takeSessionKeys(sessionKeys, message)
    this.#send({ kind: 'sessionKeysTaken', number: message.number })
  }

  /** Begins with the total of all gateways; use not yet reported is added, and reported with the rest. */
  #begin(totals: Counted): void {
    const { minute } = totals
    if (minute >= this.#knownMinute) {
      const known = this.#knownIn(minute)
      this.#knownByAddress = new Map()
      for (const [address, counts] of usesIn(totals)) {
        this.#addOthers(address, minute, lessOf(counts, known.get(address) ?? NO_COUNTS))
        this.#know(this.#knownByAddress, address, counts)
      }
    }
    this.#ban(totals.bans)
  }

  #add(counted: Counted): void {
    const { minute } = counted
    // Counts of a past minute are ignored, here as in the limits.
    const known = this.#knownIn(minute)
    for (const [address, more] of minute < this.#knownMinute ? [] : usesIn(counted)) {
      this.#addOthers(address, minute, more)
      this.#know(known, address, sumOf(known.get(address) ?? NO_COUNTS, more))
    }
    this.#ban(counted.bans)
  }

  /**
   * An address that used more of the total than the share allowed during the outage must not be refused for
   * that.
   */
  #setAside(): void {
    const { minute, useByAddress } = this.addresses.countedAt(this.#options.now())
    this.#before = {
      minute,
      useByAddress: new Map([...useByAddress].map(([address, use]) => [address, { ...use }])),
    }
    for (const use of useByAddress.values()) Object.assign(use, NO_COUNTS)
  }

  #addBefore(): void {
    const { minute = 0, useByAddress = [] } = this.#before ?? {}
    this.#before = undefined
    for (const [address, use] of useByAddress) this.addresses.addUse(address, minute, use)
  }

  #addOthers(address: string, minute: number, more: AddressCounts): void {
    this.addresses.addUse(address, minute, more)
    const others = this.#othersByAddress
    this.#know(others, address, sumOf(others.get(address) ?? NO_COUNTS, more))
  }

  /**
   * Called when another engine leads and has no counts yet: each gateway sends its own part, and receives the
   * parts of the others from there. Every gateway sends all bans that it has.
   */
  #countAnew(): void {
    const now = this.#options.now()
    const { minute, useByAddress } = this.addresses.countedAt(now)
    this.#bans = this.addresses.bansNow(now).map(([address, ban]) => [address, ban.until, ban.durationMs])
    this.#knownIn(minute)
    for (const [address, others] of this.#othersByAddress) {
      const use = useByAddress.get(address)
      if (use !== undefined) Object.assign(use, lessOf(use, leastOf(use, others)))
    }
    this.#knownByAddress = new Map()
    this.#othersByAddress = new Map()
  }

  /** Before any order of this gateway reaches the engine that leads now. */
  #reportOrders(): void {
    const now = this.#options.now()
    const sums = this.orders
      .counted(now)
      .map(([accountId, counts]): OrderSums => [accountId, now, [...counts]])
    const { minute } = this.addresses.countedAt(now)
    for (let from = 0; from < sums.length; from += ACCOUNTS_PER_MESSAGE) {
      const orders = sums.slice(from, from + ACCOUNTS_PER_MESSAGE)
      this.#send({ kind: 'report', minute, addresses: [], bans: [], keys: [], orders })
    }
  }

  /** The number of known addresses is limited to those that are counted. */
  #know(known: Map<string, AddressCounts>, address: string, use: AddressCounts): void {
    if (known.has(address)) known.set(address, use)
    else putBounded(known, address, use, this.#options.limits.entriesMax)
  }

  /** The other end's count of a minute: nothing if the minute has just begun. */
  #knownIn(minute: number): Map<string, AddressCounts> {
    if (minute <= this.#knownMinute) return this.#knownByAddress
    this.#knownMinute = minute
    this.#knownByAddress = new Map()
    this.#othersByAddress = new Map()
    return this.#knownByAddress
  }

  #ban(bans: Counted['bans']): void {
    const now = this.#options.now()
    for (const [address, until, durationMs] of bans) {
      this.addresses.ban(address, { until: until as TimeMs, durationMs }, now)
      this.#refusalsBeginAnew(address)
    }
  }

  /** After a ban or its end, here and at the other end: no sum contains earlier use any more. */
  #refusalsBeginAnew(address: string): void {
    for (const counted of [this.#knownByAddress, this.#othersByAddress]) {
      const use = counted.get(address)
      if (use !== undefined) use.refusals = 0
    }
  }

  #reportLater(): void {
    this.#cancelReport = this.#options.scheduler.later(() => {
      // Scheduled first, so that a failed report is not the last one.
      this.#reportLater()
      this.#report()
      if (++this.#reports % REPORTS_PER_METERS === 0) this.#sendMeters()
    }, REPORT_EVERY_MS)
  }

  #report(): void {
    if (this.#link === undefined) return
    const { minute, useByAddress } = this.addresses.countedAt(this.#options.now())
    const known = this.#knownIn(minute)
    const used: [string, AddressCounts][] = []
    for (const [address, use] of useByAddress) {
      const more = moreThan(known.get(address) ?? NO_COUNTS, use)
      if (COUNTED.every((what) => more[what] === 0)) continue
      used.push([address, more])
      this.#know(known, address, { ...use })
    }
    const bans = this.#bans
    this.#bans = []
    const keys = this.keyUse.takeUnreported().map(([apiKey, at]): [string, number] => [apiKey, at])
    if (used.length + bans.length + keys.length === 0) return
    this.#send({ kind: 'report', minute, ...formOf(used), bans, keys })
  }

  #sendMeters(): void {
    if (this.#link !== undefined) this.#send({ kind: 'meters', meters: this.#options.meters() })
  }
}

/** The usage since the known count: all of it, if an address was forgotten and has returned. */
function moreThan(known: Readonly<AddressCounts>, use: Readonly<AddressCounts>): AddressCounts {
  const more = lessOf(use, known)
  return COUNTED.some((what) => more[what] < 0) ? combined(use, NO_COUNTS, (own) => own) : more
}

function lessOf(use: Readonly<AddressCounts>, less: Readonly<AddressCounts>): AddressCounts {
  return combined(use, less, (a, b) => a - b)
}

function leastOf(use: Readonly<AddressCounts>, other: Readonly<AddressCounts>): AddressCounts {
  return combined(use, other, Math.min)
}

function sumOf(use: Readonly<AddressCounts>, more: Readonly<AddressCounts>): AddressCounts {
  return combined(use, more, (a, b) => a + b)
}

/** Combines two counts with `of`, value by value. */
function combined(
  one: Readonly<AddressCounts>,
  other: Readonly<AddressCounts>,
  of: (one: number, other: number) => number,
): AddressCounts {
  const counts = { ...NO_COUNTS }
  for (const what of COUNTED) counts[what] = of(one[what], other[what])
  return counts
}

function faultOf(kind: EngineFaultKind): EngineFault {
  return new EngineFault(kind, 'the nonce could not be counted')
}
