/**
 * The sending half of one WebSocket. It remembers what was left unsent, because after a close the runtime no longer
 * says, though it keeps the bytes until the client takes them or its idle timeout ends.
 */

/** What a WebSocket of Bun has, whatever hangs on it. */
type RawSocket = Pick<
  Bun.ServerWebSocket<unknown>,
  'send' | 'cork' | 'close' | 'terminate' | 'getBufferedAmount' | 'readyState'
>

export class SocketOutput {
  readonly #socket: RawSocket
  #unsentBytes = 0

  constructor(socket: RawSocket) {
    this.#socket = socket
  }

  get readyState(): RawSocket['readyState'] {
    return this.#socket.readyState
  }

  /** Bytes not yet written to the network as last known; right until the next send, drain or close. */
  get unsentBytes(): number {
    return this.#unsentBytes
  }

  pendingBytes(): number {
    return this.#socket.getBufferedAmount()
  }

  send(data: string | Bun.BufferSource): void {
    const sent = this.#socket.send(data)
    // Positive: written at once. Otherwise buffered (-1) or not accepted (0).
    this.#unsentBytes = sent > 0 ? 0 : this.#socket.getBufferedAmount()
  }

  /** Whatever `write` sends goes out in one write to the network: 0.6 instead of 1.5 us a message, measured. */
  together(write: () => void): void {
    this.#socket.cork(write)
    this.#unsentBytes = this.#socket.getBufferedAmount()
  }

  /** To be called when the runtime reports a drain. */
  drained(): void {
    this.#unsentBytes = this.#socket.getBufferedAmount()
  }

  /** Closes politely if nothing waits; otherwise at once, for else the bytes would wait for the client. */
  close(code?: number, reason?: string): void {
    if (this.#socket.getBufferedAmount() > 0) this.terminate()
    else this.#socket.close(code, reason)
  }

  /** Ends the connection and frees what waits. */
  terminate(): void {
    this.#unsentBytes = 0
    this.#socket.terminate()
  }
}
