/**
 * Simulated faults of the exchange: a halted market and a wrong clock. They are applied in front of the
 * engine's port, so that they affect every transport; the engine and its journal are not affected.
 */
import type { Command } from '../../../core/commands/command.ts'
import type { PlaceList } from '../../../core/commands/order-lists.ts'
import type { PlaceOrder } from '../../../core/commands/orders.ts'
import { refused } from '../../../core/questions/reply.ts'
import type { EnginePort, ReplyReceiver } from '../../../engine/port/ports.ts'
import type { NonceStore } from '../../../server/access/auth/nonces.ts'
import type { Clock } from '../../../server/common/clock.ts'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { FaultTable } from './fault-table.ts'

export type EngineFaultsOptions = {
  readonly table: FaultTable
  readonly accountName: (id: AccountId) => string | undefined
  readonly symbolName: (id: SymbolId) => string | undefined
}

export class EngineFaults {
  readonly #options: EngineFaultsOptions
  /**
   * The lowest clock offset since the start, at most 0: clients that signed by that time may still send
   * requests.
   */
  #leastOffsetMs = 0

  constructor(options: EngineFaultsOptions) {
    this.#options = options
  }

  /** The server's time as shown to clients. Internal deadlines follow the true clock. */
  clock(clock: Clock): Clock {
    return {
      now: () => shifted(clock.now(), this.#offsetMs()),
      steady: () => clock.steady(),
      doubted: () => clock.doubted(),
    }
  }

  /**
   * Nonces follow the true clock: if they followed the displayed one after it was set back, every strict
   * signature would be refused until it had caught up. Each nonce is kept as long as its request is
   * acceptable by either clock.
   */
  nonces(own: NonceStore): NonceStore {
    return {
      take: (use) => {
        const offsetMs = this.#offsetMs()
        if (offsetMs === 0) return own.take(use)
        const { timestamp, acceptableUntil, now } = use
        const until = Math.max(acceptableUntil, acceptableUntil - offsetMs)
        const byTrueClock = { timestamp: timestamp - offsetMs, now: shifted(now, -offsetMs) }
        return own.take({ ...use, ...byTrueClock, acceptableUntil: until })
      },
    }
  }

  engine(engine: EnginePort): EnginePort {
    return {
      submit: (command, deadline, charge) => {
        const submit = () => engine.submit(command, this.#trueTime(deadline), charge)
        const halting = this.#isHalted(engine, command)
        if (halting === false) return submit()
        return halting.then((isHalted) => (isHalted ? refused('SYMBOL_HALTED') : submit()))
      },
      hand: (command, receiver, deadline, charge) => {
        const hand = (): void => engine.hand(command, receiver, this.#trueTime(deadline), charge)
        if (this.#options.table.isEmpty) hand()
        else void this.#handed(engine, command, receiver, hand)
      },
      ask: (name, fields) => {
        const asking = engine.ask(name, fields)
        if (name !== 'clientOrder') return asking
        return asking.then((answer) => this.#dated(answer as { readonly time: TimeMs }) as typeof answer)
      },
      follow: (listener, onPassed) => engine.follow(listener, onPassed),
      subscribe: (subscriber) => engine.subscribe(subscriber),
    }
  }

  async #handed(
    engine: EnginePort,
    command: Command,
    receiver: ReplyReceiver,
    hand: () => void,
  ): Promise<void> {
    const halting = this.#isHalted(engine, command)
    if (halting === false) return hand()
    try {
      if (await halting) receiver.replied(refused('SYMBOL_HALTED'))
      else hand()
    } catch (fault) {
      receiver.failed(fault)
    }
  }

  /**
   * Whether a command is a new order that a halt refuses. A repeated order under the same id is not refused:
   * it gets its first answer, whatever the state of its symbol.
   */
  #isHalted(engine: EnginePort, command: Command): false | Promise<boolean> {
    const { table, accountName, symbolName } = this.#options
    const order = newOrderOf(command)
    if (order === undefined || table.isEmpty) return false
    const symbol = symbolName(order.symbolId)
    const subject = { account: accountName(order.accountId), apiKey: undefined, endpoint: undefined }
    const fault = table.strike(
      'HALT',
      subject,
      (request) => request.symbol === undefined || request.symbol === symbol,
    )
    return fault === undefined ? false : isUnknown(engine, order)
  }

  #offsetMs(): number {
    const offsetMs = this.#options.table.isEmpty ? 0 : this.#options.table.clockOffsetMs()
    this.#leastOffsetMs = Math.min(this.#leastOffsetMs, offsetMs)
    return offsetMs
  }

  /** Converts a deadline from the clock shown to clients to the true clock. */
  #trueTime(deadline: TimeMs | undefined): TimeMs | undefined {
    return deadline === undefined ? undefined : shifted(deadline, -this.#offsetMs())
  }

  /**
   * Durable data, with the time of the clock shown to clients, and never later than any clock by which they
   * may have signed.
   */
  #dated<Answer extends { readonly time: TimeMs }>(answer: Answer): Answer {
    this.#offsetMs()
    return this.#leastOffsetMs === 0 ? answer : { ...answer, time: shifted(answer.time, this.#leastOffsetMs) }
  }
}

function newOrderOf(command: Command): PlaceOrder | PlaceList | undefined {
  if (command.kind === 'PlaceOrder' || command.kind === 'PlaceList') return command
  return command.kind === 'ReplaceOrder' ? command.order : undefined
}

async function isUnknown(engine: EnginePort, order: PlaceOrder | PlaceList): Promise<boolean> {
  const { accountId } = order
  if (order.kind === 'PlaceList') {
    const { listClientOrderId } = order
    if (listClientOrderId === undefined) return true
    return (await engine.ask('clientList', { accountId, listClientOrderId })) === undefined
  }
  const { clientOrderId } = order
  if (clientOrderId === undefined) return true
  return (await engine.ask('clientOrder', { accountId, clientOrderId })).order === undefined
}

function shifted(time: TimeMs, byMs: number): TimeMs {
  return byMs === 0 ? time : timeMs(Math.max(0, time + byMs))
}
