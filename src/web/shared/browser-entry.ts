/** One value of the browser's storage, as JSON. */
import type { BrowserStorage } from './browser-storage.ts'

export type Entry<Value> = {
  readonly read: () => Value
  /** False: the browser does not take it. */
  readonly write: (value: Value) => boolean
  /** Calls when another tab has written it. It ends when what it gives is called. */
  readonly watch: (onChange: () => void) => () => void
}

/** `parse` makes a value of whatever is kept, also of nothing and of what is damaged. */
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

/** Null where nothing is kept, or where it is damaged: as at the first visit. */
export function parsedJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The members of what was kept; none where it is no object. */
export function membersOf(kept: unknown): Readonly<Record<string, unknown>> {
  return typeof kept === 'object' && kept !== null ? { ...kept } : {}
}
