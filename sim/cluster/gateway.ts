/**
 * A gateway of the simulated cluster: it keeps running when it loses its engine, searches for the leader, and
 * presents to each engine the highest confirmed journal position that it received.
 */
import type { JournalPosition, RememberedPlace } from '../../src/engine/port/journal.ts'
import type { AccountState } from '../../src/engine/port/queries.ts'
import type { Random } from '../world/random.ts'
import type { EngineMember } from './member.ts'
import type { Ask, DownMessage, Outcome, UpMessage } from './messages.ts'
import type { Network, WireEnd } from './network.ts'
import { SimProcess } from './process.ts'

/** Longest wait for an answer. */
const PATIENCE_MS = 3_000
/** Leader timeout: a leader without a message for this long is given up. */
const SILENCE_MS = 900

type Waiter = { readonly ask: Ask; readonly settle: (outcome: Outcome) => void }

export type GatewayParts = {
  readonly network: Network
  readonly random: Random
  readonly engines: readonly EngineMember[]
  /** The part of the remembered position that is presented. */
  readonly presented: (remembered: RememberedPlace | undefined) => RememberedPlace | undefined
}

export class Gateway {
  readonly name: string
  readonly #parts: GatewayParts
  #process: SimProcess
  #remembered: JournalPosition | undefined
  #journal: string | undefined
  #wire: WireEnd<UpMessage, DownMessage> | undefined
  #isServed = false
  #heardAt = 0
  #next = 0
  #number = 0
  #waiting = new Map<number, Waiter>()

  constructor(name: string, parts: GatewayParts) {
    this.name = name
    this.#parts = parts
    this.#process = this.#start()
  }

  get process(): SimProcess {
    return this.#process
  }

  /** The highest confirmed journal position that the gateway received. */
  get remembered(): JournalPosition | undefined {
    return this.#remembered
  }

  /** Ends the gateway and starts another one without memory. */
  restart(): void {
    this.#process.kill()
    this.#failAll()
    this.#wire = undefined
    this.#isServed = false
    this.#remembered = undefined
    this.#process = this.#start()
  }

  ask(ask: Ask): Promise<Outcome> {
    return new Promise((settle) => {
      if (this.#wire === undefined || !this.#isServed || this.#process.isPaused) {
        settle({ kind: 'NOT_DONE', fault: 'NO_LEADER' })
        return
      }
      const number = ++this.#number
      this.#waiting.set(number, { ask, settle })
      this.#wire.send(
        'command' in ask
          ? { kind: 'COMMAND', number, ...ask }
          : { kind: 'QUERY', number, query: { name: 'accountState', fields: ask } },
      )
      this.#process.after(PATIENCE_MS, () => this.#settle(number, lost(ask)))
    })
  }

  #start(): SimProcess {
    const process = new SimProcess(this.name, this.#parts.network.schedule)
    const look = (): void => {
      this.#look()
      process.after(this.#parts.random.between(20, 120), look)
    }
    process.after(0, look)
    return process
  }

  /** Gives up an engine after the leader timeout, and tries the next one if none serves. */
  #look(): void {
    const { network, engines, presented } = this.#parts
    if (this.#wire?.isOpen && this.#process.now - this.#heardAt < SILENCE_MS) return
    this.#lose()
    const engine = engines[this.#next++ % engines.length] as EngineMember
    const { process } = engine
    if (!process.isAlive || network.isCut(this.name, engine.name)) return
    const [wire, far] = network.connect<UpMessage, DownMessage>(this.#process, process)
    this.#wire = wire
    this.#heardAt = this.#process.now
    wire.onMessage = (message) => this.#receive(message)
    wire.onClosed = () => this.#lose()
    engine.accept(far)
    const remembered = this.#remembered && { ...this.#remembered, journal: this.#journal }
    wire.send({ kind: 'HELLO', role: 'gateway', remembered: presented(remembered) })
  }

  #receive(message: DownMessage): void {
    this.#heardAt = this.#process.now
    switch (message.kind) {
      case 'WELCOME':
        this.#journal = message.journal
        this.#remember(message.mark)
        this.#isServed = true
        break
      case 'NOT_LEADER':
        this.#lose()
        break
      case 'PING':
        this.#remember(message.mark)
        break
      case 'REPLY':
        this.#remember(message.mark)
        this.#settle(message.number, message)
        break
      case 'ANSWER':
        this.#remember(message.mark)
        this.#settle(message.number, { kind: 'STATE', state: message.answer.value as AccountState })
        break
      case 'FAULT':
        this.#settle(
          message.number,
          message.fault === 'OUTCOME_UNKNOWN'
            ? { kind: 'UNKNOWN' }
            : { kind: 'NOT_DONE', fault: message.fault },
        )
        break
      case 'PULLED':
        break
    }
  }

  #remember(mark: JournalPosition): void {
    if (mark.position > (this.#remembered?.position ?? 0)) this.#remembered = mark
  }

  #settle(number: number, outcome: Outcome): void {
    const waiter = this.#waiting.get(number)
    this.#waiting.delete(number)
    waiter?.settle(outcome)
  }

  #lose(): void {
    this.#wire?.close()
    this.#wire = undefined
    this.#isServed = false
    this.#failAll()
  }

  #failAll(): void {
    for (const [number, { ask }] of [...this.#waiting]) this.#settle(number, lost(ask))
  }
}

/** A command may have been done; a reading changes nothing. */
function lost(ask: Ask): Outcome {
  return 'command' in ask ? { kind: 'UNKNOWN' } : { kind: 'NOT_DONE', fault: 'NO_LEADER' }
}
