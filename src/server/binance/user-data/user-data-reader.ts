/**
 * One subscription to an account: every command's events from the command at which it starts, in order and
 * without a gap. Nothing is left out: if the client does not keep up, the subscription and its connection
 * end.
 */
import type { AccountUpdate } from '../../../engine/port/ports.ts'
import type { AccountId, OrderNumber } from '../../../units/ids.ts'
import type { Seq } from '../../../units/quantities.ts'
import type { Clock } from '../../common/clock.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import { type Feeds, isDown } from '../../private-feed/feeds.ts'
import type { LiveReader } from '../../private-feed/live-reader.ts'
import { eventsOf, type Note } from './execution-reports.ts'
import { type ListOrders, listEvents, listsIn, readLists } from './list-statuses.ts'

/** Maximum number of events sent in one turn of the event loop. */
const EVENTS_AT_ONCE = 64
/** A client with more buffered bytes gets the next events when it has received them. */
const DRAINED_BYTES_MAX = 64 * 1024
/**
 * Maximum number of orders, fills and balances of all updates that wait for a client, unless a single update
 * has more.
 */
const WAITING_ROWS_MAX = 20_000
const NOTES_MAX = 20_000

export type UserDataOptions = {
  readonly feeds: Feeds
  readonly accountId: AccountId
  readonly clock: Clock
  readonly send: (event: object) => void
  readonly waitingBytes: () => number
  /** Called when the subscription ends because events were lost. */
  readonly onEnd: (refusal: Refusal) => void
  readonly onCrash: (error: unknown) => void
}

type Waiting = { readonly update: AccountUpdate; readonly notes: readonly Note[]; readonly lists: ListOrders }

export class UserDataReader implements LiveReader {
  /** Readers of this channel receive complete updates. */
  readonly channel = 'orders'
  readonly #options: UserDataOptions
  #position = 0 as Seq
  /** The newest order that was placed before the waiting updates. */
  #known = 0 as OrderNumber
  #notes: { readonly seq: Seq; readonly note: Note }[] = []
  readonly #listsByUpdate = new WeakMap<AccountUpdate, ListOrders>()
  readonly #waiting: Waiting[] = []
  #waitingRows = 0
  #isSending = false
  #isEnded = false
  #goOn: (() => void) | undefined

  constructor(options: UserDataOptions) {
    this.#options = options
    options.feeds.enter(options.accountId, this.channel)
  }

  /** Whether data waits for the client. */
  get isSending(): boolean {
    return this.#isSending
  }

  /**
   * Finds where to begin: everything that happens after this has resolved will be sent. Rejects with
   * `EngineFault`.
   */
  async findStart(): Promise<void> {
    const { feeds, accountId } = this.#options
    const { engine } = feeds.services()
    const { seq: begin } = await engine.ask('accountState', { accountId })
    const query = { accountId, symbolId: undefined, after: undefined }
    const { orders } = await engine.ask('openOrders', query)
    const { seq: end } = await engine.ask('accountState', { accountId })
    this.#know(orders)
    for (let at = begin; at < end; ) {
      const answer = await feeds.updatesAfter(accountId, at)
      if (answer === 'TOO_OLD') break
      for (const { seq, open, ended } of answer.updates) if (seq <= end) this.#know([...open, ...ended])
      at = answer.upTo
    }
    this.#position = end
    this.#notes = this.#notes.filter(({ seq }) => seq > end)
  }

  begin(): void {
    void this.#catchUp().catch((error: unknown) => this.#crash(error))
  }

  /** Takes an event that concerns the account; `seq`: the command that caused it. */
  note(seq: Seq, note: Note): void {
    if (this.#notes.length >= NOTES_MAX) this.tooSlow()
    else this.#notes.push({ seq, note })
  }

  prepare(update: AccountUpdate): Promise<void> | undefined {
    const lists = this.#isEnded ? [] : listsIn(update)
    if (lists.length === 0 || update.seq <= this.#position) return undefined
    const { history } = this.#options.feeds.services()
    return readLists(lists, update, history).then((read) => void this.#listsByUpdate.set(update, read))
  }

  take(update: AccountUpdate): void {
    if (this.#isEnded || update.seq <= this.#position) return
    this.#position = update.seq
    const notes = this.#notes.filter(({ seq }) => seq <= update.seq)
    this.#notes = this.#notes.slice(notes.length)
    const lists = this.#listsByUpdate.get(update) ?? new Map()
    const rows = rowsOf(update)
    if (this.#waitingRows > 0 && this.#waitingRows + rows > WAITING_ROWS_MAX) {
      this.tooSlow()
      return
    }
    this.#waitingRows += rows
    this.#waiting.push({ update, notes: notes.map(({ note }) => note), lists })
    if (!this.#isSending) void this.#sendAll().catch((error: unknown) => this.#crash(error))
  }

  fallBehind(position: Seq): void {
    if (this.#isEnded) return
    if (position > this.#position) this.#position = position
    this.begin()
  }

  drained(): void {
    this.#goOn?.()
  }

  tooSlow(): void {
    this.end(refuse('TOO_SLOW', {}))
  }

  end(refusal: Refusal): void {
    if (this.#isEnded) return
    this.close()
    this.#options.onEnd(refusal)
  }

  /** Stops sending. */
  close(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.feeds.leave(this.#options.accountId, this)
    this.#goOn?.()
  }

  async #catchUp(): Promise<void> {
    const { feeds, accountId } = this.#options
    while (!this.#isEnded) {
      const position = this.#position
      const known = feeds.services().market.seq
      const answer = await feeds.inTurn(accountId, () => feeds.updatesAfter(accountId, position))
      if (answer === 'TOO_OLD') {
        this.end(refuse('SINCE_TOO_OLD', {}))
        return
      }
      for (const update of answer.updates) {
        await this.prepare(update)
        this.take(update)
      }
      if (this.#isEnded) return
      if (answer.upTo > this.#position) this.#position = answer.upTo
      if (answer.upTo >= known && feeds.join(accountId, this, this.#position)) return
    }
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    let count = 0
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      for (const event of this.#events(next)) {
        if (this.#isEnded) return
        this.#options.send(event)
        if (++count % EVENTS_AT_ONCE === 0) await this.#options.feeds.lane.further(() => {})
        while (!this.#isEnded && this.#options.waitingBytes() > DRAINED_BYTES_MAX) await this.#untilDrained()
      }
      this.#know([...next.update.open, ...next.update.ended])
      this.#waitingRows -= rowsOf(next.update)
    }
    this.#isSending = false
  }

  *#events({ update, notes, lists }: Waiting): Generator<object, void> {
    const { feeds, clock } = this.#options
    const { registry } = feeds.services().market
    const now = clock.steady()
    yield* eventsOf(
      update,
      { registry, known: this.#known, notes, now },
      listEvents(lists, update, { registry, now }),
    )
  }

  async #untilDrained(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#goOn = resolve
    })
    this.#goOn = undefined
  }

  #know(orders: readonly { readonly orderNumber: OrderNumber }[]): void {
    for (const { orderNumber } of orders) if (orderNumber > this.#known) this.#known = orderNumber
  }

  #crash(error: unknown): void {
    if (this.#isEnded) return
    if (!isDown(error)) this.#options.onCrash(error)
    this.end(refuse('ENGINE_DOWN', {}))
  }
}

function rowsOf({ open, ended, fills, balances }: AccountUpdate): number {
  return 1 + open.length + ended.length + fills.length + balances.length
}
