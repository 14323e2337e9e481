/**
 * One client of the stream on a bare TCP connection: it joins through either transport, counts the messages
 * that it receives and parses as little as possible, so that a thousand of these clients cost less than what
 * they measure.
 */
import { FrameReader, textFrame, upgradeRequest } from './frame-reader.ts'
import { moment, type SubscriptionPlan } from './subscription.ts'

const HEAD_END = Buffer.from('\r\n\r\n')
/** Engine.IO's ping and pong; Socket.IO's connect; the start of an event. */
const PING = 0x32
const PONG = textFrame('3')
const CONNECT = '40'
const EVENT = '42'
const TAKER = Buffer.from('"takerId":"')
const UUID_LENGTH = 36
/** Reading time of a lagging client. */
const READS_MS = 5
const PAUSES_MS = 95

export type SubscriberRole = {
  /** Whether the client records the time of every match that it receives. */
  readonly isTimed: boolean
  /** Whether the client computes a digest of what it receives. */
  readonly isDigested: boolean
  /** Whether the client stops reading once it joined. */
  readonly isSlow: boolean
  /** Whether the client alternately reads briefly and pauses. */
  readonly isLagging: boolean
}

export class Subscriber {
  /** Messages since the client joined. */
  messages = 0
  digest = 0
  /** Times of matches, by the taking order's id. */
  readonly matchedAt = new Map<string, number>()
  readonly #plan: SubscriptionPlan
  readonly #role: SubscriberRole
  readonly #frames = new FrameReader()
  readonly #joined = Promise.withResolvers<void>()
  #isUpgraded = false
  #isJoined = false

  constructor(plan: SubscriptionPlan, role: SubscriberRole) {
    this.#plan = plan
    this.#role = role
  }

  /** Resolves when the recent trades that follow a join, or the state of a channel, have arrived. */
  async join(): Promise<void> {
    const { port, transport } = this.#plan
    const path = transport === 'plain' ? '/ws' : '/socket.io/?EIO=4&transport=websocket'
    const { reject } = this.#joined
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (opened) => void opened.write(upgradeRequest(path)),
        data: (from, chunk) => this.#receive(from, chunk),
        close: () => reject(new Error(`the server closed a connection: ${this.#frames.farewell}`)),
        error: (_socket, cause) => reject(cause),
      },
    })
    await this.#joined.promise
    if (this.#role.isSlow) socket.pause()
    if (this.#role.isLagging) readNowAndThen(socket)
  }

  #receive(socket: Bun.Socket, chunk: Buffer): void {
    if (this.#isUpgraded) {
      this.#frames.read(chunk, (message) => this.#take(socket, message))
      return
    }
    const headEnd = chunk.indexOf(HEAD_END)
    if (headEnd < 0) throw new Error('expected the answer to an upgrade in one piece')
    this.#isUpgraded = true
    if (this.#plan.transport === 'plain') socket.write(this.#joinFrame(''))
    else socket.write(textFrame(CONNECT))
    this.#receive(socket, chunk.subarray(headEnd + HEAD_END.length))
  }

  #take(socket: Bun.Socket, message: Buffer): void {
    if (this.#isJoined) {
      if (message.length === 1 && message[0] === PING) socket.write(PONG)
      else this.#count(message)
      return
    }
    const text = message.toString('latin1', 0, 32)
    if (text.startsWith(`${CONNECT}{`)) socket.write(this.#joinFrame(EVENT))
    if (!text.includes(`["${this.#plan.topic?.channel ?? 'trades'}",`)) return
    this.#isJoined = true
    this.#joined.resolve()
  }

  #count(message: Buffer): void {
    this.messages++
    const { isTimed, isDigested } = this.#role
    if (isDigested) {
      const text = this.#plan.transport === 'plain' ? message : message.subarray(EVENT.length)
      this.digest = Bun.hash.crc32(text, this.digest)
    }
    if (!isTimed) return
    const at = message.indexOf(TAKER)
    if (at < 0) return
    const id = message.toString('latin1', at + TAKER.length, at + TAKER.length + UUID_LENGTH)
    this.matchedAt.set(id, moment())
  }

  #joinFrame(prefix: string): Buffer {
    const { symbol, topic } = this.#plan
    const message = topic === undefined ? ['join', symbol] : ['subscribe', { ...topic, symbol }]
    return textFrame(prefix + JSON.stringify(message))
  }
}

function readNowAndThen(socket: Bun.Socket): void {
  socket.pause()
  setTimeout(() => {
    socket.resume()
    setTimeout(() => readNowAndThen(socket), READS_MS)
  }, PAUSES_MS)
}
