/**
 * The `localStorage` of this browser, shared by all tabs: texts under names, for settings and never for
 * secrets. A browser may refuse access to it (private mode, disabled cookies, no space): then nothing is
 * stored, and the page uses the values of its own tab.
 */

export type BrowserStorage = {
  /** Undefined if nothing has this name, or the browser refuses. */
  readonly read: (name: string) => string | undefined
  /** False if the browser does not store it. */
  readonly write: (name: string, text: string) => boolean
  readonly remove: (name: string) => void
  readonly names: () => readonly string[]
  /**
   * Calls the listener with the name when another tab has written or removed something; undefined means
   * everything. It ends when the returned function is called.
   */
  readonly watch: (onChange: (name: string | undefined) => void) => () => void
}

type StorageListener = (event: { readonly key: string | null }) => void

/** The parts of a window that are used here. Reading `localStorage` throws if the browser refuses access. */
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
