/** Public clients of the stream, each keeping a book. */
import { io, type ManagerOptions, type SocketOptions } from 'socket.io-client'
import { RawWebSocket } from '../../support/raw-websocket.ts'
import { until } from '../../support/until.ts'
import { type Exact, exactJson, numberText } from './exact-json.ts'
import { KeptBook } from './kept-book.ts'

export type Listener = {
  readonly name: string
  readonly book: KeptBook
  /** Receives every message before the book does. */
  onMessage: (event: string, payload: Exact) => void
  send(...message: readonly string[]): void
  close(): unknown
}

class Ear {
  readonly book = new KeptBook()
  onMessage: (event: string, payload: Exact) => void = () => {}

  hear(event: string, payload: Exact): void {
    this.onMessage(event, payload)
    this.book.take(event, payload)
  }
}

/** The unmodified socket.io-client; without options it gets only the URL. */
export async function socketIoListener(
  name: string,
  url: string,
  options?: Partial<ManagerOptions & SocketOptions>,
): Promise<Listener> {
  const ear = new Ear()
  const socket = options === undefined ? io(url) : io(url, { forceNew: true, ...options })
  socket.onAny((event: string, payload: Exact) => ear.hear(event, payload))
  await until(`${name} connects`, () => socket.connected)
  return Object.assign(ear, {
    name,
    send: (...[event, ...rest]: readonly string[]) => void socket.emit(event!, ...rest),
    close: () => void socket.disconnect(),
  })
}

/** The runtime's plain WebSocket; every number is checked to be written as a plain decimal. */
export async function plainListener(name: string, url: string): Promise<Listener> {
  const ear = new Ear()
  const socket = new WebSocket(url)
  socket.onmessage = ({ data }) => {
    const [event, payload] = plainly(exactJson(String(data)))
    ear.hear(event, payload)
  }
  await until(`${name} connects`, () => socket.readyState === WebSocket.OPEN)
  return Object.assign(ear, {
    name,
    send: (...message: readonly string[]) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  })
}

/** Turns exact numbers into JavaScript numbers. Throws if one is not a plain decimal. */
function plainly(value: Exact): Exact {
  if (typeof value === 'string') return value.startsWith('#') ? Number(numberText(value)) : value
  if (Array.isArray(value)) return value.map(plainly)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainly(each)]))
}

export type SlowListener = Listener & { pause(): void; resume(): void }

/** A WebSocket on bare TCP that reads only on demand. */
export async function slowListener(name: string, origin: string): Promise<SlowListener> {
  const ear = new Ear()
  const socket = await RawWebSocket.open(origin)
  socket.onMessage = (text) => {
    const [event, payload] = JSON.parse(text)
    ear.hear(event, payload)
  }
  return Object.assign(ear, {
    name,
    send: (...message: readonly string[]) => socket.sendText(JSON.stringify(message)),
    close: () => socket.close(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  })
}

/** Separates the packets of one polling answer (Engine.IO 4). */
const SEPARATOR = '\x1e'

export type PollingListener = Listener & {
  /** Fetches the waiting messages, once. */
  poll(): Promise<void>
}

/** Socket.IO over polling written by hand, which polls only on demand. */
export async function pollingListener(name: string, url: string): Promise<PollingListener> {
  const ear = new Ear()
  const address = `${url}/socket.io/?EIO=4&transport=polling`
  const handshake = await (await fetch(address)).text()
  const session = `${address}&sid=${JSON.parse(handshake.slice(1)).sid}`
  const post = async (packet: string) => {
    const answer = await fetch(session, { method: 'POST', body: packet })
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
  }
  const poll = async () => {
    const answer = await fetch(session)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`)
    for (const packet of text.split(SEPARATOR)) {
      if (packet.startsWith('42')) {
        const [event, payload] = JSON.parse(packet.slice(2))
        ear.hear(event, payload)
      } else if (packet === '2') await post('3')
    }
  }
  await post('40')
  await poll()
  let sending = Promise.resolve()
  return Object.assign(ear, {
    name,
    poll: () => sending.then(poll),
    send: (...message: readonly string[]) => {
      sending = sending.then(() => post(`42${JSON.stringify(message)}`))
    },
    close: () => sending.then(() => post('1')),
  })
}
