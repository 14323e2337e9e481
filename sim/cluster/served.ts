/** The clients of an engine that leads: gateways and followers, each over a connection of its own. */

import type { LeadHost } from '../../src/engine/leadership/cluster-ports.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import type { RequestNumber } from '../../src/engine/port/request-client.ts'
import type { EngineOutput, EngineRequest } from '../../src/engine/port/requests.ts'
import type { SnapshotStore } from '../../src/engine/port/snapshots.ts'
import type { RunningEngine } from '../../src/engine/writer/compose.ts'
import type { DownMessage, Pull, UpMessage } from './messages.ts'
import type { WireEnd } from './network.ts'
import type { SimProcess } from './process.ts'

const PING_MS = 150

export type Wire = WireEnd<DownMessage, UpMessage>

export type ServedParts = {
  readonly process: SimProcess
  /** The journal's name. */
  readonly journal: string
  readonly feed: BatchFeed
  readonly snapshots: SnapshotStore
  /** Called for all output before any recipient gets it. */
  readonly onOutput: (output: EngineOutput, engine: RunningEngine) => void
  readonly onEnded: () => void
}

export class Served implements LeadHost {
  readonly #parts: ServedParts
  readonly #wires = new Set<Wire>()
  readonly #askers = new Map<number, { readonly wire: Wire; readonly number: number }>()
  #engine: RunningEngine | undefined
  #requests = 0

  constructor(parts: ServedParts) {
    this.#parts = parts
  }

  /** Whether requests are accepted. */
  get isOpen(): boolean {
    return this.#engine !== undefined
  }

  started(engine: RunningEngine): void {
    this.#engine = engine
    engine.begin()
    this.#ping()
  }

  ended(): void {
    this.#engine = undefined
    for (const wire of this.#wires) wire.close()
    this.#parts.onEnded()
  }

  /** Hands over the leadership. */
  stop(): void {
    this.#engine?.stop()
  }

  serve(wire: Wire): void {
    const engine = this.#engine
    if (engine === undefined) return
    this.#wires.add(wire)
    wire.onClosed = () => this.#wires.delete(wire)
    wire.onMessage = (message) => this.#receive(wire, message)
    wire.send({ kind: 'WELCOME', journal: this.#parts.journal, mark: engine.tail })
  }

  output(output: EngineOutput): void {
    const engine = this.#engine
    if (engine === undefined) return
    this.#parts.onOutput(output, engine)
    const mark = engine.tail
    for (const answer of output.answers) {
      const asker = this.#askers.get(answer.request)
      if (asker === undefined) continue
      this.#askers.delete(answer.request)
      const { wire, number } = asker
      if (answer.kind === 'reply') wire.send({ kind: 'REPLY', number, reply: answer.reply, mark })
      else if (answer.kind === 'answer') wire.send({ kind: 'ANSWER', number, answer: answer.answer, mark })
      else wire.send({ kind: 'FAULT', number, fault: answer.fault })
    }
  }

  #receive(wire: Wire, message: UpMessage): void {
    switch (message.kind) {
      case 'HELLO':
        return
      case 'PULL':
        void this.#pulled(message.pull).then(
          (value) => wire.send({ kind: 'PULLED', number: message.number, value }),
          () => wire.close(),
        )
        return
      case 'COMMAND': {
        const { command, frame } = message
        this.#offer(wire, message.number, (request) => ({
          ...{ kind: 'command', request, command, frame, deadline: undefined },
        }))
        return
      }
      case 'QUERY': {
        const { query } = message
        this.#offer(wire, message.number, (request) => ({ kind: 'query', request, query }))
      }
    }
  }

  #offer(wire: Wire, number: number, request: (number: RequestNumber) => EngineRequest): void {
    const own = ++this.#requests as RequestNumber
    this.#askers.set(own, { wire, number })
    const refusal = this.#engine === undefined ? 'STOPPING' : this.#engine.offer(request(own))
    if (refusal === undefined) return
    this.#askers.delete(own)
    wire.send({ kind: 'FAULT', number, fault: refusal })
  }

  async #pulled(pull: Pull): Promise<unknown> {
    const { feed, snapshots } = this.#parts
    switch (pull.kind) {
      case 'BATCHES':
        return feed.next(pull.afterSeq, pull.maxBytes)
      case 'QUARANTINED':
        return feed.quarantined()
      case 'SNAPSHOT': {
        const [head] = (await snapshots.list()).heads
        return head && snapshots.load(head)
      }
    }
  }

  #ping(): void {
    const engine = this.#engine
    if (engine === undefined) return
    for (const wire of this.#wires) wire.send({ kind: 'PING', mark: engine.tail })
    this.#parts.process.after(PING_MS, () => this.#ping())
  }
}
