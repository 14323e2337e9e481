/** One logged-in connection of order entry: requests are answered in order, and many may be in flight. */
import { createHmac } from 'node:crypto'

export type SocketKey = { readonly apiKey: string; readonly secret: string }

type Answer = readonly [name: 'answer', id: number | 'login', status: number, body: unknown]

/** Maximum number of requests in flight, below a server's limit for one connection; further requests wait. */
const UNDER_WAY_MAX = 16

export class OrderSocket {
  readonly #socket: WebSocket
  readonly #unsent: string[] = []
  readonly #waiting = new Map<number | 'login', (status: number, body: unknown) => void>()
  #next = 0

  /** Resolves once the connection is logged in. */
  static async open(url: string, { apiKey, secret }: SocketKey): Promise<OrderSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/stream`)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = () => reject(new Error(`no connection to ${url}`))
    })
    const orders = new OrderSocket(socket)
    const timestamp = Date.now()
    const text = `login\napiKey=${apiKey}&timestamp=${timestamp}`
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    const login = await orders.#ask('login', ['login', { apiKey, timestamp, signature }])
    if (login !== 200) throw new Error(`the login was answered with ${login}`)
    return orders
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Answer)
  }

  /** Number of unanswered requests. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves with the status of the answer. */
  request(name: string, fields: object): Promise<number> {
    const id = this.#next++
    return this.#ask(id, [name, id, fields])
  }

  close(): void {
    this.#socket.onmessage = null
    this.#socket.close()
  }

  #ask(id: number | 'login', message: readonly unknown[]): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#unsent.push(JSON.stringify(message))
      this.#send()
    })
  }

  #send(): void {
    while (this.#waiting.size - this.#unsent.length < UNDER_WAY_MAX) {
      const text = this.#unsent.shift()
      if (text === undefined) return
      this.#socket.send(text)
    }
  }

  #take([name, id, status, body]: Answer): void {
    if (name !== 'answer') return
    this.#waiting.get(id)?.(status, body)
    this.#waiting.delete(id)
    this.#send()
  }
}
