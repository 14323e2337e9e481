/**
 * A client that trades through a gateway with client order ids, at a steady rate independent of the answers,
 * and records all answers. It never repeats a request.
 */
import { type Credentials, signed } from '../../test/support/bourse-process.ts'
import type { Trader } from './load.ts'
import { orderFields } from './signed-orders.ts'

/** Number of orders in flight at the same time. */
const LANES = 16
const HTTP_OK = 200
const ORDER_MS_MAX = 60_000

export class IdentifiedOrders {
  /** Ids of orders that were acknowledged, certainly not done, and unknown. */
  readonly acknowledged: string[] = []
  readonly refused: string[] = []
  readonly unknown: string[] = []
  readonly #url: string
  readonly #key: Pick<Credentials, 'apiKey' | 'secret'>
  readonly #pauseMs: number
  readonly #waiting: { readonly since: number; readonly resolve: (at: number) => void }[] = []
  readonly #done: Promise<unknown>
  #sent = 0
  #isOver = false

  /** `ratePerSecond` is the rate of all lanes together, if answers took no time. */
  constructor({ port, apiKey, secret }: Trader, ratePerSecond: number) {
    this.#url = `http://127.0.0.1:${port}`
    this.#key = { apiKey, secret }
    this.#pauseMs = (1_000 * LANES) / ratePerSecond
    this.#done = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#trade(lane)))
  }

  /**
   * The time, on the clock of `performance.now`, at which the first order sent after this call is
   * acknowledged.
   */
  async nextAcknowledged(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const timer = setTimeout(() => reject(new Error('no order was acknowledged for a minute')), ORDER_MS_MAX)
    this.#waiting.push({ since: performance.now(), resolve })
    return promise.finally(() => clearTimeout(timer))
  }

  /** Resolves when every order has been answered. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }

  async #trade(lane: number): Promise<void> {
    let due = performance.now() + (this.#pauseMs * lane) / LANES
    while (!this.#isOver) {
      await Bun.sleep(Math.max(0, due - performance.now()))
      await this.#place(this.#sent++)
      due = Math.max(due + this.#pauseMs, performance.now() - this.#pauseMs)
    }
  }

  async #place(n: number): Promise<void> {
    const id = `order-${n}`
    const fields = { ...Object.fromEntries(orderFields(n)), newClientOrderId: id }
    const sentAt = performance.now()
    const answer = await signed(this.#url, this.#key, 'POST', 'order', fields).catch(() => undefined)
    if (answer?.status === HTTP_OK) {
      await answer.arrayBuffer()
      this.acknowledged.push(id)
      this.#tell(sentAt)
      return
    }
    const text = answer === undefined ? 'OUTCOME_UNKNOWN' : await answer.text()
    const list = text.includes('OUTCOME_UNKNOWN') ? this.unknown : this.refused
    list.push(id)
  }

  #tell(sentAt: number): void {
    const now = performance.now()
    const reached = this.#waiting.filter(({ since }) => since <= sentAt)
    for (const each of reached) {
      this.#waiting.splice(this.#waiting.indexOf(each), 1)
      each.resolve(now)
    }
  }
}
