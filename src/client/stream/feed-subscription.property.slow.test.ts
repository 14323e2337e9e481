/**
 * A private feed reports each event of the account once and in order, whatever interrupts the connection or
 * the login, if messages are incomplete, and if the handler is slow.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { FeedSubscription, type FeedUpdate } from './feed-subscription.ts'
import { MarketStream } from './market-stream.ts'
import { type ScriptedSocket, VirtualPorts } from './virtual-ports.fixture.ts'

type Step =
  | { readonly kind: 'happen'; readonly parts: number }
  | { readonly kind: 'pass'; readonly ms: number }
  /** The number of messages in transit that still arrive. */
  | { readonly kind: 'cut'; readonly arriving: number }
  | { readonly kind: 'logOut' | 'tooSlow' | 'repeat' | 'lose' | 'stale' | 'live' | 'handle' | 'restore' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('happen'), parts: fc.integer({ min: 1, max: 3 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 2_000 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('cut'), arriving: fc.integer({ min: 0, max: 4 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'logOut',
          'tooSlow',
          'repeat',
          'lose',
          'stale',
          'live',
          'handle',
          'handle',
          'restore',
        ),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 60 },
)

const JOURNALS = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32))

/** The data of the exchange, and one connection to it. */
class Exchange {
  journal = 0
  seq = 10
  /** Events of this journal, oldest first. */
  happened: { readonly seq: number; readonly parts: number }[] = []
  socket: ScriptedSocket | undefined
  isFollowed = false
  #prevSeq = 0
  #way: unknown[][] = []

  get name(): string {
    return JOURNALS[this.journal] as string
  }

  happen(parts: number): void {
    this.seq += 3
    const update = { seq: this.seq, parts }
    this.happened.push(update)
    if (this.isFollowed) this.#publish(update)
  }

  hear([event, payload]: readonly unknown[]): void {
    const { channel, since, journal } = payload as { channel: string; since?: number; journal?: string }
    if (event === 'unsubscribe') this.#answer('error', refusal('UNKNOWN_SYMBOL'))
    else if (since !== undefined && (journal !== this.name || since > this.seq))
      this.#answer('error', refusal('UNKNOWN_JOURNAL'))
    else this.#follow(channel, since)
  }

  #follow(channel: string, since: number | undefined): void {
    this.isFollowed = true
    this.#answer('subscribed', { channel, since })
    this.#prevSeq = since ?? this.seq
    if (since === undefined) this.#post({ journal: this.name, seq: this.seq, fills: [] })
    else for (const update of this.happened) if (update.seq > since) this.#publish(update)
  }

  end(reason: string): void {
    if (!this.isFollowed) return
    this.isFollowed = false
    this.#answer('unsubscribed', { channel: 'fills', ...refusal(reason) })
  }

  arrive(count = Number.POSITIVE_INFINITY): void {
    const { socket } = this
    for (const message of this.#way.splice(0, count)) if (!socket?.isClosed) socket?.say(...message)
  }

  disconnect(): void {
    this.isFollowed = false
    this.#way = []
    this.socket = undefined
  }

  /** Makes the newest message in transit arrive twice, or not at all. */
  mangle(count: 0 | 2): void {
    const last = this.#way.findLastIndex(([event]) => event === 'fills')
    if (last >= 0) this.#way.splice(last, 1, ...Array(count).fill(this.#way[last]))
  }

  tell(event: string, payload: object): void {
    this.#answer(event, payload)
  }

  #publish({ seq, parts }: { readonly seq: number; readonly parts: number }): void {
    for (let part = 0; part < parts; part++) {
      const place = { journal: this.name, seq, prevSeq: part === 0 ? this.#prevSeq : seq, time: seq }
      this.#post({ ...place, fills: [{ id: `${seq}-${part}` }], ...(part < parts - 1 ? { more: true } : {}) })
    }
    this.#prevSeq = seq
  }

  #post(payload: object): void {
    this.#way.push(['fills', payload])
  }

  #answer(event: string, payload: object): void {
    this.#way.push([event, payload])
  }
}

const refusal = (reason: string) => ({
  ...{ status: false, code: reason === 'TOO_SLOW' ? '0014' : '4001', msg: [''], reason },
})

class Run {
  readonly exchange = new Exchange()
  readonly ports = new VirtualPorts()
  readonly updates: FeedUpdate<'fills'>[] = []
  readonly #busy: (() => void)[] = []
  isSlow = true
  readonly feed: FeedSubscription<'fills'>
  readonly #stream: MarketStream

  constructor() {
    this.ports.onSocket = (socket) => this.#connect(socket)
    const { ports } = this
    const stream = new MarketStream({ url: 'ws://exchange/stream', ports })
    this.#stream = stream
    const { subscriptions } = stream
    stream.ride({
      opened: () => this.#logIn(),
      lost: () => subscriptions.loggedIn(false),
      take: () => false,
    })
    const onUpdate = (update: FeedUpdate<'fills'>) => {
      this.updates.push(update)
      return this.isSlow ? new Promise<void>((resolve) => this.#busy.push(resolve)) : undefined
    }
    this.feed = new FeedSubscription({
      channel: 'fills',
      handlers: { onUpdate },
      waitingMax: 3,
      subscriptions,
      ports,
    })
    subscriptions.add(this.feed)
    stream.connect()
  }

  #connect(socket: ScriptedSocket): void {
    const { ports, exchange } = this
    ports.schedule(10, () => {
      if (socket.isClosed) return
      exchange.disconnect()
      exchange.socket = socket
      socket.onSent = (message) => exchange.hear(message)
      socket.open()
      this.#flow(socket)
    })
  }

  #flow(socket: ScriptedSocket): void {
    this.ports.schedule(10, () => {
      if (socket.isClosed || this.exchange.socket !== socket) return
      this.exchange.arrive()
      this.#flow(socket)
    })
  }

  #logIn(): void {
    this.ports.schedule(10, () => {
      if (this.#stream.connection.isOpen) this.#stream.subscriptions.loggedIn(true)
    })
  }

  async do(step: Step): Promise<void> {
    const { exchange, ports } = this
    switch (step.kind) {
      case 'happen':
        exchange.happen(step.parts)
        break
      case 'pass':
        ports.pass(step.ms)
        break
      case 'cut': {
        exchange.arrive(step.arriving)
        const { socket } = exchange
        exchange.disconnect()
        socket?.cut()
        break
      }
      case 'logOut':
        exchange.isFollowed = false
        this.#stream.subscriptions.loggedIn(false)
        this.#logIn()
        break
      case 'tooSlow':
        exchange.end('TOO_SLOW')
        break
      case 'repeat':
        exchange.mangle(2)
        break
      case 'lose':
        exchange.mangle(0)
        break
      case 'stale':
        exchange.tell('stale', { since: 1 })
        break
      case 'live':
        exchange.tell('live', { seq: exchange.seq })
        break
      case 'handle':
        await this.handle()
        break
      case 'restore':
        this.#restore()
    }
  }

  /** Replaces the exchange by a different one: its connections end. */
  #restore(): void {
    const { exchange } = this
    if (exchange.journal === JOURNALS.length - 1) return
    const { socket } = exchange
    exchange.disconnect()
    exchange.journal++
    exchange.seq = 10
    exchange.happened = []
    socket?.cut()
  }

  async handle(): Promise<void> {
    this.#busy.shift()?.()
    for (let turn = 0; turn < 6; turn++) await Promise.resolve()
  }

  /** Adds one more event, which reveals an earlier loss. */
  async settle(): Promise<void> {
    this.isSlow = false
    this.ports.pass(20_000)
    this.exchange.happen(1)
    this.exchange.tell('live', { seq: this.exchange.seq })
    for (let i = 0; i < 20; i++) {
      while (this.#busy.length > 0) await this.handle()
      this.ports.pass(20_000)
      await this.handle()
    }
  }
}

/** Checks, by journal, the states and the changes that follow them. */
function expectWhole(run: Run): void {
  const { exchange, updates } = run
  let expected: number | undefined
  let journal: string | undefined
  for (const update of updates) {
    if (update.kind === 'state') {
      // There is at most one state for each journal: only another journal restarts a feed.
      expect(update.journal).not.toBe(journal as never)
      expect(update.restart).toBe(journal === undefined ? undefined : 'UNKNOWN_JOURNAL')
    } else {
      expect(update.journal).toBe(journal as never)
      if (journal === exchange.name) {
        const next = exchange.happened.find(({ seq }) => seq > (expected as number))
        expect(update.seq).toBe(next?.seq as number)
        expect(update.rows.length).toBe(next?.parts as number)
      }
    }
    journal = update.journal
    expected = update.seq
  }
  expect(journal).toBe(exchange.name)
  expect(expected).toBe(exchange.happened.at(-1)?.seq ?? (expected as number))
}

test('a private feed has neither gaps nor duplicates, however it was cut, repeated, ended or delayed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const run = new Run()
      for (const step of list) await run.do(step)
      await run.settle()
      expect(run.feed.state).toBe('live')
      expectWhole(run)
    }),
    { numRuns: 200 },
  )
})
