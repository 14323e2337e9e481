/**
 * The subscriptions of one connection to events of accounts: at most one for each account, each with its key.
 */
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { refuse } from '../../common/refusal.ts'
import type { Grant } from '../api/grant.ts'
import type { GrantHolder, Holders } from '../api/holders.ts'
import { refused } from '../wire/refused.ts'
import { WireError } from '../wire/wire-error.ts'
import type { WireCalls } from '../wire-calls.ts'
import { CLOSE_CODES, type WireSocket } from '../wire-sockets.ts'
import { UserDataReader } from './user-data-reader.ts'

/** Maximum number for one connection; Binance allows more. */
const SUBSCRIPTIONS_MAX = 100

export type AccountSubscriptionsOptions = {
  readonly calls: WireCalls
  readonly socket: WireSocket
  readonly holders: Holders
}

type Subscription = GrantHolder & {
  readonly id: number
  readonly accountId: AccountId
  readonly reader: UserDataReader
  /** Whether the subscription was made by the key that is logged on, so that it ends with the login. */
  readonly isByLogin: boolean
}

export class AccountSubscriptions {
  readonly #options: AccountSubscriptionsOptions
  readonly #subscriptionById = new Map<number, Subscription>()
  #nextId = 0
  #isEnded = false

  constructor(options: AccountSubscriptionsOptions) {
    this.#options = options
  }

  get ids(): readonly number[] {
    return [...this.#subscriptionById.keys()]
  }

  /**
   * Subscribes to the account of the key; events are sent once the returned `begin` has been called. Rejects
   * with `EngineFault`.
   */
  async subscribe(
    grant: Grant,
    isByLogin: boolean,
  ): Promise<{ readonly id: number; readonly begin: () => void } | WireError> {
    const { accountId } = grant
    const fault = this.#fault(accountId)
    if (fault !== undefined) return fault
    const id = this.#nextId++
    const reader = this.#reader(id, accountId)
    const checkGrant = (now: TimeMs): void => {
      if (grant.fault(now) !== undefined) this.unsubscribe(id)
    }
    const subscription = { id, accountId, reader, isByLogin, checkGrant }
    this.#subscriptionById.set(id, subscription)
    this.#options.holders.add(subscription, grant)
    this.#options.holders.follow(accountId, reader)
    try {
      await reader.findStart()
    } catch (error) {
      this.#remove(subscription)
      throw error
    }
    // The connection or the key may have ended in the meantime.
    if (!this.#subscriptionById.has(id)) return refused(refuse('INVALID_API_KEY', {}))
    return { id, begin: () => reader.begin() }
  }

  /**
   * Ends one subscription, or all, and sends a message about each. False if there is no such subscription.
   */
  unsubscribe(id?: number): boolean {
    const ended = [...this.#subscriptionById.values()].filter((each) => id === undefined || each.id === id)
    for (const each of ended) this.#end(each)
    return ended.length > 0
  }

  loggedOut(): void {
    for (const each of [...this.#subscriptionById.values()]) if (each.isByLogin) this.#end(each)
  }

  drained(): void {
    for (const { reader } of this.#subscriptionById.values()) reader.drained()
  }

  /** Called when the connection is closed. */
  close(): void {
    this.#isEnded = true
    for (const each of [...this.#subscriptionById.values()]) this.#remove(each)
  }

  #fault(accountId: AccountId): WireError | undefined {
    const [first] = [...this.#subscriptionById.values()].filter((each) => each.accountId === accountId)
    if (first === undefined && this.#subscriptionById.size < SUBSCRIPTIONS_MAX && !this.#isEnded)
      return undefined
    const error =
      first === undefined
        ? { code: -2042, msg: 'Maximum subscription ID reached for this connection.' }
        : { code: -2035, msg: 'User Data Stream subscription already active.' }
    return new WireError({ status: 400, ...error, reason: 'TOO_MANY_SUBSCRIPTIONS' })
  }

  #reader(id: number, accountId: AccountId): UserDataReader {
    const { calls, socket } = this.#options
    const { clock, feeds, logger } = calls.shared
    return new UserDataReader({
      ...{ feeds, accountId, clock },
      send: (event) => socket.send(JSON.stringify({ subscriptionId: id, event })),
      waitingBytes: () => socket.waitingBytes,
      onCrash: (error) => logger.error({ err: error }, 'a subscription to user data failed'),
      onEnd: () => {
        this.unsubscribe(id)
        // Events were lost, which a client that stayed connected would not notice.
        socket.close(CLOSE_CODES.policy, 'too slow, or the events cannot be read')
      },
    })
  }

  #end(subscription: Subscription): void {
    this.#remove(subscription)
    const event = { e: 'eventStreamTerminated', E: this.#options.calls.shared.clock.steady() }
    this.#options.socket.send(JSON.stringify({ subscriptionId: subscription.id, event }))
  }

  #remove(subscription: Subscription): void {
    const { id, accountId, reader } = subscription
    this.#subscriptionById.delete(id)
    this.#options.holders.remove(subscription)
    this.#options.holders.unfollow(accountId, reader)
    reader.close()
  }
}
