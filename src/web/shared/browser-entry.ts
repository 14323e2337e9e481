/** One value in the browser's storage, as JSON. */
import type { BrowserStorage } from './browser-storage.ts'

export type Entry<Value> = {
  readonly read: () => Value
  /** False if the browser does not store it. */
  readonly write: (value: Value) => boolean
  /** Calls the listener when another tab has written the value, until the returned function is called. */
  readonly watch: (onChange: () => void) => () => void
}

/** `parse` must return a value for any stored text, even for a missing or damaged one. */
export function browserEntry<Value>(
  storage: BrowserStorage,
  name: string,
  parse: (kept: unknown) => Value,
): Entry<Value> {
  return {
    read: () => parse(parsedJson(storage.read(name))),
    write: (value) => storage.write(name, JSON.stringify(value)),
    watch: (onChange) =>
      storage.watch((changed) => {
        if (changed === name || changed === undefined) onChange()
      }),
  }
}

/** Null if nothing is stored, or if it is damaged: as on the first visit. */
export function parsedJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The members of a stored object; empty if it is not an object. */
export function membersOf(kept: unknown): Readonly<Record<string, unknown>> {
  return typeof kept === 'object' && kept !== null ? { ...kept } : {}
}
