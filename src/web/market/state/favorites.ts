/** The user's favorite markets, stored in this browser, the same in each of its tabs. */
import { browserEntry, type Entry } from '../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../shared/browser-storage.ts'

/** Maximum number of favorites; beyond it the oldest is dropped. */
export const FAVORITES_MAX = 500
const NAME_MAX = 64

export class Favorites {
  readonly #entry: Entry<readonly string[]>
  readonly #onChange: () => void
  /** In the order in which they were added. */
  #names: ReadonlySet<string>

  constructor(storage: BrowserStorage, onChange: () => void) {
    this.#entry = browserEntry(storage, 'bourse-favorites', readNames)
    this.#onChange = onChange
    this.#names = new Set(this.#entry.read())
    this.#entry.watch(() => {
      this.#names = new Set(this.#entry.read())
      this.#onChange()
    })
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  toggle(name: string): void {
    const names = new Set(this.#names)
    if (!names.delete(name)) names.add(name)
    this.#names = new Set([...names].slice(-FAVORITES_MAX))
    this.#entry.write([...this.#names])
    this.#onChange()
  }
}

function readNames(kept: unknown): readonly string[] {
  if (!Array.isArray(kept)) return []
  const names = kept.filter((name): name is string => typeof name === 'string' && name.length <= NAME_MAX)
  return names.slice(-FAVORITES_MAX)
}
