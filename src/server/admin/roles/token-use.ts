/**
 * The time and address of each named token's last use, if this process has recorded one: advisory, in memory,
 * never journaled.
 */
import type { TimeMs } from '../../../units/quantities.ts'

export type TokenUsed = { readonly at: TimeMs; readonly from: string }

/** Has at most as many entries as there are tokens. */
export class TokenUse {
  readonly #lastByName = new Map<string, TokenUsed>()

  note(name: string, use: TokenUsed): void {
    this.#lastByName.set(name, use)
  }

  /** Undefined if not used since this process started. */
  last(name: string): TokenUsed | undefined {
    return this.#lastByName.get(name)
  }
}
