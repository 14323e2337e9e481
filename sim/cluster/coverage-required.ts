/**
 * Coverage that the fixed seeds of the cluster must reach, with minimum counts: each kind of fault, each
 * outcome of a request to the database, each answer.
 */
import { type Fault, LOSING_FAULTS, SAFE_FAULTS } from './plan.ts'

const OFTEN = 100
const SOMETIMES = 10
const A_FEW = 5
const RARELY = 2

/** Every fault must occur; these are rare, since each also needs another condition. */
const SELDOM: readonly Fault[] = ['stop leader', 'restore from backup', 'promote lagging standby']

function faults(): Record<string, number> {
  const all: readonly Fault[] = [...SAFE_FAULTS, ...LOSING_FAULTS]
  return Object.fromEntries(
    all.map((fault) => [`fault ${fault}`, SELDOM.includes(fault) ? RARELY : SOMETIMES]),
  )
}

export const REQUIRED: Readonly<Record<string, number>> = {
  ...faults(),
  'claim stored': OFTEN,
  'claim taken': SOMETIMES,
  'claim full': RARELY,
  'claim unknown': SOMETIMES,
  'claim stored with a notice': RARELY,
  'insert stored': OFTEN,
  'insert taken': SOMETIMES,
  'insert full': SOMETIMES,
  'insert unknown': SOMETIMES,
  'insert stored with a notice': RARELY,
  'note Leading': OFTEN,
  'note LeadLost': OFTEN,
  'note Following': OFTEN,
  'note SnapshotCopied': RARELY,
  'answer OrderAccepted': OFTEN,
  'answer OrderRepeated': OFTEN,
  'answer Refused': OFTEN,
  'answer STORAGE_FULL': SOMETIMES,
  'answer NO_LEADER': OFTEN,
  'answer UNKNOWN': OFTEN,
  read: OFTEN,
  state: OFTEN,
  quarantined: RARELY,
  'halted UNSUPPORTED': RARELY,
  'halted WITNESS': SOMETIMES,
  'lost what was acknowledged': A_FEW,
  'halted for good': A_FEW,
  'served to the end': SOMETIMES,
}
