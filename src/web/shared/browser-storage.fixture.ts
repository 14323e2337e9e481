/**
 * A browser's `localStorage` with several tabs, each notified of the writes of the others; and browsers that
 * refuse it.
 */
import { type BrowserStorage, browserStorage, type StorageWindow } from './browser-storage.ts'

type StorageListener = Parameters<StorageWindow['addEventListener']>[1]

/** `isFull`: stored values can be read and removed, but nothing can be written. */
export function keptStorage(kept: Readonly<Record<string, string>> = {}, { isFull = false } = {}) {
  const values = new Map(Object.entries(kept))
  let isFullNow = isFull
  const listenersByTab: StorageListener[][] = []
  return {
    values,
    /** From now on nothing can be written. */
    fill: () => {
      isFullNow = true
    },
    /** Number of listeners for writes of other tabs. */
    listeners: () => listenersByTab.flat().length,
    /** The user deletes the page's data in the browser. */
    clear: () => {
      values.clear()
      for (const listener of listenersByTab.flat()) listener({ key: null })
    },
    tab: (): BrowserStorage => {
      const own: StorageListener[] = []
      listenersByTab.push(own)
      const announce = (key: string | null) => {
        for (const listeners of listenersByTab)
          if (listeners !== own) for (const listener of listeners) listener({ key })
      }
      const storage = {
        get length() {
          return values.size
        },
        key: (index: number) => [...values.keys()][index] ?? null,
        getItem: (name: string) => values.get(name) ?? null,
        setItem: (name: string, text: string) => {
          if (isFullNow) throw new DOMException('full', 'QuotaExceededError')
          values.set(name, text)
          announce(name)
        },
        removeItem: (name: string) => {
          values.delete(name)
          announce(name)
        },
        clear: () => values.clear(),
      }
      return browserStorage({
        localStorage: storage,
        addEventListener: (_type, listener) => own.push(listener),
        removeEventListener: (_type, listener) => void own.splice(own.indexOf(listener), 1),
      })
    },
  }
}

/** The storage of a browser that refuses it to the page. */
export function refusedStorage(): BrowserStorage {
  return browserStorage({
    get localStorage(): Storage {
      throw new DOMException('denied', 'SecurityError')
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  })
}
