/** The phases of the exchange in snapshots. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { PLANNED_PHASES_MAX } from '../../units/limits.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { sequenceRefusal } from '../operators/phases.ts'
import { EXCHANGE_PHASES_RECORD, type ExchangePhases, type PhaseChange } from '../registry/records.ts'

const PHASES = byteCodec(EXCHANGE_PHASES_RECORD)

export function writePhaseSection(w: ByteWriter, { phases }: ExchangeState): void {
  PHASES.write(w, phases.records)
}

/** Throws `BytesFault`. */
export function readPhaseSection(r: ByteReader, state: ExchangeState): void {
  const phases = PHASES.read(r)
  if (!isPossible(phases, state)) {
    throw new BytesFault(`the phases of the exchange before byte ${r.at} are not valid`)
  }
  state.phases.restore(phases)
}

/**
 * Whether the current phase has begun, the planned ones are in the order of their times, and trading does not
 * directly follow a closed phase.
 */
function isPossible({ current, planned }: ExchangePhases, { time }: ExchangeState): boolean {
  if (current.at > time || planned.length > PLANNED_PHASES_MAX) return false
  const changes: readonly PhaseChange[] = [current, ...planned]
  return planned.every(({ phase, at }, place) => {
    const before = changes[place] as PhaseChange
    return at > before.at && sequenceRefusal(before.phase, phase) === undefined
  })
}
