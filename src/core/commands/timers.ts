/** Commands that cancel many orders of an account: at once, or when its countdown ends. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { flag, own, uint } from '../../units/shapes/shape.ts'
import { type CommandIn, commandRows } from './row.ts'

/** Writes a symbol by its number plus one; 0 for undefined, which means all symbols. */
export function writeScope(w: ByteWriter, symbolId: SymbolId | undefined): void {
  w.uint(symbolId === undefined ? 0 : symbolId + 1)
}

export function readScope(r: ByteReader): SymbolId | undefined {
  const scope = r.uint()
  if (scope > Number.MAX_SAFE_INTEGER)
    throw new BytesFault(`symbol ${scope} before byte ${r.at} is not valid`)
  return scope === 0 ? undefined : ((scope - 1) as SymbolId)
}

const OF_SCOPE = {
  accountId: uint<AccountId>(),
  /** Undefined for all symbols. */
  symbolId: own<SymbolId | undefined>({ write: writeScope, read: readScope }),
}

export const TIMER_ROWS = commandRows({
  CancelAllOrders: { code: 47, fields: OF_SCOPE },
  SetCountdown: {
    code: 49,
    fields: {
      ...OF_SCOPE,
      /**
       * The countdown's length in milliseconds, from the time of the command; 0 switches it off. At most
       * `COUNTDOWN_MAX_MS`.
       */
      countdownMs: uint(),
      /** Orders that still wait for their trigger when the countdown ends are kept. */
      keepsStops: flag(),
    },
  },
})

export const TIMER_ENGINE_ROWS = commandRows({
  ContinueCancelAll: { code: 48, fields: { accountId: uint<AccountId>() } },
  FireCountdown: { code: 50, fields: OF_SCOPE },
})

type In<Kind extends keyof typeof TIMER_ROWS> = CommandIn<typeof TIMER_ROWS, Kind>
type EngineIn<Kind extends keyof typeof TIMER_ENGINE_ROWS> = CommandIn<typeof TIMER_ENGINE_ROWS, Kind>

/**
 * Cancels all open orders of the account that come before this command
 * (docs/reference/timers.md#mass-cancel): some now, the others by commands of the engine's own.
 */
export interface CancelAllOrders extends In<'CancelAllOrders'> {}

/** Continues the account's oldest mass cancel: the engine's own command. */
export interface ContinueCancelAll extends EngineIn<'ContinueCancelAll'> {
  readonly orderNumber?: undefined
}

/**
 * Sets the account's countdown of a symbol, or of all symbols, replacing the previous one
 * (docs/reference/timers.md#countdown).
 */
export interface SetCountdown extends In<'SetCountdown'> {}

/** Carries out a countdown that has ended: the engine's own command. */
export interface FireCountdown extends EngineIn<'FireCountdown'> {
  readonly orderNumber?: undefined
}
