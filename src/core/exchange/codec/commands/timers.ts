/** Commands that cancel many orders of an account as bytes. The rules of these formats stand in `command-codec.ts`. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../../../units/bytes.ts'
import type { AccountId, SymbolId } from '../../../../units/ids.ts'
import type * as C from '../../commands/timers.ts'

export function writeTimerCommand(
  w: ByteWriter,
  command: C.CancelAllOrders | C.ContinueCancelAll | C.SetCountdown | C.FireCountdown,
): void {
  switch (command.kind) {
    case 'CancelAllOrders':
      writeCancelAllOrders(w, command)
      break
    case 'ContinueCancelAll':
      writeContinueCancelAll(w, command)
      break
    case 'SetCountdown':
      writeSetCountdown(w, command)
      break
    case 'FireCountdown':
      writeFireCountdown(w, command)
  }
}

function writeCancelAllOrders(w: ByteWriter, c: C.CancelAllOrders): void {
  w.uint(c.accountId)
  writeScope(w, c.symbolId)
}

export function readCancelAllOrders(r: ByteReader): C.CancelAllOrders {
  return { kind: 'CancelAllOrders', accountId: r.uint() as AccountId, symbolId: readScope(r) }
}

function writeContinueCancelAll(w: ByteWriter, c: C.ContinueCancelAll): void {
  w.uint(c.accountId)
}

export function readContinueCancelAll(r: ByteReader): C.ContinueCancelAll {
  return { kind: 'ContinueCancelAll', accountId: r.uint() as AccountId }
}

function writeSetCountdown(w: ByteWriter, c: C.SetCountdown): void {
  w.uint(c.accountId)
  writeScope(w, c.symbolId)
  w.uint(c.countdownMs)
  w.bool(c.keepsStops)
}

export function readSetCountdown(r: ByteReader): C.SetCountdown {
  return {
    kind: 'SetCountdown',
    accountId: r.uint() as AccountId,
    symbolId: readScope(r),
    countdownMs: r.uint(),
    keepsStops: r.bool(),
  }
}

function writeFireCountdown(w: ByteWriter, c: C.FireCountdown): void {
  w.uint(c.accountId)
  writeScope(w, c.symbolId)
}

export function readFireCountdown(r: ByteReader): C.FireCountdown {
  return { kind: 'FireCountdown', accountId: r.uint() as AccountId, symbolId: readScope(r) }
}

/** A symbol by its number plus one; 0: all symbols. */
export function writeScope(w: ByteWriter, symbolId: SymbolId | undefined): void {
  w.uint(symbolId === undefined ? 0 : symbolId + 1)
}

export function readScope(r: ByteReader): SymbolId | undefined {
  const scope = r.uint()
  if (scope > Number.MAX_SAFE_INTEGER) throw new BytesFault(`symbol ${scope} before byte ${r.at} cannot be`)
  return scope === 0 ? undefined : ((scope - 1) as SymbolId)
}
