/**
 * The time of each API key's last use, if this process has seen one: advisory, in memory, never journaled.
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

  /** Undefined if not used since this process started. */
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

  /** Keys that were used since the last call, with when. */
  takeUnreported(): readonly (readonly [apiKey: string, at: TimeMs])[] {
    const taken = [...this.#unreported]
    this.#unreported = new Map()
    return taken
  }
}
