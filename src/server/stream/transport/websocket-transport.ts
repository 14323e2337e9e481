/**
 * The plain WebSocket transport: every text frame is one message, a JSON array, both ways; or several, in an
 * array of arrays.
 */

import { UNREADABLE } from '../../../contract/stream/stream.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import type { OrderEntry } from '../../order-entry/order-entry.ts'
import type { StreamConfig } from '../config.ts'
import { entryOpening } from '../entry-opening.ts'
import type { AddressIntake } from '../intake/address-intakes.ts'
import { bytesOf, type CutCause, Intake } from '../intake/intake.ts'
import { ConnectionBudget } from '../intake/limits.ts'
import type { Frame, Link, StreamClient } from '../link.ts'
import type { Rooms } from '../rooms.ts'
import { Session } from '../session.ts'
import { endAfterSending } from './end-after-sending.ts'
import { SocketOutput } from './socket-output.ts'

/** The data of a plain socket. */
export type PlainSocketData = {
  /** The mark that distinguishes it from a socket of the other transport. */
  readonly kind: 'PLAIN'
  readonly client: StreamClient
  /** From `open` to `close`. */
  connection: PlainConnection | undefined
}

type PlainSocket = Bun.ServerWebSocket<PlainSocketData>

/** "Going away" (RFC 6455, 7.4.1): the server stops. */
const CLOSE_GOING_AWAY = 1001

export type PlainConnectionOptions = {
  readonly socket: PlainSocket
  readonly rooms: Rooms
  readonly entry: OrderEntry | undefined
  readonly config: StreamConfig
  /** State shared by all connections of its address. */
  readonly address: AddressIntake
  readonly now: () => number
  readonly onCut: (cause: CutCause) => void
}

/** One open plain WebSocket. */
export class PlainConnection implements Link {
  readonly messageBytes = 0
  readonly #output: SocketOutput
  readonly #session: Session
  readonly #intake: Intake
  readonly #onCut: (cause: CutCause) => void

  constructor({ socket, rooms, entry, config, address, now, onCut }: PlainConnectionOptions) {
    this.#onCut = onCut
    this.#intake = new Intake({ config, address, now, onCut: (cause) => this.#cut(cause) })
    this.#output = new SocketOutput(socket)
    const { client } = socket.data
    const { language } = client
    const opening = entryOpening(entry, client, config, true)
    const budget = new ConnectionBudget(address)
    this.#session = new Session({ link: this, rooms, config, now, language, budget, entry: opening })
  }

  /** Whether the connection has been cut off, and will close soon. */
  get isCut(): boolean {
    return this.#intake.isCut
  }

  pendingBytes(): number {
    return this.#output.pendingBytes()
  }

  send(frames: readonly Frame[]): void {
    this.#output.sendTogether(frames, '')
  }

  abort(): void {
    this.#output.terminate()
  }

  unsentBytes(): number {
    return this.#output.unsentBytes
  }

  /** Counts a control frame, which the runtime has already answered. */
  controlled(bytes: number): void {
    this.#intake.admits(bytes)
  }

  receive(message: string | Uint8Array): void {
    const bytes = bytesOf(message)
    if (!this.#intake.admits(bytes)) return
    if (typeof message === 'string') this.#session.receiveText(message, bytes)
    else this.#session.receive(UNREADABLE)
  }

  /** Must be called whenever something has left the buffer. */
  drained(): void {
    this.#output.drained()
    this.#session.freshen()
  }

  isStuck(): boolean {
    return this.#session.isStuck()
  }

  /** Called when the socket is closed. */
  ended(): void {
    this.#session.end()
  }

  announceStop(reconnectAfterMs: number): void {
    this.#session.announceStop(reconnectAfterMs)
  }

  announceStale(since: TimeMs): void {
    this.#session.announceStale(since)
  }

  announceLive(seq: Seq): void {
    this.#session.announceLive(seq)
  }

  /** Closes the connection with a close frame, or cuts it off if the client has not read everything. */
  stop(): void {
    this.#output.close(CLOSE_GOING_AWAY, 'the server is stopping')
  }

  #cut(cause: CutCause): void {
    this.#onCut(cause)
    this.#session.refuse('FLOODING', {})
    endAfterSending(() => this.abort())
  }
}
