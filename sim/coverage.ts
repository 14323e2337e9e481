/**
 * Counts of what the runs produced: each kind of command with its outcome, each kind of fault, each kind of
 * start.
 */
import { isBuyByQuantity } from '../src/core/commands/orders.ts'
import type { OrderReplaced, Reply } from '../src/core/questions/reply.ts'
import type { OrderNumber } from '../src/units/ids.ts'
import type { Applied } from './checkers/shadow-state.ts'
import { ListCoverage } from './coverage-lists.ts'

export class Coverage {
  readonly lists = new ListCoverage()
  readonly #counts = new Map<string, number>()
  /** Orders that were placed to follow the price. */
  readonly #trailing = new Set<OrderNumber>()

  count(cell: string, by = 1): void {
    this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + by)
  }

  /** Counts a command that was applied for the first time. */
  countApplied(applied: Applied): void {
    const { command, own, reply, events } = applied
    for (const cell of this.lists.cellsOf(applied)) this.count(cell)
    if (own !== undefined) this.count(`Quarantined ${own.kind}`)
    if (command?.kind === 'PlaceOrder' && isBuyByQuantity(command))
      this.count(`Bought by quantity ${outcomeOf(reply)}`)
    if (events.some(({ kind }) => kind === 'ApiKeyRemoved')) this.count('Key leaves its account')
    this.#countTrailing(applied)
    const kind = command?.kind ?? 'Quarantined'
    if (reply.kind === 'Refused') this.count(`${kind} ${reply.reason}`)
    else if (reply.kind === 'OrderAccepted') this.count(`${kind} ${reply.status}`)
    else if (reply.kind === 'OrderRepeated' || reply.kind === 'ListRepeated') this.count(`${kind} repeated`)
    else if (reply.kind === 'ApprovalNeeded') this.count(`${kind} waits`)
    else if (reply.kind === 'Done' && reply.repeated) this.count(`${kind} repeated`)
    else if (reply.kind === 'OrderReplaced') this.count(`${kind} ${replacedAs(reply)}`)
    else this.count(`${kind} done`)
  }

  #countTrailing({ command, reply, events }: Applied): void {
    if (command?.kind === 'PlaceOrder' && command.trailingDelta !== undefined) {
      this.count(`Trailing ${outcomeOf(reply)}`)
      if (reply.kind === 'OrderAccepted') this.#trailing.add(reply.orderNumber)
    }
    for (const event of events)
      if (event.kind === 'OrderTriggered' && this.#trailing.delete(event.orderNumber))
        this.count('Trailing triggered')
  }

  of(cell: string): number {
    return this.#counts.get(cell) ?? 0
  }

  add(other: Coverage): void {
    for (const [cell, count] of other.#counts) this.count(cell, count)
  }

  /** Every cell and its count, by name. */
  entries(): [string, number][] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

function outcomeOf(reply: Reply): string {
  if (reply.kind === 'Refused') return reply.reason
  return reply.kind === 'OrderAccepted' ? reply.status : reply.kind
}

function replacedAs({ cancelRefusal, placed, repeated }: OrderReplaced): string {
  if (repeated) return 'repeated'
  if (placed.kind === 'Refused') return 'canceled alone'
  return cancelRefusal === undefined ? 'both' : 'placed alone'
}
