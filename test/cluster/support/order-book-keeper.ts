/**
 * An outside client of a cluster's gateways: places signed orders over HTTP with client order ids of its own,
 * and records the outcome of each. If the outcome is unknown, it repeats the order unchanged, or queries it
 * until it is found or reported as final.
 */
import { createHmac } from 'node:crypto'
import type { Credentials } from '../../support/bourse-process.ts'
import { WAIT_MS_MAX } from '../../support/until.ts'
import { SYMBOL } from './cluster-machines.ts'

/** Number of orders in flight at the same time. */
const LANES = 6
/** Time within which an order may take effect after it was sent. */
const WINDOW_MS = 2_000
/** Longer than a gateway waits for an engine: after this time no answer arrives. */
const ANSWER_MS_MAX = 8_000
const PAUSE_MS = 50
const AGAIN_MS = 250

export type Outcome =
  /** The answer says that the order was placed. */
  | 'ACKNOWLEDGED'
  /** The order got no answer, but was found afterwards. */
  | 'FOUND'
  /** The answer to the only attempt says that the order was certainly not done. */
  | 'REFUSED'
  /** The order got no answer, and was reported as final afterwards: it will never exist. */
  | 'NEVER'
  | 'UNKNOWN'

type Answer = {
  readonly status: number
  readonly reason: string
  readonly isFinal: boolean
}

type Asked = { readonly key: Credentials; readonly id: string; readonly firstMs: number; deadlineMs: number }

export class OrderBookKeeper {
  readonly outcomeById = new Map<string, Outcome>()
  /** Observations that a client must never make. */
  readonly violations: string[] = []
  /** Reasons of refusals, with their counts. */
  readonly refusals = new Map<string, number>()
  readonly #urls: readonly string[]
  readonly #keys: readonly Credentials[]
  readonly #random: () => number
  readonly #underWay = new Set<Promise<unknown>>()
  /** Queries in flight beside the orders. */
  readonly #asking = new Set<Promise<unknown>>()
  readonly #done: Promise<unknown>
  #acknowledged = 0
  #lastMs = performance.now()
  #longestMs = 0
  #isOver = false

  /** Starts to trade at once. */
  constructor(urls: readonly string[], keys: readonly Credentials[], random: () => number) {
    this.#urls = urls
    this.#keys = keys
    this.#random = random
    this.#done = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#trade(lane)))
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  /** The longest time without an acknowledged order since the last call, in milliseconds. */
  takeLongest(): number {
    const longest = Math.max(this.#longestMs, performance.now() - this.#lastMs)
    this.#longestMs = 0
    return longest
  }

  /** Number of orders that were certainly not carried out. */
  get refused(): number {
    return [...this.refusals.values()].reduce((sum, count) => sum + count, 0)
  }

  /**
   * Resolves when the service is available: orders placed after the call are acknowledged at each gateway.
   */
  async untilServed(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs
    for (const [index] of this.#urls.entries()) {
      const key = this.#keys[index % this.#keys.length] as Credentials
      for (let i = 0; ; i++) {
        const id = `probe-${index}-${performance.now().toFixed(0)}-${i}`
        const outcome = await this.#place({
          ...this.#order(key, id, index),
          url: this.#urls[index] as string,
        })
        if (outcome === 'ACKNOWLEDGED') break
        if (performance.now() > end)
          throw new Error(`no order was acknowledged for ${limitMs} ms at gateway ${index}`)
        await Bun.sleep(PAUSE_MS)
      }
    }
  }

  /** Resolves once each request that is in flight now has been answered, or abandoned. */
  async untilAnswered(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** Stops placing, and queries every unknown outcome until it is known. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
    while (this.#asking.size > 0) await Promise.all(this.#asking)
  }

  async #trade(lane: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const key = this.#keys[(lane + i) % this.#keys.length] as Credentials
      const url = this.#urls[lane % this.#urls.length] as string
      const outcome = await this.#place({ ...this.#order(key, `${lane}-${i}`, i), url })
      // Without a pause, a client with immediate refusals would send a thousand requests a second.
      if (outcome !== 'ACKNOWLEDGED') await Bun.sleep(PAUSE_MS)
    }
  }

  /** Prices on both sides of each other: many orders match. */
  #order(key: Credentials, id: string, number: number) {
    const side = this.#random() < 0.5 ? 'BUY' : 'SELL'
    const price = String(side === 'BUY' ? 90 + (number % 15) : 100 + (number % 15))
    const fields = { symbol: SYMBOL, side, type: 'LIMIT', price, quantity: '0.01', newClientOrderId: id }
    return { key, id, fields }
  }

  async #place(order: {
    readonly key: Credentials
    readonly id: string
    readonly fields: Readonly<Record<string, string>>
    readonly url: string
  }): Promise<Outcome> {
    const { key, id, fields, url } = order
    const firstMs = Date.now()
    const asked: Asked = { key, id, firstMs, deadlineMs: firstMs + WINDOW_MS }
    const answer = await this.#send(url, key, fields, firstMs)
    const outcome = this.#outcomeOf(answer)
    this.outcomeById.set(id, outcome)
    if (outcome === 'UNKNOWN') this.#beside(this.#settle(asked, fields))
    else if (outcome === 'REFUSED') this.#count(answer?.reason ?? '')
    else this.#acknowledge(asked)
    return outcome
  }

  /** Orders do not wait for this work. */
  #beside(work: Promise<void>): void {
    const done = work.finally(() => this.#asking.delete(done))
    this.#asking.add(done)
  }

  #outcomeOf(answer: Answer | undefined): 'ACKNOWLEDGED' | 'REFUSED' | 'UNKNOWN' {
    if (answer?.status === 200) return 'ACKNOWLEDGED'
    // A gateway that gives a reason did not carry out the order.
    return answer === undefined || answer.reason === '' || answer.reason === 'OUTCOME_UNKNOWN'
      ? 'UNKNOWN'
      : 'REFUSED'
  }

  /** Repeats the order until it is answered, or queries its outcome. */
  async #settle(asked: Asked, fields: Readonly<Record<string, string>>): Promise<void> {
    const end = performance.now() + WAIT_MS_MAX
    const isSentAgain = this.#random() < 0.5
    while (performance.now() < end && this.outcomeById.get(asked.id) === 'UNKNOWN') {
      await Bun.sleep(AGAIN_MS)
      if (isSentAgain && !this.#isOver) await this.#sendAgain(asked, fields)
      else await this.#askOutcome(asked)
    }
  }

  async #sendAgain(asked: Asked, fields: Readonly<Record<string, string>>): Promise<void> {
    const nowMs = Date.now()
    asked.deadlineMs = nowMs + WINDOW_MS
    const answer = await this.#send(this.#url(), asked.key, fields, nowMs)
    if (answer?.status !== 200) return
    this.outcomeById.set(asked.id, 'ACKNOWLEDGED')
    this.#acknowledge(asked)
  }

  async #askOutcome(asked: Asked): Promise<void> {
    const answer = await this.#ask(asked, this.#url())
    if (answer?.status === 200) this.outcomeById.set(asked.id, 'FOUND')
    else if (answer?.isFinal === true) this.outcomeById.set(asked.id, 'NEVER')
  }

  #acknowledge(asked: Asked): void {
    this.#acknowledged++
    const now = performance.now()
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs)
    this.#lastMs = now
    if (this.#random() < 0.1) this.#beside(this.#requireKnown(asked))
  }

  /**
   * Checks that an order acknowledged at one gateway is found at each gateway, and never reported as final.
   */
  async #requireKnown(asked: Asked): Promise<void> {
    const answer = await this.#ask(asked, this.#url())
    if (answer?.reason !== 'UNKNOWN_CLIENT_ORDER_ID') return
    const found = answer.isFinal ? 'a gateway says that it never will be' : 'a gateway does not know it'
    this.violations.push(`${asked.id} was acknowledged, and ${found}`)
  }

  #ask({ key, id, firstMs, deadlineMs }: Asked, url: string): Promise<Answer | undefined> {
    return this.#request(url, key, 'GET', Date.now(), {
      origClientOrderId: id,
      deadline: String(deadlineMs),
      firstAttempt: String(firstMs),
    })
  }

  #send(url: string, key: Credentials, fields: Readonly<Record<string, string>>, nowMs: number) {
    return this.#request(url, key, 'POST', nowMs, fields)
  }

  /** Resolves with undefined if no answer arrives. */
  #request(
    url: string,
    key: Credentials,
    method: 'GET' | 'POST',
    timestamp: number,
    fields: Readonly<Record<string, string>>,
  ): Promise<Answer | undefined> {
    const answer = this.#answerOf(url, key, method, timestamp, fields)
    const done = answer.finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
    return answer
  }

  async #answerOf(
    url: string,
    { apiKey, secret }: Credentials,
    method: 'GET' | 'POST',
    timestamp: number,
    fields: Readonly<Record<string, string>>,
  ): Promise<Answer | undefined> {
    const own = { ...fields, timestamp: String(timestamp), recvWindow: String(WINDOW_MS) }
    const parameters = new URLSearchParams(own).toString()
    const signature = createHmac('sha256', secret).update(parameters).digest('hex')
    const headers: Record<string, string> = { 'X-Apikey': apiKey, 'X-Signature': signature }
    if (method === 'POST') headers['Content-Type'] = 'application/x-www-form-urlencoded'
    const endpoint = `${url}/api/v3/order${method === 'GET' ? `?${parameters}` : ''}`
    try {
      const response = await fetch(endpoint, {
        ...{ method, headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) },
        ...(method === 'POST' ? { body: parameters } : {}),
      })
      const body = (await response.json()) as { readonly reason?: string; readonly isFinal?: boolean }
      return { status: response.status, reason: body.reason ?? '', isFinal: body.isFinal === true }
    } catch {
      return undefined
    }
  }

  #count(reason: string): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
  }

  #url(): string {
    return this.#urls[Math.floor(this.#random() * this.#urls.length)] as string
  }
}
