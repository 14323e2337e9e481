/**
 * Sends prepared requests over keep-alive connections, one in flight on each, and times every answer. Closed
 * loop: a connection sends as soon as it is answered. Open loop: every order has its due time; if no
 * connection is free it waits, and that wait is part of its latency.
 */
import { type Load, type LoadPlan, loadOf } from './load.ts'
import { SignedOrders } from './signed-orders.ts'

type Connection = { order: number; begun: Buffer | undefined; freeSince: number }
type Socket = Bun.Socket<Connection>

const HEAD_END = Buffer.from('\r\n\r\n')
/** Marks a placed order in the answer to a batch. */
const PLACED = Buffer.from('{"status":200,')
const LENGTH_FIELD = Buffer.from('ontent-Length: ')
/** The offset of the three digits of the status: `HTTP/1.1 200`. */
const STATUS_AT = 9
const TICK_MS = 1

export class LoadGenerator {
  readonly #plan: LoadPlan
  readonly #requests: number
  readonly #orders: SignedOrders
  readonly #onAnswer: ((answer: Buffer) => void) | undefined
  readonly #done = Promise.withResolvers<void>()
  readonly #idle: Socket[] = []
  /** The time at which each order was due, later the time that its answer took. */
  readonly #times: Float64Array
  /**
   * Open loop: the delay from the time at which each order was due and a connection free until it was sent.
   */
  readonly #late: Float64Array
  #startedAt = 0
  #next = 0
  #answered = 0
  #accepted = 0
  #unknown = 0
  #answerBytes = 0

  /** `onAnswer` receives each complete answer, including its head. */
  constructor(plan: LoadPlan, onAnswer?: (answer: Buffer) => void) {
    this.#plan = plan
    this.#requests = plan.orders / (plan.batch ?? 1)
    if (!Number.isInteger(this.#requests))
      throw new Error(`${plan.orders} orders are no whole batches of ${plan.batch}`)
    this.#onAnswer = onAnswer
    this.#orders = new SignedOrders(plan)
    this.#times = new Float64Array(this.#requests)
    this.#late = new Float64Array(this.#requests)
  }

  async run(): Promise<Load> {
    const sockets = await Promise.all(Array.from({ length: this.#plan.connections }, () => this.#connect()))
    const cpuBefore = process.cpuUsage()
    this.#startedAt = performance.now()
    if (this.#plan.ratePerSecond === undefined) for (const socket of sockets) this.#sendNext(socket)
    else {
      this.#idle.push(...sockets)
      this.#tick(this.#plan.ratePerSecond)
    }
    await this.#done.promise
    const elapsedMs = performance.now() - this.#startedAt
    const { user, system } = process.cpuUsage(cpuBefore)
    for (const socket of sockets) socket.terminate()
    const tally = {
      plan: this.#plan,
      times: this.#times,
      late: this.#late,
      fills: undefined,
      accepted: this.#accepted,
      unknown: this.#unknown,
      answerBytes: this.#answerBytes,
    }
    return loadOf(tally, elapsedMs, user + system)
  }

  #connect(): Promise<Socket> {
    const { reject } = this.#done
    return Bun.connect<Connection>({
      hostname: '127.0.0.1',
      port: this.#plan.port,
      data: { order: 0, begun: undefined, freeSince: 0 },
      socket: {
        data: (socket, bytes) => this.#receive(socket, bytes),
        close: () => reject(new Error('the server closed a connection')),
        error: (_socket, cause) => reject(cause),
      },
    })
  }

  /** Closed loop: sends the next order now. */
  #sendNext(socket: Socket): void {
    if (this.#next >= this.#requests) return
    this.#times[this.#next] = performance.now()
    this.#send(socket)
  }

  #send(socket: Socket): void {
    const order = this.#next++
    socket.data.order = order
    socket.write(this.#orders.at(order))
  }

  /** Open loop: sends the orders that are due, as long as connections are free. */
  #tick(rate: number): void {
    const now = performance.now()
    const due = Math.min(this.#requests, Math.floor(((now - this.#startedAt) / 1_000) * rate) + 1)
    while (this.#next < due) {
      // In turn: an unused connection is closed after 3 s.
      const socket = this.#idle.shift()
      if (socket === undefined) break
      const dueAt = this.#startedAt + (this.#next / rate) * 1_000
      this.#times[this.#next] = dueAt
      this.#late[this.#next] = performance.now() - Math.max(dueAt, socket.data.freeSince)
      this.#send(socket)
    }
    if (this.#answered < this.#requests) setTimeout(() => this.#tick(rate), TICK_MS)
  }

  #receive(socket: Socket, received: Buffer): void {
    const { data } = socket
    const bytes = data.begun === undefined ? received : Buffer.concat([data.begun, received])
    if (!isWhole(bytes)) {
      data.begun = Buffer.from(bytes)
      return
    }
    data.begun = undefined
    this.#times[data.order] = performance.now() - (this.#times[data.order] ?? 0)
    this.#answered++
    this.#answerBytes += bytes.length
    if (bytes[STATUS_AT] === 0x32) this.#accepted += this.#plan.batch === undefined ? 1 : acceptedIn(bytes)
    else if (bytes[STATUS_AT] === 0x35) this.#unknown += this.#plan.batch ?? 1
    this.#onAnswer?.(bytes)
    if (this.#plan.ratePerSecond === undefined) this.#sendNext(socket)
    else {
      data.freeSince = performance.now()
      this.#idle.push(socket)
    }
    if (this.#answered === this.#requests) this.#done.resolve()
  }
}

/** True if `bytes` contain a complete answer with a Content-Length. */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const field = bytes.indexOf(LENGTH_FIELD)
  if (field < 0 || field > headEnd) throw new Error('expected an answer with a Content-Length')
  let length = 0
  for (let at = field + LENGTH_FIELD.length; bytes[at] !== 0x0d; at++) {
    length = length * 10 + (bytes[at] as number) - 0x30
  }
  return bytes.length >= headEnd + HEAD_END.length + length
}

/** Number of placed orders of a batch. */
function acceptedIn(answer: Buffer): number {
  let count = 0
  for (let at = answer.indexOf(PLACED); at >= 0; at = answer.indexOf(PLACED, at + PLACED.length)) count++
  return count
}
