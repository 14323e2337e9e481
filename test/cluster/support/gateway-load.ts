/**
 * Traders at the gateways of a cluster: each order has a client order id, and is sent until it is
 * acknowledged, to another gateway if one does not accept it. The answers are recorded.
 */
import { signed } from '../../support/bourse-process.ts'
import { until } from '../../support/until.ts'

/** Number of orders in flight at the same time. */
const LANES = 4
/**
 * Pause between two orders of a lane, or two attempts of one order: the restarted processes need the machine
 * too.
 */
const PAUSE_MS = 10
const ANSWER_MS_MAX = 15_000

type Key = { readonly apiKey: string; readonly secret: string }

export class GatewayLoad {
  /** The acknowledged client order ids. */
  readonly ids: string[] = []
  /** Other answers, as status and reason, with their counts. */
  readonly refusals = new Map<string, number>()
  /** Number of attempts without an answer, because the gateway was not running. */
  unanswered = 0
  readonly #urls: readonly string[]
  readonly #key: Key
  #isOver = false
  readonly #done: Promise<unknown>

  constructor(urls: readonly string[], key: Key) {
    this.#urls = urls
    this.#key = key
    this.#done = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#trade(lane)))
  }

  get acknowledged(): number {
    return this.ids.length
  }

  /** Resolves once every lane has an acknowledgement for an order sent after the call. */
  async untilAcknowledged(): Promise<void> {
    const wanted = this.acknowledged + 3 * LANES
    await until('orders are acknowledged', () => this.acknowledged >= wanted)
  }

  /** Orders in flight are still sent until they are acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }

  /** Every order rests: no prices cross. */
  async #trade(lane: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) await this.#place(`lane-${lane}-${i}`, lane, `${100 + (i % 50)}`)
  }

  async #place(newClientOrderId: string, lane: number, price: string): Promise<void> {
    const order = {
      symbol: 'BTC/USDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '0.001',
      price,
      newClientOrderId,
    }
    for (let attempt = lane; ; attempt++) {
      const url = this.#urls[attempt % this.#urls.length] as string
      const isTaken = await this.#isTaken(url, order)
      await Bun.sleep(PAUSE_MS)
      if (isTaken) return
    }
  }

  async #isTaken(url: string, order: Record<string, string>): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX)
      const answer = await signed(url, this.#key, 'POST', 'order', order, { signal })
      const { reason } = (await answer.json()) as { readonly reason?: string }
      if (answer.status === 200) {
        this.ids.push(order.newClientOrderId as string)
        return true
      }
      const said = `${answer.status} ${reason}`
      this.refusals.set(said, (this.refusals.get(said) ?? 0) + 1)
    } catch {
      this.unanswered++
    }
    return false
  }
}
