/** Public clients of the stream: the browser's WebSocket and the unmodified socket.io-client. */
import { io, type Socket } from 'socket.io-client'
import { StreamBook } from './stream-book.ts'
import { until } from './until.ts'

export type StreamError = { readonly code: string; readonly reason: string; readonly msg: readonly string[] }

/** A client that joins symbols and keeps a book. */
export interface StreamClient {
  readonly book: StreamBook
  readonly errors: StreamError[]
  /** Payloads of the `trades` events. */
  readonly trades: unknown[]
  /** Every event with its payload. */
  readonly heard: [event: string, payload: unknown][]
  send(...message: unknown[]): void
  close(): void
}

class Inbox {
  readonly book = new StreamBook()
  readonly errors: StreamError[] = []
  readonly trades: unknown[] = []
  readonly heard: [event: string, payload: unknown][] = []

  take(event: string, payload: unknown): void {
    this.heard.push([event, payload])
    if (event === 'error') this.errors.push(payload as StreamError)
    else this.book.take(event, payload)
    if (event === 'trades') this.trades.push(payload)
  }
}

/** A plain WebSocket that is open. */
export async function plainClient(
  url: string,
  headers?: Record<string, string>,
): Promise<StreamClient & { readonly socket: WebSocket }> {
  const inbox = new Inbox()
  const socket = new WebSocket(url, { headers } as never)
  socket.onmessage = (message) => {
    const [event, payload] = JSON.parse(String(message.data))
    inbox.take(event, payload)
  }
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`cannot connect to ${url}`))
  })
  return {
    book: inbox.book,
    errors: inbox.errors,
    trades: inbox.trades,
    heard: inbox.heard,
    socket,
    send: (...message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  }
}

/** A Socket.IO client that is connected. */
export async function socketIoClient(
  url: string,
  options: Record<string, unknown> = {},
): Promise<StreamClient & { readonly socket: Socket }> {
  const inbox = new Inbox()
  const socket = io(url, { forceNew: true, ...options })
  socket.onAny((event: string, payload: unknown) => inbox.take(event, payload))
  await until(`a Socket.IO client connects to ${url}`, () => socket.connected)
  return {
    book: inbox.book,
    errors: inbox.errors,
    trades: inbox.trades,
    heard: inbox.heard,
    socket,
    send: (event, ...rest) => void socket.emit(event as string, ...rest),
    close: () => void socket.disconnect(),
  }
}
