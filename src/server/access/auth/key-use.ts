/**
 * When each API key was last used, as far as this process remembers: advisory, in memory, never journaled.
 */
import type { TimeMs } from '../../../units/quantities.ts'

export class KeyUse {
  readonly #lastUsedByApiKey = new Map<string, TimeMs>()
  readonly #keysMax: number

  constructor(keysMax = 100_000) {
    this.#keysMax = keysMax
  }

  note(apiKey: string, now: TimeMs): void {
    if (!this.#lastUsedByApiKey.has(apiKey) && this.#lastUsedByApiKey.size >= this.#keysMax) return
    this.#lastUsedByApiKey.set(apiKey, now)
  }

  /** Undefined: not used since this process started. */
  lastUsed(apiKey: string): TimeMs | undefined {
    return this.#lastUsedByApiKey.get(apiKey)
  }
}

/** Says what it has noted to whoever knows it for several gateways. */
export class ReportedKeyUse extends KeyUse {
  #unreported = new Map<string, TimeMs>()

  override note(apiKey: string, now: TimeMs): void {
    super.note(apiKey, now)
    this.#unreported.set(apiKey, now)
  }

  /** Keys that were used since the last call, with when. */
  takeUnreported(): readonly (readonly [apiKey: string, at: TimeMs])[] {
    const taken = [...this.#unreported]
    this.#unreported = new Map()
    return taken
  }
}
