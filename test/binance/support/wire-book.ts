/**
 * A book of one symbol, kept as Binance's documentation tells clients to do: updates are buffered while a
 * snapshot is read, those before it are dropped, and each must follow the previous one. Connects again when
 * its connection ends. Shares no code with the exchange.
 */
import { ALONE } from '../../support/gateway-processes.ts'

type Level = [price: string, quantity: string]
type Snapshot = {
  readonly lastUpdateId: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}
type Update = {
  readonly U: number
  readonly u: number
  readonly b: readonly Level[]
  readonly a: readonly Level[]
}
type Sides = { readonly bids: Map<string, string>; readonly asks: Map<string, string> }

const AGAIN_MS = 200

export class WireBook {
  /** Broken promises of the exchange. */
  readonly faults: string[] = []
  updates = 0
  connections = 0
  readonly #url: string
  readonly #streamUrl: string
  readonly #symbol: string
  #socket: WebSocket | undefined
  #kept: Update[] = []
  #sides: Sides | undefined
  #last = 0
  #isClosed = false
  #woken = Promise.withResolvers<void>()

  constructor(url: string, streamUrl: string, symbol: string) {
    this.#url = url
    this.#streamUrl = streamUrl
    this.#symbol = symbol
    this.#connect()
  }

  /** A snapshot in the form of the book. */
  static of({ bids, asks }: Snapshot): { bids: Level[]; asks: Level[] } {
    return { bids: [...bids], asks: [...asks] }
  }

  async synced(): Promise<void> {
    while (this.#sides === undefined) await this.#woken.promise
  }

  /** The book as it is now, in the form of a snapshot. Empty while it is not in sync. */
  shown(): { bids: Level[]; asks: Level[] } {
    const { bids, asks } = this.#sides ?? { bids: new Map(), asks: new Map() }
    const sorted = (side: Map<string, string>, sign: number) =>
      [...side].toSorted(([one], [other]) => sign * (Number(one) - Number(other)))
    return { bids: sorted(bids, -1), asks: sorted(asks, 1) }
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.close()
  }

  #connect(): void {
    this.connections++
    this.#kept = []
    this.#sides = undefined
    const socket = new WebSocket(`${this.#streamUrl}/ws/${this.#symbol.toLowerCase()}@depth@100ms`)
    this.#socket = socket
    socket.onopen = () => void this.#begin(socket)
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)))
    socket.onerror = () => {}
    socket.onclose = () => {
      if (!this.#isClosed) setTimeout(() => this.#connect(), AGAIN_MS)
    }
  }

  async #begin(socket: WebSocket): Promise<void> {
    for (;;) {
      const first = this.#kept[0]
      const snapshot = await this.#read()
      if (socket !== this.#socket || this.#isClosed) return
      if (snapshot === undefined || (first !== undefined && snapshot.lastUpdateId < first.U - 1)) {
        await Bun.sleep(AGAIN_MS)
        continue
      }
      const { lastUpdateId, bids, asks } = snapshot
      const later = this.#kept.filter(({ u }) => u > lastUpdateId)
      const [next] = later
      if (next !== undefined && next.U > lastUpdateId + 1)
        this.faults.push(`snapshot ${lastUpdateId}, then an update from ${next.U}`)
      this.#sides = { bids: new Map(bids), asks: new Map(asks) }
      this.#last = lastUpdateId
      this.#isFirst = true
      for (const update of later) this.#apply(update)
      this.#wake()
      return
    }
  }

  /** The first update after a snapshot may start before the snapshot. */
  #isFirst = false

  async #read(): Promise<Snapshot | undefined> {
    const path = `/api/v3/depth?symbol=${this.#symbol}&limit=5000`
    const answer = await fetch(this.#url + path, ALONE).catch(() => undefined)
    return answer?.status === 200 ? ((await answer.json()) as Snapshot) : undefined
  }

  #take(update: Update): void {
    if (this.#sides === undefined) this.#kept.push(update)
    else this.#apply(update)
    this.#wake()
  }

  #apply(update: Update): void {
    const { U, u, b, a } = update
    if (u <= this.#last) {
      if (!this.#isFirst) this.faults.push(`an update until ${u} after ${this.#last}`)
      return
    }
    const follows = this.#isFirst ? U <= this.#last + 1 : U === this.#last + 1
    if (!follows) this.faults.push(`an update from ${U} after ${this.#last}`)
    this.#isFirst = false
    this.#last = u
    this.updates++
    const { bids, asks } = this.#sides as Sides
    for (const [side, levels] of [
      [bids, b],
      [asks, a],
    ] as const)
      for (const [price, quantity] of levels)
        if (Number(quantity) === 0) side.delete(price)
        else side.set(price, quantity)
  }

  #wake(): void {
    this.#woken.resolve()
    this.#woken = Promise.withResolvers()
  }
}
