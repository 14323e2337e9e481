/**
 * A client's book equals the exchange's, whatever happens in between: messages are lost, repeated, swapped
 * and damaged, and the connection is cut.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { BookMessage } from '../interface/messages.ts'
import { BookServer, textOf } from './book-server.fixture.ts'
import type { LocalBook } from './local-book.ts'
import { MarketStream } from './market-stream.ts'
import { type ScriptedSocket, VirtualPorts } from './virtual-ports.fixture.ts'

const SYMBOL = 'BTC/USDT'

type Step =
  | { readonly kind: 'change'; readonly side: 'bids' | 'asks'; readonly ticks: number; readonly lots: bigint }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'cut' | 'lose' | 'repeat' | 'swap' | 'damage' | 'slow' | 'stale' | 'live' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        side: fc.constantFrom('bids' as const, 'asks' as const),
        ticks: fc.integer({ min: 1, max: 30 }),
        lots: fc.bigInt({ min: 0n, max: 5n }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('cut', 'lose', 'repeat', 'swap', 'damage', 'slow', 'stale', 'live'),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 80 },
)

/** The server's side of one connection, and the messages in transit to the client. */
class Way {
  readonly #server: BookServer
  readonly #socket: ScriptedSocket
  isSubscribed = false
  /** Messages that have not arrived yet. */
  #queue: unknown[][] = []
  last: unknown[] | undefined

  constructor(server: BookServer, socket: ScriptedSocket) {
    this.#server = server
    this.#socket = socket
    socket.onSent = ([event, payload]) => this.#heard(String(event), payload as object)
  }

  #heard(event: string, payload: object): void {
    if ((payload as { symbol: string }).symbol !== SYMBOL) {
      this.post(['error', { status: false, code: '4001', msg: [''], reason: 'UNKNOWN_SYMBOL' }])
      return
    }
    this.isSubscribed = event === 'subscribe'
    this.post([`${event}d`, payload])
    if (this.isSubscribed) this.post(['book', this.#server.whole()])
  }

  post(message: unknown[]): void {
    this.#queue.push(message)
  }

  /** Delivers the messages in transit. */
  arrive(): void {
    const messages = this.#queue
    this.#queue = []
    for (const message of messages) {
      this.last = message
      this.#socket.say(...message)
    }
  }

  /**
   * Changes messages about the book in transit; answers are not altered, since TCP loses no part of a stream.
   */
  mangle(change: (messages: unknown[][]) => unknown[][]): void {
    const isBook = ([event]: readonly unknown[]) => event === 'book'
    const books = this.#queue.filter(isBook)
    this.#queue = [...this.#queue.filter((message) => !isBook(message)), ...change(books)]
  }
}

class Run {
  readonly server = new BookServer(SYMBOL)
  readonly ports = new VirtualPorts()
  way: Way | undefined
  /** Damage is detected with the next checksum, not before. */
  isDamaged = false
  isStale = false
  readonly stream = new MarketStream({ url: 'ws://exchange/stream', ports: this.ports })
  readonly subscription = this.stream.book(SYMBOL, { onChange: (book) => this.#look(book) })

  constructor() {
    this.ports.onSocket = (socket) => this.#connect(socket)
    this.#connect(this.ports.socket)
  }

  #connect(socket: ScriptedSocket): void {
    this.ports.schedule(10, () => {
      if (socket.isClosed) return
      this.way = new Way(this.server, socket)
      this.isDamaged = false
      if (this.isStale) this.way.post(['stale', { since: 1 }])
      socket.open()
      this.#flow(socket, this.way)
    })
  }

  /** Messages arrive ten milliseconds after they were sent. */
  #flow(socket: ScriptedSocket, way: Way): void {
    this.ports.schedule(10, () => {
      if (socket.isClosed || this.way !== way) return
      way.arrive()
      this.#flow(socket, way)
    })
  }

  #look(book: LocalBook): void {
    if (this.isDamaged) return
    expect(book.seq).toBeDefined()
    expect(textOfBook(book)).toBe(this.server.textBySeq.get(book.seq as number) as string)
  }

  do(step: Step): void {
    const { way, ports } = this
    switch (step.kind) {
      case 'change':
        this.#publish(this.server.change(step.side, step.ticks, step.lots, false))
        break
      case 'pass':
        ports.pass(step.ms)
        break
      case 'cut':
        this.way = undefined
        ports.socket.cut()
        break
      case 'lose':
        way?.mangle((messages) => messages.slice(1))
        break
      case 'repeat':
        way?.mangle((messages) => messages.flatMap((message) => [message, message]))
        break
      case 'swap':
        way?.mangle((messages) => messages.toReversed())
        break
      case 'damage':
        way?.mangle((messages) => messages.map((message) => this.#damage(message)))
        break
      case 'slow':
        this.#publish(this.server.whole())
        break
      case 'stale':
        this.isStale = true
        way?.post(['stale', { since: 1 }])
        break
      case 'live':
        this.#revive()
    }
  }

  #publish(message: BookMessage): void {
    if (this.way?.isSubscribed === true) this.way.post(['book', message])
  }

  #revive(): void {
    this.isStale = false
    this.way?.post(['live', { seq: this.server.seq }])
    this.#publish(this.server.whole())
  }

  #damage([event, payload]: readonly unknown[]): unknown[] {
    this.isDamaged = true
    const book = payload as { bids: readonly unknown[] }
    return [event, { ...book, bids: [...book.bids, ['0.32', '9.0000']] }]
  }

  /** Waits for a while; then makes one more change, whose message has a checksum. */
  settle(): void {
    if (this.isStale) this.#revive()
    this.ports.pass(120_000)
    this.#publish(this.server.change('bids', 31, 0n, true))
    this.ports.pass(120_000)
  }
}

function textOfBook(book: LocalBook): string {
  const pairs = [book.bids(), book.asks()].map((side) =>
    side.map(({ price, quantity }) => [price, quantity] as const),
  )
  return textOf(pairs)
}

test('a kept book is the exchange’s at its command, and again at the end, whatever was lost, repeated, swapped, damaged or cut', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const run = new Run()
      for (const step of list) run.do(step)
      run.settle()
      expect(run.subscription.state).toBe('live')
      expect(run.subscription.book.seq).toBe(run.server.seq)
      expect(textOfBook(run.subscription.book)).toBe(run.server.textBySeq.get(run.server.seq) as string)
    }),
    { numRuns: 300 },
  )
})
