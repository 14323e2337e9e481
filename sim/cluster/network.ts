/**
 * The network between all parts of the cluster: delays, partitions, and connections whose ends are notified
 * of a cut only later.
 */
import type { Random } from '../world/random.ts'
import type { Schedule } from '../world/schedule.ts'
import type { SimProcess } from './process.ts'

/** Time until one end of a connection is notified that it is cut. */
const NOTICED_MS = { least: 30, most: 900 }

export class Network {
  readonly #schedule: Schedule
  readonly #random: Random
  readonly #cuts = new Set<string>()
  /** Longest ordinary delay of a message. */
  delayMsMax = 2
  /** A share of the messages takes up to this long. */
  readonly slowMsMax = 250
  isSlow = false

  constructor(schedule: Schedule, random: Random) {
    this.#schedule = schedule
    this.#random = random
  }

  cut(a: string, b: string): void {
    this.#cuts.add(pair(a, b))
  }

  mend(a: string, b: string): void {
    this.#cuts.delete(pair(a, b))
  }

  mendAll(): void {
    this.#cuts.clear()
    this.isSlow = false
  }

  isCut(a: string, b: string): boolean {
    return this.#cuts.has(pair(a, b))
  }

  delayMs(): number {
    if (this.isSlow && this.#random.chance(0.1)) return this.#random.between(0, this.slowMsMax)
    return this.#random.between(0, this.delayMsMax)
  }

  noticedMs(): number {
    return this.#random.between(NOTICED_MS.least, NOTICED_MS.most)
  }

  /** The two ends of a new connection. */
  connect<Up, Down>(client: SimProcess, server: SimProcess): [WireEnd<Up, Down>, WireEnd<Down, Up>] {
    const state = { isBroken: false }
    const near = new WireEnd<Up, Down>(this, state, client, server)
    const far = new WireEnd<Down, Up>(this, state, server, client)
    near.joinTo(far)
    far.joinTo(near)
    return [near, far]
  }

  get schedule(): Schedule {
    return this.#schedule
  }
}

/** One end: sends `Out`, receives `In`, in order. If a message is lost, all later ones are lost too. */
export class WireEnd<Out, In> {
  readonly #network: Network
  /** Shared by both ends. */
  readonly #state: { isBroken: boolean }
  readonly #own: SimProcess
  readonly #peer: SimProcess
  #other: WireEnd<In, Out> | undefined
  #isClosed = false
  #latest = 0
  /**
   * Messages from this end that are in flight, and messages that arrived at this end: a connection keeps the
   * order.
   */
  readonly #underWay: Out[] = []
  readonly #arrived: In[] = []
  onMessage: (message: In) => void = () => {}
  onClosed: () => void = () => {}

  constructor(network: Network, state: { isBroken: boolean }, own: SimProcess, peer: SimProcess) {
    this.#network = network
    this.#state = state
    this.#own = own
    this.#peer = peer
    own.onEnd(() => this.#breakUp())
  }

  joinTo(other: WireEnd<In, Out>): void {
    this.#other = other
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#own.isAlive
  }

  send(message: Out): void {
    if (this.#isClosed || this.#state.isBroken) return
    if (this.#network.isCut(this.#own.name, this.#peer.name)) {
      this.#breakUp()
      return
    }
    const { schedule } = this.#network
    const at = Math.max(this.#latest, schedule.now + this.#network.delayMs())
    this.#latest = at
    this.#underWay.push(message)
    schedule.after(at - schedule.now, this.#peer.life, () => {
      const next = this.#underWay.shift() as Out
      if (this.#network.isCut(this.#own.name, this.#peer.name)) this.#breakUp()
      else if (!this.#state.isBroken) this.#other?.arrive(next)
    })
  }

  arrive(message: In): void {
    this.#arrived.push(message)
    this.#own.after(0, () => {
      const next = this.#arrived.shift() as In
      if (!this.#isClosed) this.onMessage(next)
    })
  }

  /** Closes this end now; the other end is notified. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#breakUp()
  }

  /** Breaks the connection: nothing more is delivered. Each end is notified separately. */
  #breakUp(): void {
    if (this.#state.isBroken) return
    this.#state.isBroken = true
    this.#noticeLater()
    this.#other?.noticeBreak()
  }

  noticeBreak(): void {
    this.#noticeLater()
  }

  #noticeLater(): void {
    this.#own.after(this.#network.noticedMs(), () => {
      if (this.#isClosed) return
      this.#isClosed = true
      this.onClosed()
    })
  }
}

function pair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
