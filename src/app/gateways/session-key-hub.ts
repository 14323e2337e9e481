/**
 * Keys of customers' sessions for gateways in processes of their own: each gets all keys with its link, then
 * each change, and confirms it. A change is settled when every gateway has confirmed it; a gateway that does
 * not confirm the end of a session in time is disconnected, so that no process accepts the session. For
 * anything else a slow gateway is waited for. A gateway of another machine may notice later that it was
 * disconnected: an end of a session is settled after that time.
 */
import type { Scheduler } from '../../engine/writer/loop.ts'
import type { AddressList } from '../../server/access/auth/own-keys.ts'
import {
  isSessionKeyName,
  type SessionKey,
  type SessionKeyCopies,
  type SessionKeys,
} from '../../server/access/auth/session-keys.ts'
import type { AccountId } from '../../units/ids.ts'
import type { SessionKeyForm, ToGateway } from './count-messages.ts'

/** Maximum number of keys in one message. */
const PAGE = 200
/** A gateway that has not confirmed an end for this long is cut off. */
export const CONFIRM_MS = 5_000
const SWEEP_MS = 60_000

export type SessionKeysMessage = Extract<ToGateway, { kind: 'sessionKeys' }>

type Gateway = {
  readonly name: string
  readonly send: (message: SessionKeysMessage) => void
  /**
   * The number of the last message that was sent to it: the numbers in between belong to messages for other
   * gateways.
   */
  sent: number
  /** The number of the last message that it has confirmed. */
  taken: number
}

type Waiting = { readonly number: number; readonly resolve: () => void; readonly cancel: () => void }

export type SessionKeyHubOptions = {
  readonly keys: SessionKeys
  /** Ends a gateway's process. */
  readonly cut: (gateway: string) => void
  readonly scheduler: Pick<Scheduler, 'later'>
  /** How long a gateway has to confirm an end. */
  readonly confirmMs?: number
  /**
   * How long a gateway without a link may still accept keys; 0 means that its process has ended. Also applies
   * from the start on, since an earlier engine may have had gateways.
   */
  readonly lingerMs?: number
}

export class SessionKeyHub implements SessionKeyCopies {
  readonly #options: SessionKeyHubOptions
  readonly #gateways = new Set<Gateway>()
  /** Gateways without a link, which have not received the ends since then. */
  readonly #lingering = new Set<Pick<Gateway, 'taken'>>()
  readonly #waiting = new Set<Waiting>()
  #cancelSweep: () => void = () => {}
  #number = 0
  /** The number of the last message with an end. */
  #lastEnd = 0

  constructor(options: SessionKeyHubOptions) {
    this.#options = options
    options.keys.copies = this
    const { ownKeys } = options.keys
    ownKeys.onKept = (list) => this.#tell(this.#gateways, { keys: [], ended: [], lists: [listFormOf(list)] })
    ownKeys.onDropped = (apiKey) => this.ended(apiKey)
    this.#sweepLater()
    this.#linger({ taken: 0 })
  }

  /** Called when a gateway has a link: it gets all keys. */
  join(name: string, send: (message: SessionKeysMessage) => void): GatewayOfKeys {
    // The gateway needs no earlier change: the following messages contain all keys.
    const gateway: Gateway = { name, send, sent: this.#number, taken: this.#number }
    this.#gateways.add(gateway)
    let page: SessionKeyForm[] = []
    let place: 'FIRST' | 'MORE' = 'FIRST'
    const sendPage = (): void => {
      this.#tell([gateway], { place, keys: page, ended: [] })
      ;[page, place] = [[], 'MORE']
    }
    for (const { key, lastsMs } of this.#options.keys.all()) {
      page.push(formOf(key, lastsMs))
      if (page.length >= PAGE) sendPage()
    }
    sendPage()
    let lists: ReturnType<typeof listFormOf>[] = []
    const sendLists = (): void => {
      this.#tell([gateway], { place, keys: [], ended: [], lists })
      lists = []
    }
    for (const list of this.#options.keys.ownKeys.all()) {
      lists.push(listFormOf(list))
      if (lists.length >= PAGE) sendLists()
    }
    if (lists.length > 0) sendLists()
    if (this.#options.keys.isTold) this.#tell([gateway], { place: 'LAST', keys: [], ended: [] })
    return {
      taken: (number) => {
        gateway.taken = Math.max(gateway.taken, number)
        this.#look()
      },
      left: () => {
        this.#gateways.delete(gateway)
        this.#linger(gateway)
        this.#look()
      },
    }
  }

  opened(key: SessionKey, lastsMs: number): void {
    this.#tell(this.#gateways, { keys: [formOf(key, lastsMs)], ended: [] })
  }

  ended(name: string): void {
    this.#tell(this.#gateways, { keys: [], ended: [name] })
  }

  told(): void {
    this.#tell(this.#gateways, { place: 'LAST', keys: [], ended: [] })
  }

  /** Called when a gateway accepted a request with this key, whether or not it is a session's key. */
  used(name: string): void {
    if (isSessionKeyName(name)) this.#options.keys.used(name)
  }

  settled(): Promise<void> {
    const number = this.#number
    if (this.#isSettled(number)) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = this.#lastEnd
    const cancel = this.#options.scheduler.later(() => {
      for (const { name } of this.#late(end)) this.#options.cut(name)
    }, this.#options.confirmMs ?? CONFIRM_MS)
    this.#waiting.add({ number, resolve, cancel })
    return promise
  }

  #late(number: number): readonly Gateway[] {
    return [...this.#gateways].filter(({ sent, taken }) => taken < Math.min(sent, number))
  }

  #isSettled(number: number): boolean {
    const end = Math.min(number, this.#lastEnd)
    return this.#late(number).length === 0 && [...this.#lingering].every(({ taken }) => taken >= end)
  }

  #linger(gateway: Pick<Gateway, 'taken'>): void {
    const { scheduler, lingerMs = 0 } = this.#options
    if (lingerMs === 0) return
    this.#lingering.add(gateway)
    scheduler.later(() => {
      this.#lingering.delete(gateway)
      this.#look()
    }, lingerMs)
  }

  #look(): void {
    for (const waiting of this.#waiting) {
      if (!this.#isSettled(waiting.number)) continue
      this.#waiting.delete(waiting)
      waiting.cancel()
      waiting.resolve()
    }
  }

  #tell(gateways: Iterable<Gateway>, change: Omit<SessionKeysMessage, 'kind' | 'number'>): void {
    const number = ++this.#number
    if (change.ended.length > 0) this.#lastEnd = number
    for (const gateway of gateways) {
      gateway.sent = number
      gateway.send({ kind: 'sessionKeys', number, ...change })
    }
  }

  /** A gateway does not end keys that are unused: another one may have used them. */
  #sweepLater(): void {
    this.#cancelSweep = this.#options.scheduler.later(() => {
      this.#sweepLater()
      this.#options.keys.sweep()
    }, SWEEP_MS)
  }

  /** Called when the hub has no more gateways: keys are no longer swept. */
  stop(): void {
    this.#cancelSweep()
  }
}

/** The hub's side of one link. */
export type GatewayOfKeys = {
  taken(number: number): void
  left(): void
}

function formOf({ name, accountId, publicKey }: SessionKey, lastsMs: number): SessionKeyForm {
  return [name, accountId, Buffer.from(publicKey).toString('hex'), lastsMs]
}

function listFormOf({ apiKey, addresses }: AddressList): [string, string[]] {
  return [apiKey, [...addresses]]
}

/** In a gateway: applies a message of the hub. */
export function takeSessionKeys(keys: SessionKeys, message: SessionKeysMessage): void {
  const { place, lists = [] } = message
  const { ownKeys } = keys
  if (place === 'FIRST') {
    ownKeys.beginPage(place)
    keys.beginPage(place)
  }
  for (const [apiKey, addresses] of lists) ownKeys.keep(apiKey, addresses)
  for (const [name, account, digits, lastsMs] of message.keys) {
    const publicKey = new Uint8Array(Buffer.from(digits, 'hex'))
    keys.open({ name, accountId: account as AccountId, publicKey }, lastsMs)
  }
  for (const name of message.ended) {
    keys.end(name)
    ownKeys.drop(name)
  }
  if (place !== 'LAST') return
  ownKeys.endPage(place)
  keys.endPage(place)
}
