/**
 * Counts of all gateways of an exchange, kept in the process that receives all their commands: orders and
 * nonces of accounts, use by addresses, bans, use of keys. Each gateway gets the counts of the others as soon
 * as they arrive.
 */

import { KeyUse } from '../../server/access/auth/key-use.ts'
import type { NonceStore, NonceUse } from '../../server/access/auth/nonces.ts'
import { AddressLimits } from '../../server/access/limits/address-limits.ts'
import type { LimitsConfig } from '../../server/access/limits/limits-config.ts'
import { OrderLimits, type OrderTerms } from '../../server/access/limits/order-limits.ts'
import type { LimitBans } from '../../server/admin/context.ts'
import type { CountEnd, SendCount } from '../../transport/link/protocol/count-end.ts'
import type { AccountId } from '../../units/ids.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { TimeMs } from '../../units/quantities.ts'
import {
  type Counted,
  encodeCount,
  type FromGateway,
  formOf,
  type GatewayMeters,
  readFromGateway,
  type ToGateway,
  usesIn,
} from './count-messages.ts'
import type { GatewayOfKeys, SessionKeyHub } from './session-key-hub.ts'

export type CountHubOptions = {
  readonly limits: LimitsConfig
  readonly nonces: NonceStore
  /** Accounts with their own order limits instead of the common ones. */
  readonly orderTerms: OrderTerms
  /** The server's time. */
  readonly now: () => TimeMs
  /** Called when a gateway begins to serve clients. */
  readonly onServing: (gateway: string) => void
  /** Called when a gateway has reported its own counts. */
  readonly onMeters: (gateway: string, meters: GatewayMeters) => void
  /** Called when a gateway's link has ended. */
  readonly onGone: (gateway: string) => void
  /** Undefined if there are no sessions of customers. */
  readonly sessionKeys?: SessionKeyHub | undefined
}

export class CountHub {
  readonly keyUse = new KeyUse()
  readonly #options: CountHubOptions
  readonly #addresses: AddressLimits
  readonly #orders: OrderLimits
  readonly #ends = new Set<HubEnd>()
  readonly #keysByEnd = new Map<HubEnd, GatewayOfKeys>()

  constructor(options: CountHubOptions) {
    this.#options = options
    this.#addresses = new AddressLimits(options.limits)
    this.#orders = new OrderLimits(options.limits)
    this.#orders.heed(options.orderTerms)
  }

  /** Bans by rate limits, from all gateways. */
  get limitBans(): LimitBans {
    return {
      list: (now) => this.#addresses.bans(now),
      lift: (address) => {
        for (const end of this.#ends) end.send({ kind: 'lifted', address })
        return this.#addresses.lift(address)
      },
    }
  }

  /** Begins to count for a gateway; for `LinkServer`. */
  open(gateway: string, send: SendCount): CountEnd {
    const end: HubEnd = new HubEnd(send, {
      take: (charge) => this.#take(charge),
      orderCounts: (accountId, at) => this.#orders.counts(accountId, at).map(({ count }) => count),
      received: (message) => this.#received(gateway, end, message),
      closed: () => {
        this.#ends.delete(end)
        this.#keysByEnd.get(end)?.left()
        this.#keysByEnd.delete(end)
        this.#options.onGone(gateway)
      },
    })
    this.#ends.add(end)
    end.send({ kind: 'totals', ...this.#totals() })
    const { sessionKeys } = this.#options
    if (sessionKeys !== undefined)
      this.#keysByEnd.set(
        end,
        sessionKeys.join(gateway, (message) => end.send(message)),
      )
    return end
  }

  #totals(): Counted {
    // Switches to the current minute, so that counts of an earlier minute are not sent.
    const now = this.#options.now()
    const { minute, useByAddress } = this.#addresses.countedAt(now)
    return {
      minute,
      ...formOf(useByAddress),
      bans: this.#addresses.bansNow(now).map(([address, ban]) => [address, ban.until, ban.durationMs]),
    }
  }

  #take({ accountId, at, orders }: OrderCharge): boolean {
    return this.#orders.take(accountId, at, orders) === undefined
  }

  #received(gateway: string, end: HubEnd, message: FromGateway): void {
    switch (message.kind) {
      case 'serving':
        this.#options.onServing(gateway)
        break
      case 'report':
        this.#reported(end, message)
        break
      case 'nonce':
        void this.#takeNonce(end, message.request, message.use as NonceUse)
        break
      case 'giveBack':
        this.#orders.giveBack(message.accountId as AccountId, message.at as TimeMs)
        break
      case 'meters':
        this.#options.onMeters(gateway, message.meters)
        break
      case 'sessionKeysTaken':
        this.#keysByEnd.get(end)?.taken(message.number)
        break
    }
  }

  #reported(from: HubEnd, report: Extract<FromGateway, { kind: 'report' }>): void {
    const { minute, addresses, openings, bans, keys, orders = [] } = report
    const now = this.#options.now()
    for (const [address, counts] of usesIn(report)) this.#addresses.addUse(address, minute, counts)
    for (const [address, until, durationMs] of bans)
      this.#addresses.ban(address, { until: until as TimeMs, durationMs }, now)
    for (const [accountId, at, counts] of orders)
      this.#orders.carry(accountId as AccountId, at as TimeMs, counts)
    for (const [apiKey, at] of keys) {
      this.keyUse.note(apiKey, at as TimeMs)
      this.#options.sessionKeys?.used(apiKey)
    }
    if (addresses.length === 0 && bans.length === 0) return
    for (const end of this.#ends)
      if (end !== from) end.send({ kind: 'counts', minute, addresses, bans, ...(openings && { openings }) })
  }

  async #takeNonce(end: HubEnd, request: number, use: NonceUse): Promise<void> {
    const verdict = await this.#options.nonces.take(use)
    end.send({ kind: 'nonce', request, verdict } as ToGateway)
  }
}

type HubEndParts = {
  readonly take: (charge: OrderCharge) => boolean
  readonly orderCounts: (accountId: AccountId, at: TimeMs) => number[]
  readonly received: (message: FromGateway) => void
  readonly closed: () => void
}

/** The hub's end of one link. */
class HubEnd implements CountEnd {
  readonly #send: SendCount
  readonly #parts: HubEndParts
  /** The time of the last order whose sums are yet to be sent, by account. */
  readonly #unsent = new Map<AccountId, TimeMs>()
  #lastTicket = 0
  #isLastAdmitted = false
  #isClosed = false

  constructor(send: SendCount, parts: HubEndParts) {
    this.#send = send
    this.#parts = parts
  }

  receive(message: Uint8Array): void {
    this.#parts.received(readFromGateway(message))
  }

  /** Commands that share a ticket arrive one directly after another. */
  admits(charge: OrderCharge): boolean {
    if (charge.ticket === this.#lastTicket) return this.#isLastAdmitted
    this.#lastTicket = charge.ticket
    this.#isLastAdmitted = this.#parts.take(charge)
    this.#unsent.set(charge.accountId, charge.at)
    return this.#isLastAdmitted
  }

  flush(): void {
    if (this.#unsent.size === 0) return
    const sums = [...this.#unsent].map(([accountId, at]): [number, number, number[]] => [
      accountId,
      at,
      this.#parts.orderCounts(accountId, at),
    ])
    this.#unsent.clear()
    this.send({ kind: 'orders', sums })
  }

  close(): void {
    this.#isClosed = true
    this.#parts.closed()
  }

  send(message: ToGateway): void {
    if (!this.#isClosed) this.#send(encodeCount(message))
  }
}
