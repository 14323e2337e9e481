/** The connection under a session, over any transport. */

import type { Language } from '../../contract/language.ts'

/** The other end of the connection. */
export type StreamClient = {
  /** As received, IPv6 in full. */
  readonly remoteAddress: string
  /** The key by which its connections are counted: its address, or for IPv6 the network of one customer. */
  readonly address: string
  /** The language of its errors. */
  readonly language: Language
}

/**
 * One message as text, made once and sent to many clients. Socket.IO puts a short prefix before it; each
 * prefixed text is made once, not once per client.
 */
export class Frame {
  readonly text: string
  #packets: Map<string, string> | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Length in UTF-16 units; market data is ASCII, so this is its length in bytes. */
  get length(): number {
    return this.text.length
  }

  /** The text after `prefix`. Prefixes are few and fixed. */
  packet(prefix: string): string {
    if (prefix === '') return this.text
    this.#packets ??= new Map()
    let packet = this.#packets.get(prefix)
    if (packet === undefined) {
      packet = prefix + this.text
      this.#packets.set(prefix, packet)
    }
    return packet
  }
}

export interface Link {
  /** Memory of each queued message besides its text. */
  readonly messageBytes: number

  /** Bytes taken by `send` that have not left this process, all buffers counted. */
  pendingBytes(): number

  /** Sends or buffers messages, in order. The caller must have checked `pendingBytes`. */
  send(frames: readonly Frame[]): void

  /** Ends the connection at once. */
  abort(): void
}
