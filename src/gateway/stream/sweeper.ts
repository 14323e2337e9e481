/**
 * Looks over all connections now and then: sends books that are due where a drain went unnoticed, closes those
 * that stay stuck, and keeps what all of them together have buffered within its limit.
 */
import type { StreamConfig } from './config.ts'

/** A connection as the sweeper sees it. */
export interface Connection {
  pendingBytes(): number
  drained(): void
  isStuck(): boolean
  abort(): void
}

export class Sweeper {
  readonly #connections = new Set<Connection>()
  readonly #config: Pick<StreamConfig, 'sendBuffersBytesMax' | 'sweepMs'>
  readonly #onClosed: (count: number, pendingBytes: number) => void
  #timer: Timer | undefined

  /** `onClosed` learns how many connections a sweep closed, and how much all had pending before. */
  constructor(
    config: Pick<StreamConfig, 'sendBuffersBytesMax' | 'sweepMs'>,
    onClosed: (count: number, pendingBytes: number) => void,
  ) {
    this.#config = config
    this.#onClosed = onClosed
  }

  add(connection: Connection): void {
    this.#connections.add(connection)
    this.#timer ??= setInterval(() => this.sweep(), this.#config.sweepMs)
  }

  remove(connection: Connection): void {
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.stop()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  sweep(): void {
    let pendingBytes = 0
    let closed = 0
    const holders: { readonly connection: Connection; readonly bytes: number }[] = []
    for (const connection of this.#connections) {
      connection.drained()
      if (connection.isStuck()) {
        connection.abort()
        closed++
        continue
      }
      const bytes = connection.pendingBytes()
      if (bytes === 0) continue
      pendingBytes += bytes
      holders.push({ connection, bytes })
    }
    closed += this.#closeLargest(holders, pendingBytes)
    if (closed > 0) this.#onClosed(closed, pendingBytes)
  }

  /** Closes those with most pending until the rest is within the limit; returns how many. */
  #closeLargest(
    holders: { readonly connection: Connection; readonly bytes: number }[],
    pendingBytes: number,
  ): number {
    let excess = pendingBytes - this.#config.sendBuffersBytesMax
    if (excess <= 0) return 0
    holders.sort((a, b) => b.bytes - a.bytes)
    let closed = 0
    for (const { connection, bytes } of holders) {
      if (excess <= 0) break
      connection.abort()
      excess -= bytes
      closed++
    }
    return closed
  }
}
