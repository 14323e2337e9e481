/** A user's choice for a view, stored in this browser: nothing secret, and nothing that affects an order. */
import { type Signal, signal } from '@preact/signals'
import { browserEntry, type Entry } from '../../shared/browser-entry.ts'
import { browserStorage } from '../../shared/browser-storage.ts'

/**
 * A choice as a signal that is stored at each change. A stored value is used only if `isValid` accepts it.
 */
export class KeptChoice<Value> {
  readonly #entry: Entry<Value>
  readonly #signal: Signal<Value>

  constructor(name: string, usual: Value, isValid: (kept: unknown) => kept is Value) {
    this.#entry = browserEntry(browserStorage(window), name, (kept) => (isValid(kept) ? kept : usual))
    this.#signal = signal(this.#entry.read())
  }

  get value(): Value {
    return this.#signal.value
  }

  set value(value: Value) {
    this.#signal.value = value
    this.#entry.write(value)
  }
}

export function isFlag(kept: unknown): kept is boolean {
  return typeof kept === 'boolean'
}
