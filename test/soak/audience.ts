/**
 * All clients besides the orders: subscribers that stay, subscribers that come and go, and readers that
 * request what a page shows and sometimes place and cancel an order. They store nothing, so that only the
 * node's memory is measured, and never run at full speed.
 */
import { io } from 'socket.io-client'
import { type Credentials, type SandboxFile, signed } from '../support/bourse-process.ts'

const SYMBOL = 'BTC/USDT'
/** Number of subscribers of either kind. */
const SUBSCRIBERS = 4
const READERS = 4
/** Interval of a reader's requests, and of the replacement of one subscriber by another. */
const PAUSE_MS = 500

export class Audience {
  readonly #sandbox: SandboxFile
  readonly #work: Promise<unknown>
  readonly #ended = Promise.withResolvers<void>()
  readonly #connections = new Set<() => void>()
  #isEnded = false
  /** Messages received over streams, and answers read. */
  #messages = 0
  #answers = 0

  constructor(sandbox: SandboxFile) {
    this.#sandbox = sandbox
    const stay = Array.from({ length: SUBSCRIBERS }, () => [this.#plain(), this.#socketIo()]).flat()
    const readers = Array.from({ length: READERS }, (_, i) => this.#repeat(() => this.#look(i)))
    const passers = this.#repeat(async () => this.#disconnect(await this.#plain()))
    this.#work = Promise.all([...stay, ...readers, passers])
    // `leave` reports a failure; until then it must not end the process.
    this.#work.catch(() => {})
  }

  /**
   * Resolves with the numbers of what the clients received, when all have left; rejects if one of them was
   * not served.
   */
  async leave(): Promise<{ readonly messages: number; readonly answers: number }> {
    this.#end()
    await this.#work
    this.drop()
    return { messages: this.#messages, answers: this.#answers }
  }

  /** Ends every connection, ignoring errors. */
  drop(): void {
    this.#end()
    for (const disconnect of this.#connections) this.#disconnect(disconnect)
  }

  #end(): void {
    this.#isEnded = true
    this.#ended.resolve()
  }

  #disconnect(disconnect: () => void): void {
    this.#connections.delete(disconnect)
    disconnect()
  }

  async #repeat(what: () => Promise<void>): Promise<void> {
    while (!this.#isEnded) {
      await what()
      await Promise.race([this.#ended.promise, Bun.sleep(PAUSE_MS)])
    }
  }

  /** Resolves, once the client has joined and received the book, with a function that disconnects it. */
  async #plain(): Promise<() => void> {
    const socket = new WebSocket(this.#sandbox.streamUrl)
    const first = Promise.withResolvers<void>()
    socket.onopen = () => socket.send(JSON.stringify(['join', SYMBOL]))
    socket.onmessage = () => {
      this.#messages++
      first.resolve()
    }
    socket.onerror = () => first.reject(new Error('a WebSocket was refused'))
    const disconnect = () => socket.close()
    this.#connections.add(disconnect)
    await first.promise
    return disconnect
  }

  async #socketIo(): Promise<void> {
    const socket = io(this.#sandbox.baseUrl, { forceNew: true })
    this.#connections.add(() => void socket.disconnect())
    const first = Promise.withResolvers<void>()
    socket.on('connect', () => void socket.emit('join', SYMBOL))
    socket.onAny(() => {
      this.#messages++
      first.resolve()
    })
    await first.promise
  }

  /** The requests of the trading page, then an order far from the market and its cancellation. */
  async #look(reader: number): Promise<void> {
    const { baseUrl, accounts } = this.#sandbox
    const account = accounts[reader % accounts.length] as Credentials
    await this.#read(fetch(baseUrl))
    await this.#read(fetch(`${baseUrl}/api/v3/exchangeInfo`))
    for (const endpoint of ['depth', 'trades'])
      await this.#read(signed(baseUrl, account, 'GET', endpoint, { symbol: SYMBOL }))
    for (const endpoint of ['order/active', 'order/trade/history', 'wallet/balance']) {
      await this.#read(signed(baseUrl, account, 'GET', endpoint))
    }
    const order = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '1000' }
    const placed = await this.#read(signed(baseUrl, account, 'POST', 'order', order))
    const id = (JSON.parse(placed) as { data?: { id: string } }).data?.id
    if (id !== undefined) await this.#read(signed(baseUrl, account, 'DELETE', 'order', { id }))
  }

  async #read(answer: Promise<Response>): Promise<string> {
    const text = await (await answer).text()
    this.#answers++
    return text
  }
}
