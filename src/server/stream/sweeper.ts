/**
 * Checks all connections periodically: sends books that are due after an unnoticed drain, closes connections
 * that stay stuck, and keeps the total of all send buffers within its limit.
 */
import { guarded, type OnFault } from '../../units/guarded.ts'
import type { StreamConfig } from './config.ts'

/** The part of a connection that the sweeper uses. */
export interface SweptConnection {
  pendingBytes(): number
  /** Bytes that were buffered when the connection was last written to or drained. */
  unsentBytes(): number
  drained(): void
  isStuck(): boolean
  abort(): void
}

/** The counters of an ended connection: a client that closes without reading must not erase its bytes. */
type Lingering = { readonly bytes: number; readonly until: number; readonly release: () => void }

export type SweeperOptions = {
  readonly config: Pick<StreamConfig, 'sendBuffersBytesMax' | 'sweepMs' | 'idleTimeoutSeconds'>
  /** Milliseconds. */
  readonly now: () => number
  /** Receives the number of connections that a sweep closed, and the total pending bytes before. */
  readonly onClosed: (count: number, pendingBytes: number) => void
  /**
   * Whether something could not be sent since the last call, because all connections together had too many
   * pending bytes.
   */
  readonly takeRefused: () => boolean
  /** Receives the errors of a sweep. */
  readonly onFault: OnFault
  /** Called at the end of each sweep. */
  readonly onSwept?: () => void
}

/**
 * After memory was refused, at most this share of the limit may stay in use, because the next clients need
 * some.
 */
const REFUSED_SHARE = 0.75

export class Sweeper {
  readonly #connections = new Set<SweptConnection>()
  readonly #lingering = new Set<Lingering>()
  readonly #options: SweeperOptions
  #timer: Timer | undefined

  constructor(options: SweeperOptions) {
    this.#options = options
  }

  add(connection: SweptConnection): void {
    this.#connections.add(connection)
    const { config, onFault } = this.#options
    this.#timer ??= setInterval(
      guarded(() => this.sweep(), onFault),
      config.sweepMs,
    )
  }

  /**
   * Called when a connection ends. `release` is called once its memory is free: at once, or, if bytes were
   * left unsent, when the runtime has given up on the client.
   */
  remove(connection: SweptConnection, release: () => void): void {
    this.#connections.delete(connection)
    const bytes = connection.unsentBytes()
    if (bytes === 0) {
      release()
    } else {
      const until = this.#options.now() + this.#options.config.idleTimeoutSeconds * 1_000
      this.#lingering.add({ bytes, until, release })
    }
    this.#stopIfIdle()
  }

  /** Bytes waiting for all connections, ended ones included. */
  pendingBytes(): number {
    let bytes = 0
    for (const connection of this.#connections) bytes += connection.pendingBytes()
    for (const lingering of this.#lingering) bytes += lingering.bytes
    return bytes
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  sweep(): void {
    let pendingBytes = this.#sweepLingering()
    let closed = 0
    const holders: { readonly connection: SweptConnection; readonly bytes: number }[] = []
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
    if (closed > 0) this.#options.onClosed(closed, pendingBytes)
    this.#options.onSwept?.()
  }

  /**
   * Closes the connections with the most pending bytes until the rest is within the limit; returns how many
   * were closed.
   */
  #closeLargest(
    holders: { readonly connection: SweptConnection; readonly bytes: number }[],
    pendingBytes: number,
  ): number {
    const { config, takeRefused } = this.#options
    const bytesMax = config.sendBuffersBytesMax * (takeRefused() ? REFUSED_SHARE : 1)
    let excess = pendingBytes - bytesMax
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

  /** Removes ended connections that the runtime has given up; returns the bytes that still wait. */
  #sweepLingering(): number {
    let bytes = 0
    for (const lingering of this.#lingering) {
      if (lingering.until > this.#options.now()) {
        bytes += lingering.bytes
        continue
      }
      this.#lingering.delete(lingering)
      lingering.release()
    }
    this.#stopIfIdle()
    return bytes
  }

  #stopIfIdle(): void {
    if (this.#connections.size === 0 && this.#lingering.size === 0) this.stop()
  }
}
