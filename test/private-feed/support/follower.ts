/**
 * A client of the private feed that stores what it receives, checks that nothing is missed or received twice,
 * and resumes from its last position.
 */
import { expect } from 'bun:test'
import type { EntryClient } from '../../order-entry/support/entry-clients.ts'
import { until } from '../../support/until.ts'

export const CHANNELS = ['orders', 'fills', 'balances'] as const
export type ChannelName = (typeof CHANNELS)[number]
type Row = Readonly<Record<string, unknown>>
export type FeedMessage = {
  readonly journal: string
  readonly seq: number
  readonly prevSeq?: number
  readonly time?: number
  readonly more?: boolean
  readonly orders?: readonly Row[]
  readonly fills?: readonly Row[]
  readonly balances?: readonly Row[]
}

export class FeedFollower {
  /** For each channel, the last command that was received completely. */
  readonly since: Partial<Record<ChannelName, number>> = {}
  readonly orderById = new Map<unknown, Row>()
  readonly fills: Row[] = []
  readonly balanceByAsset = new Map<unknown, Row>()
  /** Each balance as it was received, by command and asset. */
  readonly told = new Map<string, Row>()
  messages = 0
  #lastSeq: Partial<Record<ChannelName, number>> = {}
  #part: Row[] = []
  #client: EntryClient | undefined
  #taken = 0

  /** Follows on a logged-in connection, from the last position. */
  follow(client: EntryClient, journal?: string): void {
    this.#client = client
    this.#taken = client.events.length
    this.#part = []
    this.#lastSeq = { ...this.since }
    for (const channel of CHANNELS) {
      const since = this.since[channel]
      client.send('subscribe', {
        channel,
        ...(since === undefined ? {} : { since, ...(journal === undefined ? {} : { journal }) }),
      })
    }
  }

  /** Processes the received messages, at most `max`. */
  take(max = Number.POSITIVE_INFINITY): void {
    const events = this.#client?.events ?? []
    for (let left = max; this.#taken < events.length && left > 0; left--) {
      const [event, payload] = events[this.#taken++] as [string, unknown]
      if (CHANNELS.includes(event as ChannelName)) this.#message(event as ChannelName, payload as FeedMessage)
      else expect([event, payload]).toEqual(['subscribed', expect.anything()])
    }
  }

  /** Continues until all channels have published this command, or a later one. */
  async until(what: string, isThere: () => boolean): Promise<void> {
    await until(what, () => {
      this.take()
      return isThere()
    })
  }

  #message(channel: ChannelName, message: FeedMessage): void {
    this.messages++
    const { seq, prevSeq, more } = message
    const before = this.#lastSeq[channel]
    expect([channel, seq, prevSeq]).toEqual([channel, seq, before])
    if (before !== undefined) expect(seq).toBeGreaterThanOrEqual(before)
    this.#lastSeq[channel] = seq
    this.#part.push(...((message[channel] ?? []) as Row[]))
    if (more === true) return
    const isState = before === undefined || this.since[channel] === undefined
    const rows = this.#part
    this.#part = []
    this.since[channel] = seq
    if (channel === 'orders') {
      if (isState) this.orderById.clear()
      for (const row of rows) this.orderById.set(row.id, row)
    } else if (channel === 'fills') this.fills.push(...rows)
    else
      for (const row of rows) {
        this.balanceByAsset.set(row.asset, row)
        this.told.set(`${seq} ${row.asset}`, row)
      }
  }
}
