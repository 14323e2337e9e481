/**
 * Sends orders over plain, logged-in WebSockets, with a fixed number in flight on each, and times every
 * answer. All orders due on a connection at one time go into one frame. Closed loop: each answer is followed
 * by another order. Open loop: every order has its due time; if no connection is free it waits, and that wait
 * is part of its latency.
 */
import { createHmac } from 'node:crypto'
import { FillWatcher } from './fill-watcher.ts'
import { FrameReader, upgradeRequest } from './frame-reader.ts'
import { type Load, type LoadPlan, loadOf } from './load.ts'
import { openTrace, type TraceRows } from './order-trace.ts'
import { orderFields } from './signed-orders.ts'

type Connection = { readonly reader: FrameReader; underWay: number; freeSince: number; isOpen: boolean }
type Socket = Bun.Socket<Connection>

const HEAD_END = Buffer.from('\r\n\r\n')
const ANSWER = Buffer.from('["answer",')
const ID = Buffer.from('"id":"')
const ID_LENGTH = 36
const COMMA = 0x2c
const TICK_MS = 1
/** Maximum number of orders in a frame, well within the longest frame that the server accepts. */
const FRAME_ORDERS_MAX = 64
const [DUE, SENT, ANSWERED] = [0, 1, 2]
const MASKED = 0x80
const TEXT_FINAL = 0x81

export class SocketLoadGenerator {
  readonly #plan: LoadPlan
  readonly #underWayMax: number
  /** The messages in sequence, and the end of each. */
  readonly #messages: Buffer
  readonly #ends: Uint32Array
  readonly #done = Promise.withResolvers<void>()
  readonly #times: Float64Array
  readonly #late: Float64Array
  /** The rows in which each order's times are recorded; undefined if not needed. */
  readonly #trace: TraceRows | undefined
  /** Offset from this process's clock to the common one. */
  readonly #offsetMs = performance.timeOrigin
  /** If fills are followed: the id of each order, and the time at which it was due. */
  readonly #ids: string[] = []
  readonly #dueAt: Float64Array
  /** The frame being built. */
  readonly #frame = Buffer.alloc(1 << 16)
  #sockets: readonly Socket[] = []
  #turn = 0
  #startedAt = 0
  #next = 0
  #answered = 0
  #accepted = 0
  #unknown = 0
  #answerBytes = 0

  constructor(plan: LoadPlan, underWayMax: number) {
    this.#plan = plan
    this.#trace = plan.traceDirectory === undefined ? undefined : openTrace(plan.traceDirectory, 'client')
    this.#underWayMax = underWayMax
    this.#times = new Float64Array(plan.orders)
    this.#late = new Float64Array(plan.orders)
    this.#dueAt = new Float64Array(plan.orders)
    this.#ends = new Uint32Array(plan.orders)
    const texts = Array.from({ length: plan.orders }, (_, n) => {
      return `["order.place",${n},${JSON.stringify(Object.fromEntries(orderFields(n, plan.hasFeed ? 1 : undefined)))}]`
    })
    let end = 0
    for (const [n, text] of texts.entries()) {
      end += text.length
      this.#ends[n] = end
    }
    this.#messages = Buffer.from(texts.join(''), 'latin1')
  }

  async run(): Promise<Load> {
    this.#sockets = await Promise.all(Array.from({ length: this.#plan.connections }, () => this.#connect()))
    const { ratePerSecond, hasFeed, orders } = this.#plan
    const watcher = hasFeed ? new FillWatcher(Math.floor(orders / 2)) : undefined
    await watcher?.follow(this.#plan)
    const cpuBefore = process.cpuUsage()
    this.#startedAt = performance.now()
    if (ratePerSecond !== undefined) this.#tick(ratePerSecond)
    else for (const socket of this.#sockets) this.#fill(socket)
    await this.#done.promise
    const elapsedMs = performance.now() - this.#startedAt
    const { user, system } = process.cpuUsage(cpuBefore)
    for (const socket of this.#sockets) socket.terminate()
    const tally = {
      plan: this.#plan,
      times: this.#times,
      late: this.#late,
      fills: watcher && this.#fillTimes(await watcher.all()),
      accepted: this.#accepted,
      unknown: this.#unknown,
      answerBytes: this.#answerBytes,
    }
    return loadOf(tally, elapsedMs, user + system)
  }

  /** Resolves when the connection is logged in. */
  async #connect(): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    const fail = (cause: Error): void => {
      reject(cause)
      this.#done.reject(cause)
    }
    await Bun.connect<Connection>({
      hostname: '127.0.0.1',
      port: this.#plan.port,
      data: { reader: new FrameReader(), underWay: 0, freeSince: 0, isOpen: false },
      socket: {
        open: (socket) => void socket.write(upgradeRequest('/ws')),
        data: (socket, bytes) => {
          const { data } = socket
          if (data.isOpen) this.#receive(socket, bytes)
          else if (bytes.indexOf(HEAD_END) >= 0) {
            data.isOpen = true
            this.#logIn(socket)
          }
          if (data.isOpen) resolveIfIn(data, () => resolve(socket))
        },
        close: ({ data }) => fail(new Error(`the server closed a connection: ${data.reader.farewell}`)),
        error: (_socket, cause) => fail(cause),
      },
    })
    return promise
  }

  #logIn(socket: Socket): void {
    const { apiKey, secret } = this.#plan
    const timestamp = Date.now()
    const text = `login\napiKey=${apiKey}&timestamp=${timestamp}`
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    const fields = { apiKey, timestamp, signature, frames: 'many' }
    const message = Buffer.from(JSON.stringify(['login', fields]))
    socket.data.underWay = -1
    message.copy(this.#frame, 8)
    this.#write(socket, 8, 8 + message.length)
  }

  /** Closed loop: sends as many orders as may be in flight. */
  #fill(socket: Socket): void {
    const count = Math.min(this.#underWayMax - socket.data.underWay, this.#plan.orders - this.#next)
    if (count <= 0) return
    const now = performance.now()
    this.#times.fill(now, this.#next, this.#next + count)
    for (let left = count; left > 0; left -= FRAME_ORDERS_MAX)
      this.#send(socket, Math.min(left, FRAME_ORDERS_MAX))
  }

  /** Open loop: sends the orders that are due, as long as connections have room. */
  #tick(rate: number): void {
    const { orders } = this.#plan
    const now = performance.now()
    const due = Math.min(orders, Math.floor(((now - this.#startedAt) / 1_000) * rate) + 1)
    const share = Math.min(Math.ceil((due - this.#next) / this.#sockets.length), FRAME_ORDERS_MAX)
    for (let looked = 0; this.#next < due && looked < this.#sockets.length; ) {
      const socket = this.#sockets[this.#turn++ % this.#sockets.length] as Socket
      const count = Math.min(share, due - this.#next, this.#underWayMax - socket.data.underWay)
      if (count <= 0) {
        looked++
        continue
      }
      looked = 0
      this.#due(socket, count, rate)
      this.#send(socket, count)
    }
    if (this.#answered < orders) setTimeout(() => this.#tick(rate), TICK_MS)
  }

  /** Records when the next orders were due, and how late they are. */
  #due(socket: Socket, count: number, rate: number): void {
    const now = performance.now()
    for (let n = this.#next; n < this.#next + count; n++) {
      const dueAt = this.#startedAt + (n / rate) * 1_000
      this.#times[n] = dueAt
      this.#dueAt[n] = dueAt
      this.#late[n] = now - Math.max(dueAt, socket.data.freeSince)
    }
  }

  #send(socket: Socket, count: number): void {
    const frame = this.#frame
    let end = 8
    frame[end++] = 0x5b
    for (let n = this.#next; n < this.#next + count; n++) {
      if (n > this.#next) frame[end++] = COMMA
      end += this.#messages.copy(frame, end, this.#ends[n - 1] ?? 0, this.#ends[n])
    }
    frame[end++] = 0x5d
    if (this.#trace !== undefined) this.#noteSent(this.#trace, count)
    this.#next += count
    socket.data.underWay += count
    this.#write(socket, 8, end)
  }

  /** The time of each fill, from the time at which the taking order was due. */
  #fillTimes(seenById: ReadonlyMap<string, number>): Float64Array {
    const times: number[] = []
    for (const [n, id] of this.#ids.entries()) {
      const seen = seenById.get(id)
      if (seen !== undefined) times.push(seen - (this.#dueAt[n] as number))
    }
    return Float64Array.from(times)
  }

  #noteSent(trace: TraceRows, count: number): void {
    const now = performance.now() + this.#offsetMs
    for (let n = this.#next; n < this.#next + count; n++) {
      trace.set(n, DUE, (this.#times[n] as number) + this.#offsetMs)
      trace.set(n, SENT, now)
    }
  }

  /** A text frame around the text in the buffer, masked with zeros (RFC 6455, 5.2). */
  #write(socket: Socket, start: number, end: number): void {
    const frame = this.#frame
    const length = end - start
    const head = length < 126 ? 6 : 8
    const at = start - head
    frame[at] = TEXT_FINAL
    frame[at + 1] = MASKED | (length < 126 ? length : 126)
    if (length >= 126) frame.writeUInt16BE(length, at + 2)
    frame.fill(0, start - 4, start)
    const written = socket.write(frame.subarray(at, end))
    if (written !== head + length) throw new Error('a frame was not taken whole')
  }

  #receive(socket: Socket, bytes: Buffer): void {
    const { data } = socket
    const before = data.underWay
    data.reader.read(bytes, (message) => this.#take(data, message))
    if (before < 0 || data.underWay === before) return
    if (this.#plan.ratePerSecond === undefined) this.#fill(socket)
    else data.freeSince = performance.now()
    if (this.#answered === this.#plan.orders) this.#done.resolve()
  }

  #take(data: Connection, message: Buffer): void {
    if (data.underWay < 0) {
      if (!message.includes('["answer","login",200,')) throw new Error(`expected a login, found ${message}`)
      data.underWay = 0
      return
    }
    const now = performance.now()
    for (let at = message.indexOf(ANSWER); at >= 0; at = message.indexOf(ANSWER, at)) {
      at += ANSWER.length
      let order = 0
      for (; message[at] !== COMMA; at++) order = order * 10 + (message[at] as number) - 0x30
      this.#times[order] = now - (this.#times[order] ?? 0)
      this.#trace?.set(order, ANSWERED, now + this.#offsetMs)
      this.#answered++
      data.underWay--
      if (message[at + 1] === 0x32) this.#accepted++
      else if (message[at + 1] === 0x35) this.#unknown++
      if (this.#plan.hasFeed) {
        const id = message.indexOf(ID, at) + ID.length
        this.#ids[order] = message.toString('latin1', id, id + ID_LENGTH)
      }
    }
    this.#answerBytes += message.length
  }
}

/** Calls `resolve` if the connection is logged in: the number of its requests in flight is then 0 or more. */
function resolveIfIn(data: Connection, resolve: () => void): void {
  if (data.underWay >= 0) resolve()
}
