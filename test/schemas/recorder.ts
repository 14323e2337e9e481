/**
 * A sandbox under random requests over HTTP and order entry, with a client that is subscribed to everything:
 * each answer and each message is checked against the published files.
 */
import * as fc from 'fast-check'
import { CHANNEL_NAMES } from '../../src/contract/stream/channels.ts'
import { PRIVATE_CHANNELS } from '../../src/contract/stream/private-feed.ts'
import { until } from '../support/until.ts'
import { CheckedAnswers, CheckedMessages, type Seen } from './checked.ts'
import { requestsOf, type SentRequest } from './requests.ts'
import { Sender, type SenderOptions, type Signer } from './sender.ts'
import { published } from './strict.ts'

export type RecordOptions = Omit<SenderOptions, 'now'> & {
  readonly streamUrl: string
  /** Number of answers over HTTP. */
  readonly answers: number
  readonly seed: number
  /** Called with each answer and each message, whether or not it agrees with the files. */
  readonly onAnswer?: (seen: Seen) => void
  readonly onMessage?: (message: unknown) => void
}

export type Recorded = {
  readonly answers: number
  readonly messages: number
  /** The count of each, `POST /order 200` or `book`. */
  readonly counts: ReadonlyMap<string, number>
  /** The first deviations from the files, as texts. */
  readonly faults: readonly string[]
  /** Endpoints that never succeeded. */
  readonly unanswered: readonly string[]
}

/** Maximum number of stored faults. */
const FAULTS_MAX = 20
/** Number of requests in flight at the same time. */
const LANES = 8

/** Endpoints, by the names of order entry. */
const ENTRY: Readonly<Record<string, string>> = {
  ...{ 'POST /order': 'order.place', 'DELETE /order': 'order.cancel' },
  ...{ 'PUT /order/amend/keepPriority': 'order.amend', 'POST /order/cancelReplace': 'order.cancelReplace' },
  ...{ 'DELETE /openOrders': 'order.cancelAll', 'POST /countdownCancelAll': 'order.countdownCancelAll' },
  ...{ 'POST /order/batch': 'order.batch' },
}

const SYMBOL = 'BTC/USDT'

/** One of each kind of message that a client may send, and some that no client should send. */
const SPOKEN: readonly (readonly unknown[])[] = [
  ['join', SYMBOL],
  ['join', 'ETH/USDT'],
  ['change_room', 'ETH/USDT', 'ETH/BTC'],
  ...CHANNEL_NAMES.map((channel) => ['subscribe', { channel, symbol: SYMBOL }]),
  ['subscribe', { channel: 'book', symbol: SYMBOL, levels: 5, intervalMs: 100 }],
  ['subscribe', { channel: 'ticker', symbol: SYMBOL, intervalMs: 250 }],
  ['subscribe', { channel: 'kline_1m', symbol: SYMBOL, intervalMs: 500 }],
  ['unsubscribe', { channel: 'ticker', symbol: SYMBOL, intervalMs: 250 }],
  ...PRIVATE_CHANNELS.map((channel) => ['subscribe', { channel }]),
  ['join', 'DOGE/USDT'],
  ['leave', SYMBOL],
  ['subscribe', { channel: 'book', symbol: SYMBOL, depth: 5 }],
  ['unsubscribe', { channel: 'trades', symbol: 'ETH/BTC' }],
]

/** Including the first messages of the channels that a trade changes. */
const BEGINNINGS = ['roomOrders', 'book', 'trades', 'bookTicker', 'ticker']

/** Messages that every trade causes for a client that is subscribed to everything. */
const OF_A_TRADE = [
  ...['matched_order', 'roomTrades', 'buy_order_update', 'sell_order_update', 'book', 'trades', 'bookTicker'],
  ...['ticker', 'kline', 'orders', 'fills', 'balances'],
]

/** An order for one side of a trade. */
function limitOrder(isAlice: boolean, side: string): SentRequest {
  const order = { symbol: SYMBOL, side, type: 'LIMIT', quantity: isAlice ? '0.5' : '0.7', price: '60000.5' }
  const form = { method: 'POST', path: '/order', isForm: true, fields: Object.entries(order) }
  return { ...form, isAlice, flaw: undefined, flawAt: 0, junk: '', isTurkish: false }
}

export async function record(options: RecordOptions): Promise<Recorded> {
  const { alice, answers, seed, streamUrl } = options
  const recording = new Recording(options)
  const sender = new Sender({ ...options, now: Date.now })
  const requests = fc.sample(requestsOf(published('openapi.json')), { seed, numRuns: answers })
  const stream = await Stream.open(streamUrl, alice, recording)
  for (const message of SPOKEN) stream.send(message)
  await until('rooms and channels have begun', () => BEGINNINGS.every((id) => recording.count(id) > 0))
  for (const [isAlice, side] of [
    [true, 'SELL'],
    [false, 'BUY'],
  ] as const) {
    recording.answer(await sender.send(limitOrder(isAlice, side)))
  }
  await until('a trade has been told', () => OF_A_TRADE.every((id) => recording.count(id) > 0))
  await inLanes(requests, async (request) => {
    recording.answer(await sender.send(request))
    const name = ENTRY[`${request.method} ${request.path}`]
    if (name !== undefined) stream.ask(name, sender.fieldsOf(request))
  })
  await stream.close()
  return recording.result()
}

/** Runs the requests in their order, several at a time. */
async function inLanes(requests: readonly SentRequest[], run: (request: SentRequest) => Promise<void>) {
  const next = requests[Symbol.iterator]()
  const lane = async () => {
    for (const request of next) await run(request)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

class Recording {
  readonly #options: Pick<RecordOptions, 'onAnswer' | 'onMessage'>
  readonly #answers = new CheckedAnswers()
  readonly #messages = new CheckedMessages()
  readonly #counts = new Map<string, number>()
  readonly #faults: string[] = []
  #answerCount = 0
  #messageCount = 0

  constructor(options: Pick<RecordOptions, 'onAnswer' | 'onMessage'>) {
    this.#options = options
  }

  answer(seen: Seen): void {
    this.#options.onAnswer?.(seen)
    this.#answerCount++
    this.#add(`${seen.method} ${seen.path} ${seen.status}`)
    this.#fault(this.#answers.fault(seen))
  }

  message(message: unknown): void {
    this.#options.onMessage?.(message)
    this.#messageCount++
    const found = this.#messages.find(message)
    if ('fault' in found) this.#fault(found.fault)
    else this.#add(found.id)
    const [name, , status] = message as readonly unknown[]
    if (name === 'answer' && status === 500) this.#fault(JSON.stringify(message))
  }

  /** The count of a kind. */
  count(kind: string): number {
    return this.#counts.get(kind) ?? 0
  }

  result(): Recorded {
    return {
      answers: this.#answerCount,
      messages: this.#messageCount,
      counts: this.#counts,
      faults: this.#faults,
      unanswered: this.#answers.endpoints.filter((endpoint) => !this.#counts.has(`${endpoint} 200`)),
    }
  }

  #add(kind: string): void {
    this.#counts.set(kind, this.count(kind) + 1)
  }

  #fault(fault: string | undefined): void {
    if (fault !== undefined && this.#faults.length < FAULTS_MAX) this.#faults.push(fault)
  }
}

/** A logged-in plain WebSocket; received messages are recorded. */
class Stream {
  readonly #socket: WebSocket
  #asked = 0
  #answered = 0
  #isLoggedIn = false

  private constructor(socket: WebSocket, recording: Recording) {
    this.#socket = socket
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as readonly unknown[]
      if (message[0] === 'answer') this.#answered++
      if (message[1] === 'login') this.#isLoggedIn = message[2] === 200
      recording.message(message)
    }
  }

  static async open(url: string, signer: Signer, recording: Recording): Promise<Stream> {
    const socket = new WebSocket(url)
    const stream = new Stream(socket, recording)
    await until('the stream opens', () => socket.readyState === WebSocket.OPEN)
    // Without a nonce: a node that has just started accepts none.
    const line = `apiKey=${signer.apiKey}&timestamp=${Date.now()}&recvWindow=60000`
    const fields = Object.fromEntries(new URLSearchParams(line))
    stream.#asked++
    stream.send(['login', { ...fields, signature: signer.signature(`login\n${line}`) }])
    await until('the login is answered', () => stream.#answered === 1)
    if (!stream.#isLoggedIn) throw new Error('the login was refused')
    return stream
  }

  send(message: readonly unknown[]): void {
    this.#socket.send(JSON.stringify(message))
  }

  ask(name: string, fields: Readonly<Record<string, string>>): void {
    this.send([name, this.#asked++, fields])
  }

  async close(): Promise<void> {
    await until('every request of the stream is answered', () => this.#answered === this.#asked)
    this.#socket.close()
  }
}
