/**
 * Bit flips in stored data. A start on a copy of the disk must either refuse, or reach exactly the state that
 * was acknowledged and published; and a verification of the complete journal must find a flipped bit in it.
 */

import { JournalFault } from '../src/engine/port/journal.ts'
import { recover } from '../src/engine/writer/recovery/recovery.ts'
import { sha256 } from '../src/storage/sha256.ts'
import type { Canary } from './canary/canary.ts'
import { demand } from './checkers/shadow-state.ts'
import type { Profile } from './profile.ts'
import type { Stage } from './stage.ts'
import { Io, type IoFaults } from './storage/io.ts'
import { SimulatedJournal } from './storage/journal.ts'
import { SimulatedSnapshots } from './storage/snapshots.ts'
import { JOURNAL_LOG } from './storage/stored-journal.ts'
import { SimulatedWitness } from './storage/witness.ts'
import type { Random } from './world/random.ts'
import { FOREVER } from './world/schedule.ts'
import { ViolationError } from './world/trace.ts'

/** No other faults. */
const SOUND: IoFaults = { ofIo: () => 'DONE', isFull: () => false, delay: () => 0, crash: () => {} }

export type DamageParts = {
  readonly stage: Stage
  readonly random: Random
  readonly profile: Profile
  readonly canary: Canary
}

/** Number of bits tried at a time, each on a copy of its own. */
const TRIES = 4

/** Damages copies of the current disk and tries to recover from them, beside the running node. */
export function tryDamaged(parts: DamageParts): void {
  for (let i = 0; i < TRIES; i++) tryOne(parts)
}

function tryOne(parts: DamageParts): void {
  const { random, stage } = parts
  const { schedule, supervisor, applied, coverage } = stage
  const disk = supervisor.disk.copy()
  const names = disk.names().filter((name) => disk.length(name) > 0)
  // A lying disk is a fault of its own; its losses are not known yet.
  if (names.length === 0 || disk.liesAbout.size > 0 || supervisor.hasLied) return
  const name = random.pick(names)
  const bit = random.below(8 * disk.length(name))
  disk.flip(name, bit)
  // A power cut may have set the witness back: then a damaged log and a shortened one look alike.
  const least = name === JOURNAL_LOG ? supervisor.engineRemembers : applied.length
  const io = new Io(disk, schedule, FOREVER, SOUND)
  void recovered(parts, io).then((outcome) => {
    stage.say(`bit ${bit} of ${name} flipped: ${outcome.kind}`)
    coverage.count(`damage of ${name.replace(/-?\d+$/, '')} ${outcome.kind}`)
    guard(parts, () => {
      if (outcome.kind === 'FAILED') throw new ViolationError(`a flipped bit in ${name}: ${outcome.message}`)
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

/** The result of a recovery from the disk; the machine compares each applied command with the earlier one. */
async function recovered({ canary, profile, stage }: DamageParts, io: Io): Promise<Outcome> {
  try {
    const storage = canary.storage({
      journal: new SimulatedJournal(io, profile.logBytesMax),
      witness: new SimulatedWitness(io),
      snapshots: new SimulatedSnapshots(io, 'damage'),
    })
    const machines = stage.replicas.machines('observer')
    const { machine } = await recover({ ...storage, digest: sha256, machines, acceptJournalTail: false })
    return { kind: 'STARTED', seq: machine.seq }
  } catch (cause) {
    if (cause instanceof JournalFault) return { kind: 'REFUSED' }
    return { kind: 'FAILED', message: String(cause) }
  }
}

function guard({ stage }: DamageParts, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ViolationError)) throw error
    stage.fail(error)
  }
}
