/** A simulated exchange with one account that loses, delays and refuses at random, for any transport. */
import fc from 'fast-check'
import { type Asked, type Reply, refusal, success, type VirtualPlatform } from './virtual-platform.fixture.ts'

/**
 * The fault of a request: `late` means that it reaches the exchange only after this many milliseconds,
 * possibly after its deadline.
 */
export type Fault =
  | { readonly kind: 'none' | 'lost' | 'cut' | 'gateway' | 'unknown' | 'starting' | 'limited' | 'garbage' }
  | { readonly kind: 'late'; readonly byMs: number }

export const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom<Fault>(
    { kind: 'none' },
    { kind: 'lost' },
    { kind: 'cut' },
    { kind: 'gateway' },
    { kind: 'unknown' },
  ),
  fc.constantFrom<Fault>({ kind: 'starting' }, { kind: 'limited' }, { kind: 'garbage' }),
  fc.integer({ min: 0, max: 20_000 }).map((byMs): Fault => ({ kind: 'late', byMs })),
)

export type Placed = {
  readonly id: string
  readonly clientOrderId: string
  readonly createdAt: number
  updatedAt: number
  status: string
}

/** One account's orders, by the rules of docs/reference/client-order-ids.md. */
export class MadeUpExchange {
  readonly placed: Placed[] = []
  readonly net: VirtualPlatform
  readonly #faults: Fault[]
  /** Whether every new order is refused. */
  isPoor = false

  constructor(net: VirtualPlatform, faults: readonly Fault[]) {
    this.net = net
    this.#faults = [...faults]
    net.answer = (asked) => this.carry(asked)
  }

  /** The result of a request: an answer, possibly never; throws for a broken connection. */
  carry(asked: Asked): Promise<Reply> | Reply {
    const next = this.#faults.shift() ?? { kind: 'none' }
    switch (next.kind) {
      case 'none':
        return this.#handle(asked)
      case 'lost':
        this.#handle(asked)
        return new Promise(() => {})
      case 'cut':
        throw new Error('connection reset before anything was sent on')
      case 'gateway':
        this.#handle(asked)
        return { status: 502, body: '<html>bad gateway</html>' }
      case 'unknown':
        this.#handle(asked)
        return refusal(503, 'OUTCOME_UNKNOWN')
      case 'starting':
        return refusal(503, 'STARTING')
      case 'limited':
        return refusal(429, 'RATE_LIMITED', {}, { 'Retry-After': '1' })
      case 'garbage':
        this.#handle(asked)
        return { body: '{"status":tr' }
      case 'late':
        this.net.schedule(next.byMs, () => this.#handle(asked))
        return new Promise(() => {})
    }
  }

  #handle({ method, path, fields }: Asked): Reply {
    const { timestamp = '0', recvWindow = '0' } = fields
    if (this.net.serverTime > Number(timestamp) + Number(recvWindow)) return refusal(401, 'TIMESTAMP_EXPIRED')
    if (path === '/order/batch') {
      const operations = JSON.parse(fields.operations ?? '[]') as Record<string, string>[]
      const rows = operations.map(({ method: verb, ...own }) => this.#one(verb ?? '', own))
      return success(
        rows.map(({ status = 200, body, headers }) => ({
          status,
          body,
          ...(headers ? { repeated: true } : {}),
        })),
      )
    }
    if (path === '/order/cancelReplace') return this.#replace(fields)
    return this.#one(method, fields)
  }

  #replace({ newClientOrderId = '', cancelId = '' }: Readonly<Record<string, string>>): Reply {
    const isRepeat = this.placed.some((order) => order.clientOrderId === newClientOrderId)
    if (isRepeat) return this.#place(newClientOrderId)
    const canceled = this.#cancel(cancelId)
    if (canceled.status !== undefined) return canceled
    const placed = this.#place(newClientOrderId)
    return placed.status === undefined ? placed : refusal(409, 'CANCEL_REPLACE_PARTLY_DONE', { data: {} })
  }

  #one(method: string, fields: Readonly<Record<string, string>>): Reply {
    if (method === 'POST') return this.#place(fields.newClientOrderId ?? fields.listClientOrderId ?? '')
    if (method === 'DELETE') return this.#cancel(fields.id ?? fields.cancelListId ?? '')
    return this.#ask(fields)
  }

  #place(clientOrderId: string): Reply {
    const known = this.placed.find((order) => order.clientOrderId === clientOrderId)
    if (known !== undefined) return { ...success(known), headers: { 'X-Repeated': 'true' } }
    if (this.isPoor) return refusal(400, 'INSUFFICIENT_FUNDS')
    const id = `order-${this.placed.length}`
    const now = this.net.serverTime
    const order: Placed = { id, clientOrderId, createdAt: now, updatedAt: now, status: 'NEW' }
    this.placed.push(order)
    return success(order)
  }

  #cancel(id: string): Reply {
    const order = this.placed.find((each) => each.id === id && each.status === 'NEW')
    if (order === undefined) return refusal(400, 'UNKNOWN_ORDER')
    order.status = 'CANCELED'
    order.updatedAt = this.net.serverTime
    return success(undefined)
  }

  #ask({
    orderId,
    origClientOrderId,
    listClientOrderId,
    deadline = '0',
  }: Readonly<Record<string, string>>): Reply {
    const name = origClientOrderId ?? listClientOrderId
    const order = this.placed.find((each) => each.id === orderId || each.clientOrderId === name)
    if (order !== undefined)
      return success({ ...order, endReason: order.status === 'CANCELED' ? 'USER' : undefined })
    const isFinal = this.net.serverTime > Number(deadline)
    return refusal(400, name === undefined ? 'UNKNOWN_ORDER' : 'UNKNOWN_CLIENT_ORDER_ID', { isFinal })
  }
}
