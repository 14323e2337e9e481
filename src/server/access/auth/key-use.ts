/**
 * The time of each API key's last use, if this process has recorded one: advisory, in memory, never
 * journaled. When the table is full, the key that has been unused for the longest time is forgotten: a key
 * that has ended is not used again, so it is forgotten before keys that are in use. Keys of sessions are not
 * recorded.
 */
import type { TimeMs } from '../../../units/quantities.ts'
import { isSessionKeyName } from './session-keys.ts'

/** Maximum number of keys whose last use is known. */
export const KEY_USES_MAX = 100_000

export class KeyUse {
  /** The key that has been unused for the longest time is first. */
  readonly #lastUsedByApiKey = new Map<string, TimeMs>()
  readonly #keysMax: number

  constructor(keysMax = KEY_USES_MAX) {
    this.#keysMax = keysMax
  }

  note(apiKey: string, now: TimeMs): void {
    if (isSessionKeyName(apiKey)) return
    this.#lastUsedByApiKey.delete(apiKey)
    this.#lastUsedByApiKey.set(apiKey, now)
    if (this.#lastUsedByApiKey.size <= this.#keysMax) return
    for (const unused of this.#lastUsedByApiKey.keys()) {
      this.#lastUsedByApiKey.delete(unused)
      return
    }
  }

  /** Undefined if not used since this process started, or if the use was forgotten. */
  lastUsed(apiKey: string): TimeMs | undefined {
    return this.#lastUsedByApiKey.get(apiKey)
  }
}

/** Reports recorded uses to the process that collects them for several gateways. */
export class ReportedKeyUse extends KeyUse {
  #unreported = new Map<string, TimeMs>()

  override note(apiKey: string, now: TimeMs): void {
    super.note(apiKey, now)
    this.#unreported.set(apiKey, now)
  }

  /** Keys that were used since the last call, with the times of use. */
  takeUnreported(): readonly (readonly [apiKey: string, at: TimeMs])[] {
    const taken = [...this.#unreported]
    this.#unreported = new Map()
    return taken
  }
}
