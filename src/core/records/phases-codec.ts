/** The phases of the exchange as bytes: the same in snapshots, events and views. */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../units/field-codec.ts'
import { EXCHANGE_PHASES } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { ExchangePhases, PhaseChange } from '../registry/records.ts'

export function writePhases(w: ByteWriter, { current, planned }: ExchangePhases): void {
  writeChange(w, current)
  writeList(w, planned, writeChange)
}

export function readPhases(r: ByteReader): ExchangePhases {
  return { current: readChange(r), planned: readList(r, readChange) }
}

function writeChange(w: ByteWriter, change: PhaseChange): void {
  writeWord(w, EXCHANGE_PHASES, change.phase)
  w.uint(change.at)
  w.text(change.actor)
  w.text(change.note)
}

function readChange(r: ByteReader): PhaseChange {
  return {
    phase: readWord(r, EXCHANGE_PHASES),
    at: r.uint() as TimeMs,
    actor: r.text(),
    note: r.text(),
  }
}
