/** What a person has chosen of a view, kept in this browser: nothing secret, and nothing that an order depends on. */
import { type Signal, signal } from '@preact/signals'
import { browserEntry, type Entry } from '../../shared/browser-entry.ts'
import { browserStorage } from '../../shared/browser-storage.ts'

/** A choice as a signal that is kept when it changes. What is kept is believed where `isValid` says so. */
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
