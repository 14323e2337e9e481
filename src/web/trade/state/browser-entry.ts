/** One value that this browser keeps for the page, in `localStorage`, the same for every tab: settings, and never a secret. */

export type Entry<Value> = {
  readonly read: () => Value
  readonly write: (value: Value) => void
  /** Told when another tab has written it. */
  readonly watch: (onChange: () => void) => void
}

/** What the browser offers; asked for when it is needed, since a browser that keeps nothing throws. */
export type EntryPorts = {
  readonly storage: () => Storage
  /** Of other tabs: the name of what was written; null: everything was erased. */
  readonly onStorage: (told: (name: string | null) => void) => void
}

export function browserPorts(page: Window): EntryPorts {
  return {
    storage: () => page.localStorage,
    onStorage: (told) => page.addEventListener('storage', ({ key }) => told(key)),
  }
}

/** `parse` makes a value of whatever is kept, also of nothing and of what is damaged. */
export function browserEntry<Value>(
  { storage, onStorage }: EntryPorts,
  name: string,
  parse: (kept: unknown) => Value,
): Entry<Value> {
  return {
    read: () => {
      try {
        return parse(JSON.parse(storage().getItem(name) ?? 'null'))
      } catch {
        // Damaged, or a browser that keeps nothing: as at the first visit.
        return parse(null)
      }
    },
    write: (value) => {
      try {
        storage().setItem(name, JSON.stringify(value))
      } catch {
        // A browser that keeps nothing: the value holds as long as the tab.
      }
    },
    watch: (onChange) =>
      onStorage((changed) => {
        if (changed === name || changed === null) onChange()
      }),
  }
}

/** The members of what was kept; none where it is no object. */
export function membersOf(kept: unknown): Readonly<Record<string, unknown>> {
  return typeof kept === 'object' && kept !== null ? { ...kept } : {}
}
