/** Coverage of order lists: outcomes of the orders in each role, and lists that were due at a start. */
import type { ExchangeEvent } from '../src/core/events/event.ts'
import type { Applied } from './checkers/shadow-state.ts'

export class ListCoverage {
  readonly #roleByOrder = new Map<number, string>()
  /** Lists whose working order was filled, but whose pending orders were not placed, when a node started. */
  #foundDue = new Set<number>()

  /** Called when a node started; these lists are due. */
  started(listNumbers: readonly number[]): void {
    this.#foundDue = new Set(listNumbers)
  }

  /** The cells of a command that was applied for the first time. */
  cellsOf({ command, events }: Applied): string[] {
    const cells = events.flatMap((event) => this.#endsWith(event))
    if (command?.kind === 'PlacePending' && this.#foundDue.delete(command.listNumber))
      cells.push('PlacePending after a start')
    return cells
  }

  #endsWith(event: ExchangeEvent): string[] {
    switch (event.kind) {
      case 'OrderPlaced':
        // Numbers are assigned again after an accepted loss.
        if (event.inList === undefined) this.#roleByOrder.delete(event.orderNumber)
        else this.#roleByOrder.set(event.orderNumber, event.inList.role)
        return []
      case 'OrderActivated':
        return this.#end(event.orderNumber, 'placed')
      case 'OrderTriggered':
        return this.#end(event.orderNumber, 'triggered')
      case 'OrderCanceled':
        return this.#end(event.orderNumber, event.cause)
      case 'OrderDecremented':
        return this.#end(event.orderNumber, 'lowered')
      case 'OrdersMatched':
        return [event.maker, event.taker].flatMap(({ orderNumber }) => this.#end(orderNumber, 'executed'))
      default:
        return []
    }
  }

  #end(order: number, what: string): string[] {
    const role = this.#roleByOrder.get(order)
    return role === undefined ? [] : [`list ${role} ${what}`]
  }
}
