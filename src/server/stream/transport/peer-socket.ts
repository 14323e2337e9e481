/**
 * A client's WebSocket whose session is in another gateway: frames are passed unchanged in both directions.
 * The number of bytes that either end has not read is bounded; beyond the bound both ends are closed, and the
 * client reconnects.
 */

import { cannotFail, guarded } from '../../../units/guarded.ts'
import type { StreamClient } from '../link.ts'

/**
 * Close codes that may be sent: 1006, for example, only means that none was received (RFC 6455, section
 * 7.4.1).
 */
const isSendable = (code: number): boolean => code === 1000 || (code >= 3000 && code <= 4999)

export type PeerSocketBounds = {
  /** Maximum amount of data that the client has not read. */
  readonly sentBytesMax: number
  /**
   * Maximum amount of data that the other gateway has not read, and of data received before the client's end
   * was open.
   */
  readonly heldBytesMax: number
}

type ClientSocket = Pick<Bun.ServerWebSocket<unknown>, 'send' | 'close' | 'terminate' | 'getBufferedAmount'>

export class PeerSocket {
  readonly kind = 'PEER'
  readonly client: StreamClient
  readonly #peer: WebSocket
  readonly #bounds: PeerSocketBounds
  #socket: ClientSocket | undefined
  /** Data received before the client's end was open. */
  #early: (string | Uint8Array)[] = []
  #earlyBytes = 0
  #isEnded = false

  constructor(peer: WebSocket, client: StreamClient, bounds: PeerSocketBounds) {
    this.client = client
    this.#peer = peer
    this.#bounds = bounds
    peer.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) =>
      this.#toClient(typeof data === 'string' ? data : new Uint8Array(data))
    peer.onclose = ({ code, reason }) => this.#end(isSendable(code) ? code : 1000, reason)
    peer.onerror = () => this.#end(1000, '')
  }

  /** Called when the client's end is open. */
  opened(client: ClientSocket): void {
    this.#socket = client
    if (this.#isEnded) client.close()
    for (const frame of this.#early.splice(0)) this.#toClient(frame)
  }

  /** Receives a frame of the client. */
  receive(frame: string | Uint8Array<ArrayBuffer>): void {
    if (this.#peer.bufferedAmount > this.#bounds.heldBytesMax) this.#cut()
    else if (!this.#isEnded) this.#peer.send(frame)
  }

  /**
   * Counts a control frame of the client, which the runtime has answered: the other gateway counts it too.
   */
  controlled(data: Buffer): void {
    if (this.#peer.bufferedAmount > this.#bounds.heldBytesMax) this.#cut()
    else if (!this.#isEnded) this.#peer.ping(data)
  }

  /** Called when the client has disconnected. */
  clientEnded(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#peer.terminate()
  }

  #toClient(frame: string | Uint8Array): void {
    if (this.#isEnded) return
    if (this.#socket === undefined) {
      this.#earlyBytes += frame.length
      if (this.#earlyBytes > this.#bounds.heldBytesMax) this.#cut()
      else this.#early.push(frame)
    } else if (this.#socket.getBufferedAmount() > this.#bounds.sentBytesMax) this.#cut()
    else this.#socket.send(frame)
  }

  #end(code: number, reason: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#socket?.close(code, reason)
  }

  #cut(): void {
    this.#isEnded = true
    this.#peer.terminate()
    this.#socket?.terminate()
  }
}

/** Undefined if the other gateway did not accept it, or has ended. */
export async function openPeerSocket(
  address: string,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<WebSocket | undefined> {
  const peer = new WebSocket(address, { headers })
  peer.binaryType = 'arraybuffer'
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(
    guarded(() => resolve(false), cannotFail),
    timeoutMs,
  )
  peer.onopen = () => resolve(true)
  peer.onerror = () => resolve(false)
  peer.onclose = () => resolve(false)
  const isOpen = await promise
  clearTimeout(timer)
  if (isOpen) return peer
  peer.terminate()
  return undefined
}
