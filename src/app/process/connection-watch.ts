/**
 * Keeps the descriptors of a process from running out: it examines every connection that any of its servers
 * has accepted, whatever its purpose and whether or not a request was sent over it, and closes those selected
 * by `connection-policy.ts`. A quick check, 40 times a second, is one system call; a full scan covers the
 * descriptors in small pieces, so that no order waits for it.
 */

import {
  containsAny,
  limitKey,
  parseAddress,
  parseAddressRange,
  widerKeys,
} from '../../server/access/auth/address.ts'
import {
  CLOSED_SHARE,
  type ConnectionTerms,
  type CutCause,
  connectionsToCut,
  FULL_SHARE,
  type OpenConnection,
  perAddressMax,
  RESERVE_CLOSED_SHARE,
} from '../../server/access/limits/connection-policy.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { DescriptorUse } from '../../server/monitoring/descriptor-metrics.ts'
import { type ProcessSockets, processSockets, type SocketEnd } from '../../transport/process-sockets.ts'
import { guarded } from '../../units/guarded.ts'
import type { Settings } from '../settings/defaults.ts'
import { faultsOf } from './background.ts'

const TICK_MS = 25
/** Pause between the end of a complete check and the next. */
const PAUSE_MS = 500
/** Number of descriptors in one piece of a complete check. */
const PIECE = 512
/**
 * After this number of consecutive unused descriptors the search ends: the system assigns the lowest free
 * number.
 */
const GAP_MAX = 256
/**
 * The share of all descriptors that may wait in one listener's backlog: that many connections arrive even
 * after it stops accepting.
 */
const BACKLOG_SHARE = 1 / 32
const BACKLOG_MAX = 511
const QUIET_MS = 10_000
/** Maximum number of clients per second that are told to continue: such clients are rare. */
const GO_ON_PER_SECOND = 50
/**
 * While descriptors run short: the pause between two complete checks in one go, and that pause as a multiple
 * of the time of one.
 */
const HURRY_MS = 50
const RESTS = 9

const UNSEEN =
  'connections cannot be inspected on this system (this needs Linux with glibc): they are not limited by address, so a flood can use up all file descriptors'

export type ConnectionWatchOptions = {
  readonly log: Logger
  /**
   * The current port for clients; all others are for operators, probes and links. Undefined if there is none.
   */
  readonly clientPort: () => number | undefined
  /** Another port for clients, with another protocol; undefined if there is none. */
  readonly otherClientPort?: () => number | undefined
  /** Maximum number of client connections from one address. */
  readonly perAddressMax: number
  /** Whether limits per address apply; they do not in load tests. */
  readonly isByAddress: boolean
  /** Addresses and ranges of proxies, whose connections are used by many customers. */
  readonly trustedProxies: readonly string[]
  /** The system's sockets, unless a test replaces them; undefined if they cannot be examined here. */
  readonly sockets?: ProcessSockets | undefined
}

type Known = {
  readonly cookie: number
  readonly kind: 'LISTENER' | 'CONNECTION' | 'OTHER'
  readonly port: number
} & {
  readonly key: string | undefined
  readonly wider: readonly string[]
  hasSent: boolean
}
type Looked = OpenConnection & { readonly descriptor: number }

export class ConnectionWatch {
  readonly #options: ConnectionWatchOptions
  readonly #sockets: ProcessSockets | undefined
  readonly #trusted: readonly NonNullable<ReturnType<typeof parseAddressRange>>[]
  readonly #knownByDescriptor = new Map<number, Known>()
  readonly #cutByCause: Record<CutCause, number> = { SILENT: 0, ADDRESS: 0, ROOM: 0 }
  readonly #stop: () => void
  /** The position of the full scan; undefined if none is in progress. */
  #at: number | undefined
  #used = 0
  #highest = 0
  #gap = 0
  #lookedMs = Number.NEGATIVE_INFINITY
  /** Result of the last complete check in one go. */
  #tookMs = 0
  #last = { used: 0, connections: 0 }
  #isClosed = false
  #isReserveClosed = false
  #closed = 0
  #goOnSecond = 0
  #goneOn = 0
  #saidMs = Number.NEGATIVE_INFINITY

  constructor(options: ConnectionWatchOptions) {
    this.#options = options
    this.#sockets = 'sockets' in options ? options.sockets : processSockets()
    this.#trusted = options.trustedProxies.flatMap((range) => parseAddressRange(range) ?? [])
    if (this.#sockets === undefined) {
      this.#stop = () => {}
      options.log.warn({}, UNSEEN)
      return
    }
    const timer = setInterval(
      guarded(() => this.tick(performance.now()), faultsOf(options.log, 'the connection monitor')),
      TICK_MS,
    )
    timer.unref()
    this.#stop = () => clearInterval(timer)
  }

  /** Undefined if this system does not provide it. */
  get use(): DescriptorUse | undefined {
    if (this.#sockets === undefined) return undefined
    return {
      ...this.#last,
      max: this.#sockets.descriptorsMax,
      isClosed: this.#isClosed,
      closed: this.#closed,
      cutByCause: this.#cutByCause,
    }
  }

  /** One quick check, and a piece of a full scan if it is due; `nowMs`: monotonic milliseconds. */
  tick(nowMs: number): void {
    const sockets = this.#sockets
    if (sockets === undefined) return
    const { descriptorsMax } = sockets
    // The system assigns the lowest free number: this one is in use only if most lower ones are, or were a
    // moment ago.
    const isInUse = (share: number): boolean => sockets.isOpen(Math.floor(descriptorsMax * share))
    const isUrgent = !this.#isClosed && isInUse(CLOSED_SHARE)
    const isRested = nowMs - this.#lookedMs >= Math.max(HURRY_MS, RESTS * this.#tookMs)
    if (isUrgent || (isRested && (this.#isClosed || isInUse(FULL_SHARE)))) {
      this.#begin()
      this.#look(sockets, Number.POSITIVE_INFINITY)
      this.#finish(sockets, nowMs)
      this.#tookMs = performance.now() - nowMs
      return
    }
    if (this.#at === undefined) {
      if (nowMs - this.#lookedMs < PAUSE_MS) return
      this.#begin()
    }
    if (this.#look(sockets, PIECE)) this.#finish(sockets, nowMs)
  }

  /**
   * Sends `100 Continue` to a client at the other end of a connection without TLS, which the runtime does
   * only for one spelling of `Expect`. False if it cannot be found, and when too many have requested this in
   * the same second: each costs a check of the new descriptors.
   */
  goOn({ address, port }: SocketEnd): boolean {
    const sockets = this.#sockets
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#goOnSecond) this.#goneOn = 0
    this.#goOnSecond = second
    if (sockets === undefined || ++this.#goneOn > GO_ON_PER_SECOND) return false
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
    for (let at = 0, gap = 0; at < sockets.descriptorsMax && (gap <= GAP_MAX || at <= this.#highest); at++) {
      gap = sockets.isOpen(at) ? 0 : gap + 1
      if (gap > 0) continue
      const peer = sockets.peer(at)
      if (peer?.port !== port || !this.#isClients(sockets.own(at)?.port)) continue
      if (sameAddress(peer.address, plain)) return sockets.send(at, 'HTTP/1.1 100 Continue\r\n\r\n')
    }
    return false
  }

  stop(): void {
    this.#stop()
  }

  #begin(): void {
    this.#at = 0
    this.#used = 0
    this.#gap = 0
  }

  /** Scans this number of descriptors; returns whether it has reached the last. */
  #look(sockets: ProcessSockets, piece: number): boolean {
    const known = this.#knownByDescriptor
    let highest = 0
    let at = this.#at ?? 0
    for (let looked = 0; looked < piece; looked++, at++) {
      if (at >= sockets.descriptorsMax || (this.#gap > GAP_MAX && at > this.#highest)) {
        this.#at = undefined
        for (const descriptor of known.keys()) if (descriptor >= at) known.delete(descriptor)
        this.#highest = Math.max(highest, this.#usedUpTo(known))
        return true
      }
      if (!sockets.isOpen(at)) {
        this.#gap++
        known.delete(at)
        continue
      }
      this.#gap = 0
      this.#used++
      highest = at
      this.#know(sockets, at)
    }
    this.#highest = Math.max(this.#highest, highest)
    this.#at = at
    return false
  }

  #usedUpTo(known: ReadonlyMap<number, Known>): number {
    let highest = 0
    for (const descriptor of known.keys()) if (descriptor > highest) highest = descriptor
    return highest
  }

  #know(sockets: ProcessSockets, descriptor: number): void {
    const cookie = sockets.cookie(descriptor)
    if (cookie === undefined) {
      this.#knownByDescriptor.delete(descriptor)
      return
    }
    if (this.#knownByDescriptor.get(descriptor)?.cookie === cookie) return
    const kind = sockets.kind(descriptor)
    const known = { cookie, kind, ...this.#origin(sockets, descriptor, kind), hasSent: false }
    this.#knownByDescriptor.set(descriptor, known)
    if (kind !== 'LISTENER') return
    const waiting = Math.floor(sockets.descriptorsMax * BACKLOG_SHARE)
    if (known.port > 0) sockets.setBacklog(descriptor, Math.max(1, Math.min(BACKLOG_MAX, waiting)))
    if (this.#isClosed) this.#applyGate(sockets, descriptor, known)
  }

  #origin(
    sockets: ProcessSockets,
    descriptor: number,
    kind: Known['kind'],
  ): Pick<Known, 'port' | 'key' | 'wider'> {
    const port = kind === 'OTHER' ? 0 : (sockets.own(descriptor)?.port ?? 0)
    const peer = kind === 'CONNECTION' ? sockets.peer(descriptor)?.address : undefined
    const address = peer === undefined ? undefined : parseAddress(peer)
    if (peer === undefined || address === undefined || containsAny(this.#trusted, address))
      return { port, key: undefined, wider: [] }
    const key = limitKey(peer)
    return { port, key, wider: widerKeys(key) }
  }

  #finish(sockets: ProcessSockets, nowMs: number): void {
    this.#lookedMs = nowMs
    const { perAddressMax: set, isByAddress } = this.#options
    const { descriptorsMax } = sockets
    const terms = { descriptorsMax, perAddressMax: isByAddress ? set : descriptorsMax }
    const open = this.#open(sockets, terms)
    const cut = connectionsToCut(open, this.#used, terms)
    for (const [{ descriptor }, cause] of cut) {
      sockets.cut(descriptor)
      this.#cutByCause[cause]++
    }
    this.#last = { used: this.#used, connections: open.length }
    this.#gate(sockets)
    this.#say(cut.size, nowMs)
  }

  /** Connections that one of the process's own listeners has taken. */
  #open(sockets: ProcessSockets, terms: ConnectionTerms): Looked[] {
    const listened = new Set<number>()
    for (const { kind, port } of this.#knownByDescriptor.values()) if (kind === 'LISTENER') listened.add(port)
    const isShort = this.#used > sockets.descriptorsMax * FULL_SHARE || this.#hasCrowd(terms)
    const open: Looked[] = []
    for (const [descriptor, known] of this.#knownByDescriptor) {
      if (known.kind !== 'CONNECTION' || !listened.has(known.port)) continue
      const port = this.#isClients(known.port) ? 'CLIENTS' : known.port
      // A connection that has sent data is checked again only if connections must be closed.
      const facts =
        known.hasSent && port === 'CLIENTS' && !isShort
          ? { receivedBytes: 1, silentMs: 0 }
          : sockets.facts(descriptor)
      if (facts === undefined) continue
      known.hasSent = facts.receivedBytes > 0
      const { key, wider, hasSent } = known
      open.push({ descriptor, key, wider, port, hasSent, silentMs: facts.silentMs })
    }
    return open
  }

  /** Whether an address has reached its limit: then its connection with the longest silence must be known. */
  #hasCrowd(terms: ConnectionTerms): boolean {
    const max = perAddressMax(terms)
    const countByKey = new Map<string, number>()
    for (const { kind, key, wider, port } of this.#knownByDescriptor.values()) {
      if (kind !== 'CONNECTION' || key === undefined || !this.#isClients(port)) continue
      for (const each of [key, ...wider]) {
        const count = (countByKey.get(each) ?? 0) + 1
        if (count > max) return true
        countByKey.set(each, count)
      }
    }
    return false
  }

  /** Whether clients connect to this port of the process. */
  #isClients(port: number | undefined): boolean {
    const { clientPort, otherClientPort } = this.#options
    return port !== undefined && (port === clientPort() || port === otherClientPort?.())
  }

  #gate(sockets: ProcessSockets): void {
    const share = this.#used / sockets.descriptorsMax
    // The listener opens again only with some room, not exactly at the limit.
    const isClosed = share >= (this.#isClosed ? FULL_SHARE : CLOSED_SHARE)
    const isReserveClosed = share >= RESERVE_CLOSED_SHARE
    if (isClosed === this.#isClosed && isReserveClosed === this.#isReserveClosed) return
    if (isClosed && !this.#isClosed) this.#closed++
    this.#isClosed = isClosed
    this.#isReserveClosed = isReserveClosed
    for (const [descriptor, known] of this.#knownByDescriptor)
      if (known.kind === 'LISTENER') this.#applyGate(sockets, descriptor, known)
  }

  #applyGate(sockets: ProcessSockets, descriptor: number, { port }: Known): void {
    const isClients = this.#isClients(port)
    sockets.setTaking(descriptor, !(this.#isReserveClosed || (isClients && this.#isClosed)))
  }

  #say(cut: number, nowMs: number): void {
    if (!this.#isClosed || nowMs - this.#saidMs < QUIET_MS) return
    this.#saidMs = nowMs
    const { used, connections } = this.#last
    const fields = {
      alarm: 'DESCRIPTORS_USED_UP',
      used,
      max: this.#sockets?.descriptorsMax,
      connections,
      cut,
    }
    this.#options.log.error(fields, 'no connections are accepted until file descriptors are free again')
  }
}

/** Compares two addresses regardless of their notation. */
function sameAddress(one: string, other: string): boolean {
  if (one === other) return true
  const [first, second] = [parseAddress(one), parseAddress(other)]
  return first !== undefined && first.family === second?.family && first.bits === second.bits
}

/** The settings of the connection limits. */
export function connectionTerms({
  server,
  gateway,
}: Pick<Settings, 'server' | 'gateway'>): Pick<
  ConnectionWatchOptions,
  'perAddressMax' | 'isByAddress' | 'trustedProxies'
> {
  return {
    perAddressMax: server.connectionsPerAddressMax,
    isByAddress: gateway.limits.isEnabled,
    trustedProxies: gateway.trustedProxies,
  }
}
