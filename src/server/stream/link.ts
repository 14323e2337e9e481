/**
 * What a session needs of the connection under it, whichever transport it came through.
 */

import type { Language } from '../../wire/language.ts'

/** Who is at the other end. */
export type StreamClient = {
  /** As received, IPv6 in full. */
  readonly remoteAddress: string
  /** What its connections are counted by: its address, of IPv6 the network that one customer has. */
  readonly address: string
  /** What it wants to read errors in. */
  readonly language: Language
}

/**
 * One message as text, made once and sent to many. Socket.IO puts a short prefix before it; each prefix is put
 * there once, not once per client.
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

  /** The text behind `prefix`. Prefixes are few and fixed. */
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
  /** What each message takes beside its text while it waits. */
  readonly messageBytes: number

  /** Bytes taken by `send` that have not left this process, all buffers counted. */
  pendingBytes(): number

  /** Sends or buffers messages, in order. The caller has looked at `pendingBytes` before. */
  send(frames: readonly Frame[]): void

  /** Ends the connection at once. */
  abort(): void
}
