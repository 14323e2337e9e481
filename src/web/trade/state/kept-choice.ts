/** What a person has chosen, kept in `localStorage`: nothing secret, and nothing that an order depends on. */
import { type Signal, signal } from '@preact/signals'

/**
 * A choice as a signal that is kept when it changes. What is kept is believed where `isValid` says so; in a browser that keeps nothing the choice lasts as
 * long as the tab.
 */
export class KeptChoice<Value> {
  readonly #name: string
  readonly #signal: Signal<Value>

  constructor(name: string, usual: Value, isValid: (kept: unknown) => kept is Value) {
    this.#name = name
    const kept = readKept(name)
    this.#signal = signal(isValid(kept) ? kept : usual)
  }

  get value(): Value {
    return this.#signal.value
  }

  set value(value: Value) {
    this.#signal.value = value
    try {
      localStorage.setItem(this.#name, JSON.stringify(value))
    } catch {
      // Nothing is kept here: it lasts as long as the tab.
    }
  }
}

export function isFlag(kept: unknown): kept is boolean {
  return typeof kept === 'boolean'
}

function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return undefined
  }
}
