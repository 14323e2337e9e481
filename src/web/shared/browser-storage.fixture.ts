/** A browser's `localStorage` with several tabs, each of which hears what the others write; and browsers that refuse it. */
import { type BrowserStorage, browserStorage, type StorageWindow } from './browser-storage.ts'

type StorageListener = Parameters<StorageWindow['addEventListener']>[1]

/** `isFull`: what is there can be read and removed, and nothing is written. */
export function keptStorage(kept: Readonly<Record<string, string>> = {}, { isFull = false } = {}) {
  const values = new Map(Object.entries(kept))
  let isFullNow = isFull
  const listenersByTab: StorageListener[][] = []
  return {
    values,
    /** From now on nothing is written. */
    fill: () => {
      isFullNow = true
    },
    /** How many hear what other tabs write. */
    listeners: () => listenersByTab.flat().length,
    /** The person erases what the browser keeps of the page. */
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

/** Of a browser that refuses the page any storage. */
export function refusedStorage(): BrowserStorage {
  return browserStorage({
    get localStorage(): Storage {
      throw new DOMException('denied', 'SecurityError')
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  })
}
