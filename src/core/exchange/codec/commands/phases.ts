/** The fields of commands on the phase of the exchange, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../../../units/field-codec.ts'
import { EXCHANGE_PHASES } from '../../../../units/order-words.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import type { PhaseCommand, PhaseStep } from '../../commands/phases.ts'
import type { FieldCodecs } from './fields.ts'

export const PHASE_FIELDS: FieldCodecs<PhaseCommand['kind']> = {
  SetPhase: {
    write: (w, c) => writeWord(w, EXCHANGE_PHASES, c.phase),
    read: (r) => ({ phase: readWord(r, EXCHANGE_PHASES) }),
  },
  PlanPhases: {
    write: (w, c) => writeList(w, c.steps, writeStep),
    read: (r) => ({ steps: readList(r, readStep) }),
  },
}

function writeStep(w: ByteWriter, { phase, at }: PhaseStep): void {
  writeWord(w, EXCHANGE_PHASES, phase)
  w.uint(at)
}

function readStep(r: ByteReader): PhaseStep {
  return { phase: readWord(r, EXCHANGE_PHASES), at: r.uint() as TimeMs }
}
