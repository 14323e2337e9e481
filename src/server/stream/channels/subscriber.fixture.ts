/** A client of channels on rooms whose turns are controlled by the test. */
import type { Subscription, Topic } from '../../../contract/stream/stream-channels.ts'
import { ManualClient } from '../broadcast.fixture.ts'

/** Fields of every message of a channel. */
export type ChannelPayload = { readonly symbol: string; readonly seq: number; readonly prevSeq?: number }

type BookTopic = Extract<Topic, { channel: 'book' }>

/** `book` with the given options; without options, all levels at every change. */
export function bookTopic(options: Partial<Omit<BookTopic, 'channel'>> = {}): BookTopic {
  return { channel: 'book', levels: undefined, intervalMs: undefined, ...options }
}

export class Subscriber extends ManualClient {
  /** Every event with its payload, oldest first. */
  readonly heard: [event: string, payload: unknown][] = []
  /** Called for each message of a channel. */
  onMessage: (channel: string, payload: ChannelPayload) => void = () => {}

  take(event: string, payload: unknown): void {
    this.heard.push([event, payload])
    if (typeof payload === 'object' && payload !== null && 'seq' in payload) {
      this.onMessage(event, payload as ChannelPayload)
    }
  }

  /** Names of the events received since the last call. */
  names(): string[] {
    return this.heard.splice(0).map(([event]) => event)
  }

  subscribe(topic: Topic, symbol = 'BTC/USDT'): void {
    this.#send('subscribe', { symbol, topic })
  }

  unsubscribe(topic: Topic, symbol = 'BTC/USDT'): void {
    this.#send('unsubscribe', { symbol, topic })
  }

  #send(kind: 'subscribe' | 'unsubscribe', subscription: Subscription): void {
    this.session.receive({ kind, subscription })
  }
}
