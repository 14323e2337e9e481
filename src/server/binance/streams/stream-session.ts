/** One connection: its subscriptions and the messages that change them. Bounded in number and in rate. */
import { type JsonBounds, parseJson } from '../../../units/bounded-json.ts'
import type { MarketHub, Subscriber } from './market-hub.ts'
import { parseStreamName } from './stream-name.ts'

/** Maximum number of streams of one connection, as at Binance. */
export const STREAMS_MAX = 1_024
const MESSAGES_PER_SECOND_MAX = 10
const SECOND_MS = 1_000
const BOUNDS: JsonBounds = {
  depthMax: 3,
  elementsMax: STREAMS_MAX,
  membersMax: 8,
  valuesMax: STREAMS_MAX + 16,
}
const ID_LENGTH_MAX = 36

/** Error codes, as with Binance. */
const CODES = { property: 0, value: 1, request: 2, json: 3 } as const
/** The only property that exists. */
const COMBINED = 'combined'
const NO_JSON = 'Invalid JSON: a JSON object with method, params and id is expected'

/** The methods of messages to streams. */
export const STREAM_METHODS = [
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'LIST_SUBSCRIPTIONS',
  'SET_PROPERTY',
  'GET_PROPERTY',
] as const
type Method = (typeof STREAM_METHODS)[number]
type Id = string | number | null
type Asked = { readonly method: Method; readonly params: readonly unknown[]; readonly id: Id }

/** The connection: sends a text; closes with a reason. */
export type StreamSocket = {
  readonly send: (text: string) => void
  readonly close: (reason: string) => void
}

export class StreamSession implements Subscriber {
  readonly #hub: MarketHub
  readonly #socket: StreamSocket
  readonly #streams = new Set<string>()
  /** Whether messages are wrapped in an object with the name of their stream. */
  #isCombined: boolean
  #second = 0
  #messages = 0

  constructor(hub: MarketHub, socket: StreamSocket, isCombined: boolean) {
    this.#hub = hub
    this.#socket = socket
    this.#isCombined = isCombined
  }

  /** Subscribes to the valid stream names; other names are ignored. */
  begin(names: readonly string[]): void {
    for (const text of names.slice(0, STREAMS_MAX)) this.#add(text)
  }

  readonly send = (stream: string, message: string): void => {
    this.#socket.send(this.#isCombined ? `{"stream":${JSON.stringify(stream)},"data":${message}}` : message)
  }

  receive(text: string, nowMs: number): void {
    const second = Math.floor(nowMs / SECOND_MS)
    if (second !== this.#second) this.#messages = 0
    this.#second = second
    if (++this.#messages > MESSAGES_PER_SECOND_MAX) {
      this.#socket.close('Too many requests')
      return
    }
    const asked = askedIn(text)
    if (typeof asked === 'string') {
      this.#refuse(null, asked, asked === NO_JSON ? CODES.json : CODES.request)
      return
    }
    this.#carryOut(asked)
  }

  end(): void {
    for (const text of this.#streams) this.#hub.unsubscribe(text, this)
    this.#streams.clear()
  }

  #carryOut({ method, params, id }: Asked): void {
    switch (method) {
      case 'SUBSCRIBE':
        this.#subscribe(params, id)
        return
      case 'UNSUBSCRIBE':
        for (const text of params) this.#remove(String(text))
        this.#reply(id, null)
        return
      case 'LIST_SUBSCRIPTIONS':
        this.#reply(id, [...this.#streams])
        return
      case 'SET_PROPERTY':
        this.#setProperty(params, id)
        return
      case 'GET_PROPERTY':
        if (params[0] === COMBINED) this.#reply(id, this.#isCombined)
        else this.#refuse(id, 'Unknown property', CODES.property)
        return
    }
  }

  #setProperty([name, value]: readonly unknown[], id: Id): void {
    if (typeof name !== 'string') this.#refuse(id, 'Invalid request: property name must be a string')
    else if (name !== COMBINED) this.#refuse(id, 'Unknown property', CODES.property)
    else if (typeof value !== 'boolean') this.#refuse(id, 'Invalid value type: expected Boolean', CODES.value)
    else {
      this.#isCombined = value
      this.#reply(id, null)
    }
  }

  #subscribe(params: readonly unknown[], id: Id): void {
    const added: string[] = []
    for (const each of params) {
      const text = String(each)
      if (this.#streams.has(text)) continue
      if (this.#add(text)) {
        added.push(text)
        continue
      }
      for (const name of added) this.#remove(name)
      const why = this.#streams.size >= STREAMS_MAX ? `at most ${STREAMS_MAX} streams` : 'unknown stream'
      this.#refuse(id, `Invalid request: ${why}: ${text.slice(0, 64)}`)
      return
    }
    this.#reply(id, null)
  }

  #add(text: string): boolean {
    const name = parseStreamName(text)
    if (name === undefined || this.#streams.size >= STREAMS_MAX) return false
    if (!this.#hub.subscribe(name, this)) return false
    this.#streams.add(text)
    return true
  }

  #remove(text: string): void {
    if (this.#streams.delete(text)) this.#hub.unsubscribe(text, this)
  }

  #reply(id: Id, result: unknown): void {
    this.#socket.send(JSON.stringify({ result, id }))
  }

  #refuse(id: Id, msg: string, code: number = CODES.request): void {
    this.#socket.send(JSON.stringify({ error: { code, msg }, id }))
  }
}

/** The request in a message, or a text that says why there is none. */
function askedIn(text: string): Asked | string {
  let value: unknown
  try {
    value = parseJson(text, BOUNDS)
  } catch {
    return NO_JSON
  }
  if (typeof value !== 'object' || value === null) return 'Invalid request: request must be a JSON object'
  const { method, params = [], id = null } = value as Readonly<Record<string, unknown>>
  const known = STREAM_METHODS.find((each) => each === method)
  if (known === undefined)
    return `Invalid request: unknown method; the methods are ${STREAM_METHODS.join(', ')}`
  if (!Array.isArray(params)) return 'Invalid request: params must be an array'
  if (!isId(id)) return 'Invalid request: id must be a whole number, a text of at most 36 characters, or null'
  return { method: known, params, id }
}

function isId(id: unknown): id is Id {
  if (typeof id === 'string') return id.length <= ID_LENGTH_MAX
  return id === null || Number.isSafeInteger(id)
}
