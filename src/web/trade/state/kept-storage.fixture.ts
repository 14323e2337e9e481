/** A browser's `localStorage` with several tabs: each is told what the others write. */
import type { EntryPorts } from './browser-entry.ts'

export function keptStorage(kept: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(kept))
  const told: ((name: string | null) => void)[][] = []
  return {
    values,
    tab: (): EntryPorts => {
      const own: ((name: string | null) => void)[] = []
      told.push(own)
      const tell = (name: string) => {
        for (const listeners of told) if (listeners !== own) for (const listener of listeners) listener(name)
      }
      const storage = {
        get length() {
          return values.size
        },
        key: (index: number) => [...values.keys()][index] ?? null,
        getItem: (name: string) => values.get(name) ?? null,
        setItem: (name: string, text: string) => {
          values.set(name, text)
          tell(name)
        },
        removeItem: (name: string) => {
          values.delete(name)
          tell(name)
        },
      }
      return { storage: () => storage as unknown as Storage, onStorage: (listener) => own.push(listener) }
    },
  }
}
