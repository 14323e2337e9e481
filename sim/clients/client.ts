/**
 * One client of the exchange: sends a request, waits for its answer or gives up, and records the answer. Its
 * requests and answers may be delayed, lost or duplicated on the way.
 */
import type { NodeExchange } from '../../src/app/node/exchange.ts'
import type { Command } from '../../src/core/commands/command.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import { readCandles } from '../../src/engine/history/candles/read-candles.ts'
import { EngineFault } from '../../src/engine/port/fault.ts'
import { CANDLE_INTERVALS, type CandleInterval } from '../../src/units/candle-intervals.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { AppliedCommands } from '../checkers/applied-commands.ts'
import { checkCandles } from '../checkers/candles.ts'
import { checkTradePage } from '../checkers/history.ts'
import type { Promises } from '../checkers/promises.ts'
import { demand } from '../checkers/shadow-state.ts'
import type { Coverage } from '../coverage.ts'
import type { Faults } from '../faults.ts'
import type { Supervisor } from '../node/supervisor.ts'
import type { Random } from '../world/random.ts'
import { FOREVER, type Schedule } from '../world/schedule.ts'
import { ViolationError } from '../world/trace.ts'
import type { Workload } from './workload.ts'

/** Longest wait of a client for an answer. */
export const PATIENCE_MS = 500

export type ClientParts = {
  readonly name: string
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: Faults
  readonly supervisor: Supervisor
  readonly workload: Workload
  readonly promises: Promises
  readonly applied: AppliedCommands
  readonly coverage: Coverage
  readonly reads: number
  readonly say: (line: string) => void
  readonly onViolation: (violation: ViolationError) => void
}

export type Answer =
  | { readonly kind: 'ANSWERED'; readonly reply: Reply | undefined }
  | { readonly kind: 'REFUSED' | 'UNKNOWN' }

export class Client {
  readonly #parts: ClientParts
  /** Orders whose cancellation was acknowledged to this client; a new set after an accepted loss. */
  #canceled = new Set<OrderNumber>()

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Sends one request of any kind and resolves with its outcome, as far as this client can observe it. */
  request(): Promise<Answer> {
    const { random, workload } = this.#parts
    return random.chance(this.#parts.reads) ? this.#read() : this.command(workload.next())
  }

  /** Sends one command. */
  async command(command: Command): Promise<Answer> {
    const { name, say, workload, coverage } = this.#parts
    const wasLost = workload.wasLost(command)
    const answer = await this.#send((node) => this.#submit(node, command))
    if (command.kind === 'CancelOrder' && answer.kind === 'ANSWERED' && answer.reply?.kind === 'Done') {
      this.#canceled.add(command.orderNumber)
    }
    if (answer.kind === 'UNKNOWN') workload.lost(command)
    if (wasLost && answer.kind === 'ANSWERED' && answer.reply?.kind === 'ListRepeated')
      coverage.count('PlaceList repeated after a lost answer')
    say(`${name} ${command.kind}: ${lineOf(answer)}`)
    return answer
  }

  /** Called when an operator accepted a loss: earlier acknowledgements are no longer valid. */
  forget(): void {
    this.#canceled = new Set()
  }

  /** Reads data of an account at random; everything acknowledged before must be in it. */
  #read(): Promise<Answer> {
    const { random, applied } = this.#parts
    const accountId = random.below(applied.shadow.state.accounts.length + 1) as AccountId
    const known = this.#canceled
    const canceled = new Set(known)
    const which = random.below(3)
    return this.#send(async (node) => {
      if (which === 0) await node.engine.ask('balances', { accountId })
      else if (which === 1) {
        const query = { accountId, symbolId: undefined, after: undefined }
        for (const { orderNumber } of (await node.engine.ask('openOrders', query)).orders) {
          // An order that was lost while the request was in flight is open again.
          const isDone = known === this.#canceled && canceled.has(orderNumber)
          demand(!isDone, () => `order ${orderNumber} was canceled, and is open`)
        }
      } else if (accountId % 2 === 0) await this.#readTrades(node, accountId)
      else await this.#readCandles(node)
      return undefined
    })
  }

  async #readTrades(node: NodeExchange, accountId: AccountId): Promise<void> {
    const { applied } = this.#parts
    const atLeast = node.views.market.seq
    const query = { accountId, symbolId: undefined, page: 0, size: 20, before: undefined, atLeast }
    checkTradePage(applied.shadow.state, query, await node.history.trades(query))
  }

  /** Candles of a symbol and interval drawn at random. */
  async #readCandles(node: NodeExchange): Promise<void> {
    const { state } = this.#parts.applied.shadow
    const atLeast = node.views.market.seq
    const newest = state.trades.at(-1)
    if (newest === undefined) return
    const query = {
      symbolId: newest.symbol as SymbolId,
      interval: CANDLE_INTERVALS[atLeast % CANDLE_INTERVALS.length] as CandleInterval,
      from: undefined,
      to: newest.time as TimeMs,
      limit: 20,
      atLeast,
    }
    checkCandles(state, query, await readCandles(node.history, query))
  }

  async #submit(node: NodeExchange, command: Command): Promise<Reply> {
    const { promises, coverage } = this.#parts
    const attempt = promises.attempt(command)
    try {
      const reply = await node.engine.submit(command)
      attempt.outcome = { reply }
      return reply
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error
      attempt.outcome = { fault: error.kind }
      coverage.count(`fault answer ${error.kind}`)
      throw error
    }
  }

  /** The way to the gateway and back; `work` is done by the gateway for each copy that arrives. */
  #send(work: (node: NodeExchange) => Promise<Reply | undefined>): Promise<Answer> {
    const { schedule, faults } = this.#parts
    return new Promise((resolve) => {
      schedule.after(PATIENCE_MS, FOREVER, () => resolve({ kind: 'UNKNOWN' }))
      for (let copies = faults.copies(); copies > 0; copies--) {
        schedule.after(faults.messageDelay(), FOREVER, () => this.#arrive(work, resolve))
      }
    })
  }

  #arrive(work: (node: NodeExchange) => Promise<Reply | undefined>, resolve: (answer: Answer) => void): void {
    const { schedule, faults, supervisor } = this.#parts
    const { node, life } = supervisor
    const answer = (found: Answer): void => {
      if (life.isOver && node !== undefined) return
      for (let copies = faults.copies(); copies > 0; copies--) {
        schedule.after(faults.messageDelay(), FOREVER, () => resolve(found))
      }
    }
    if (node === undefined) {
      answer({ kind: 'REFUSED' })
      return
    }
    work(node).then(
      (reply) => answer({ kind: 'ANSWERED', reply }),
      (error: unknown) => {
        if (error instanceof ViolationError) this.#parts.onViolation(error)
        else if (error instanceof EngineFault) {
          answer({ kind: error.kind === 'OUTCOME_UNKNOWN' ? 'UNKNOWN' : 'REFUSED' })
        } else this.#parts.onViolation(new ViolationError(`a request failed: ${String(error)}`))
      },
    )
  }
}

function lineOf(answer: Answer): string {
  if (answer.kind !== 'ANSWERED') return answer.kind
  const { reply } = answer
  if (reply === undefined) return 'read'
  if (reply.kind === 'Refused') return reply.reason
  if (reply.kind === 'OrderAccepted')
    return `order ${reply.orderNumber} ${reply.status} ${reply.executedQuantity}`
  return reply.kind
}
