/**
 * What this browser keeps for the page in `localStorage`, the same for every tab: texts by name, settings, and never a secret. A browser may refuse it (private mode,
 * cookies that are switched off, no space left): then nothing is kept, and the page goes on with what the tab has.
 */

export type BrowserStorage = {
  /** Undefined: nothing of this name, or a browser that refuses. */
  readonly read: (name: string) => string | undefined
  /** False: the browser does not take it. */
  readonly write: (name: string, text: string) => boolean
  readonly remove: (name: string) => void
  readonly names: () => readonly string[]
  /** Calls when another tab has written or removed something: its name; undefined: everything. It ends when what it gives is called. */
  readonly watch: (onChange: (name: string | undefined) => void) => () => void
}

type StorageListener = (event: { readonly key: string | null }) => void

/** The parts of a window that it takes. `localStorage` itself throws where the browser refuses it. */
export type StorageWindow = {
  readonly localStorage: Storage
  readonly addEventListener: (type: 'storage', listener: StorageListener) => void
  readonly removeEventListener: (type: 'storage', listener: StorageListener) => void
}

export function browserStorage(page: StorageWindow): BrowserStorage {
  const attempt = <Result>(work: (storage: Storage) => Result): Result | undefined => {
    try {
      return work(page.localStorage)
    } catch {
      return undefined
    }
  }
  return {
    read: (name) => attempt((storage) => storage.getItem(name)) ?? undefined,
    write: (name, text) =>
      attempt((storage) => {
        storage.setItem(name, text)
        return true
      }) === true,
    remove: (name) => attempt((storage) => storage.removeItem(name)),
    names: () =>
      attempt((storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')) ??
      [],
    watch: (onChange) => {
      const listener: StorageListener = ({ key }) => onChange(key ?? undefined)
      page.addEventListener('storage', listener)
      return () => page.removeEventListener('storage', listener)
    },
  }
}
