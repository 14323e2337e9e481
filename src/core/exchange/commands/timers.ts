/** Commands that cancel many orders of an account: at once, or when its countdown ends. */
import type { AccountId, SymbolId } from '../../../units/ids.ts'

/**
 * Cancels all open orders of the account that come before this command (docs/reference/timers.md#mass-cancel): some now, the others by
 * commands of the engine's own.
 */
export type CancelAllOrders = {
  readonly kind: 'CancelAllOrders'
  readonly accountId: AccountId
  /** Undefined: in all symbols. */
  readonly symbolId: SymbolId | undefined
}

/** Goes on with the oldest mass cancel of the account: the engine's own command. */
export type ContinueCancelAll = {
  readonly kind: 'ContinueCancelAll'
  readonly accountId: AccountId
  readonly orderNumber?: undefined
}

/** Sets the account's countdown of a symbol, or of all symbols, anew (docs/reference/timers.md#countdown). */
export type SetCountdown = {
  readonly kind: 'SetCountdown'
  readonly accountId: AccountId
  /** Undefined: of all symbols. */
  readonly symbolId: SymbolId | undefined
  /** When it ends, from the command's time on; 0: it is switched off. At most `COUNTDOWN_MAX_MS`. */
  readonly countdownMs: number
  /** Orders that wait for their trigger when it ends go on. */
  readonly keepsStops: boolean
}

/** Carries out a countdown that has ended: the engine's own command. */
export type FireCountdown = {
  readonly kind: 'FireCountdown'
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  readonly orderNumber?: undefined
}
