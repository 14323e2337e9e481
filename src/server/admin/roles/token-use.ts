/** When each named token was last used, and from where, as far as this process remembers: advisory, in memory, never journaled. */
import type { TimeMs } from '../../../units/quantities.ts'

export type TokenUsed = { readonly at: TimeMs; readonly from: string }

/** As many entries as there are tokens, at most. */
export class TokenUse {
  readonly #lastByName = new Map<string, TokenUsed>()

  note(name: string, use: TokenUsed): void {
    this.#lastByName.set(name, use)
  }

  /** Undefined: not used since this process started. */
  last(name: string): TokenUsed | undefined {
    return this.#lastByName.get(name)
  }
}
