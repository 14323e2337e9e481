/**
 * A bit turns over in what is stored. A start on a copy of the disk must either refuse, or come to the very state
 * that everybody was told of; and whoever verifies the whole journal must notice when it is in there.
 */
import { sha256 } from '../src/drivers/crypto/sha256.ts'
import { JournalFault } from '../src/engine/journal.ts'
import { recover } from '../src/engine/recovery.ts'
import type { Canary } from './canary.ts'
import type { Replicas } from './checkers/replicas.ts'
import { demand } from './checkers/shadow-state.ts'
import type { Truth } from './checkers/truth.ts'
import type { Coverage } from './coverage.ts'
import type { Supervisor } from './node/supervisor.ts'
import type { Profile } from './profile.ts'
import { type Fate, Io } from './storage/io.ts'
import { JOURNAL_LOG, SimulatedJournal } from './storage/journal.ts'
import { SimulatedSnapshots } from './storage/snapshots.ts'
import { SimulatedWitness } from './storage/witness.ts'
import type { Random } from './world/random.ts'
import { FOREVER, type Schedule } from './world/schedule.ts'
import { Violation } from './world/trace.ts'

/** Nothing else goes wrong on the way. */
const SOUND: Fate = { ofIo: () => 'DONE', isFull: () => false, delay: () => 0, crash: () => {} }

export type DamageParts = {
  readonly schedule: Schedule
  readonly random: Random
  readonly profile: Profile
  readonly canary: Canary
  readonly supervisor: Supervisor
  readonly replicas: Replicas
  readonly truth: Truth
  readonly coverage: Coverage
  readonly say: (line: string) => void
  readonly onViolation: (violation: Violation) => void
}

/** Damages a copy of the disk as it is now and tries to recover from it, beside the node that runs. */
export function tryDamaged(parts: DamageParts): void {
  const { random, schedule, supervisor, truth, coverage, say } = parts
  const disk = supervisor.disk.copy()
  const names = disk.names().filter((name) => disk.length(name) > 0)
  // A disk that lies has its own fault; what it will have lost is not known yet.
  if (names.length === 0 || disk.liesAbout.size > 0 || supervisor.hasLied) return
  const name = random.pick(names)
  const bit = random.below(8 * disk.length(name))
  disk.flip(name, bit)
  // A power cut may have set the witness back: then nothing can tell a log that is damaged from one cut short.
  const least = name === JOURNAL_LOG ? supervisor.engineRemembers : truth.length
  const io = new Io(disk, schedule, FOREVER, SOUND)
  void recovered(parts, io).then((outcome) => {
    say(`bit ${bit} of ${name} flipped: ${outcome.kind}`)
    coverage.count(`damage of ${name.replace(/-?\d+$/, '')} ${outcome.kind}`)
    guard(parts, () => {
      if (outcome.kind === 'FAILED') throw new Violation(`a flipped bit in ${name}: ${outcome.message}`)
      if (outcome.kind === 'STARTED') {
        const found = `damaged ${name} was accepted: the state is at command ${outcome.seq} of ${least}`
        demand(outcome.seq >= least, () => found)
      }
    })
  })
}

type Outcome =
  | { readonly kind: 'STARTED'; readonly seq: number }
  | { readonly kind: 'REFUSED' }
  | { readonly kind: 'FAILED'; readonly message: string }

/** What recovery makes of the disk; every command it applies is held against the truth by its machine. */
async function recovered({ canary, profile, replicas }: DamageParts, io: Io): Promise<Outcome> {
  try {
    const storage = canary.storage({
      journal: new SimulatedJournal(io, profile.logBytesMax),
      witness: new SimulatedWitness(io),
      snapshots: new SimulatedSnapshots(io, 'damage'),
    })
    const machines = replicas.machines('observer')
    const { machine } = await recover({ ...storage, digest: sha256, machines, acceptJournalTail: false })
    return { kind: 'STARTED', seq: machine.seq }
  } catch (cause) {
    if (cause instanceof JournalFault) return { kind: 'REFUSED' }
    return { kind: 'FAILED', message: String(cause) }
  }
}

function guard({ onViolation }: DamageParts, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    onViolation(error)
  }
}
