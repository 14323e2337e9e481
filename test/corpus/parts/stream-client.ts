/** A client of the stream that keeps each message as it was written, without texts for people. */
import { loginFields } from '../../order-entry/support/entry-clients.ts'
import { until } from '../../support/until.ts'
import type { Recorded } from '../recorded-part.ts'

type Fields = Readonly<Record<string, unknown>>
type Key = { readonly apiKey: string; readonly secret: string }

/** Members of messages that are texts for people: a text, or a list of them. */
const TEXTS = /"msg":(\[?)"(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*/g
/** Values that differ in every run: API keys, and the names of sessions. */
const RANDOM = /"(apiKey|session)":"[^"]*"/g

export class StreamClient {
  /** The names of the messages, and their contents. */
  readonly heard: { readonly name: string; readonly text: string; readonly payload: unknown }[] = []
  readonly #name: string
  readonly #socket: WebSocket
  #lastId = 0

  private constructor(name: string, socket: WebSocket) {
    this.#name = name
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#take(String(data))
  }

  /** `name` states its purpose. */
  static async open(url: string, name: string): Promise<StreamClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error(`cannot connect to ${url}`))
    })
    return new StreamClient(name, socket)
  }

  send(...message: readonly unknown[]): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Resolves with the body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: what was answered is looked at as it is
  async ask(name: string, fields: Fields): Promise<any> {
    const id = `${name} ${++this.#lastId}`
    this.send(name, id, fields)
    return this.#answerTo(id)
  }

  /** Logs in. Each message is a frame of its own. */
  async login(key: Key, timestamp: number, more: Fields = {}) {
    this.send('login', { ...loginFields(key, timestamp, more), frames: 'one' })
    return this.#answerTo('login')
  }

  /** The payload of the next message of this name after those received at `since`. */
  async next(name: string, since = this.heard.length): Promise<unknown> {
    const find = () => this.heard.slice(since).find((message) => message.name === name)
    await until(`${name} to ${this.#name}`, () => find() !== undefined)
    return find()?.payload
  }

  /** Waits until a message of this name after those received at `since` contains the word. */
  async told(name: string, word: string, since: number): Promise<void> {
    await until(`${name} with ${word} to ${this.#name}`, () =>
      this.heard.slice(since).some((message) => message.name === name && message.text.includes(word)),
    )
  }

  /** Waits until a channel has published this command. */
  async reach(name: string, seq: number): Promise<void> {
    await until(`${name} of command ${seq} to ${this.#name}`, () =>
      this.heard.some((message) => message.name === name && Number(seqOf(message.payload)) >= seq),
    )
  }

  /** Every message: its name, its recipient, and its text. */
  recorded(): Recorded[] {
    return this.heard.map(({ name, text, payload }) => {
      const asked = name === 'answer' ? ` ${String(payload)}` : ''
      return { kind: `${this.#name}: ${name}${asked.replace(/ \d+$/, '')}`, text }
    })
  }

  close(): void {
    this.#socket.close()
  }

  async #answerTo(id: string) {
    const isIt = ({ name, payload }: StreamClient['heard'][number]) => name === 'answer' && payload === id
    const before = this.heard.length
    await until(`the answer to ${id}`, () => this.heard.slice(before).some(isIt))
    const [, , , body] = JSON.parse(this.heard.findLast(isIt)?.text ?? '[]')
    return body
  }

  #take(text: string): void {
    const [name, payload] = JSON.parse(text) as [string, unknown]
    if (typeof name !== 'string') throw new Error(`expected one message a frame, found ${text}`)
    const shown = text.replace(TEXTS, '"msg":$1"<text>"').replace(RANDOM, '"$1":"<random>"')
    this.heard.push({ name, text: shown, payload })
  }
}

function seqOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'seq' in payload ? payload.seq : undefined
}
