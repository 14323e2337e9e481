/**
 * When which fault comes: one after another, at intervals drawn from the seed, for as long as the first phase lasts.
 */
import type { Canary } from './canary.ts'
import type { Replicas } from './checkers/replicas.ts'
import type { Truth } from './checkers/truth.ts'
import type { Coverage } from './coverage.ts'
import { tryDamaged } from './damage.ts'
import type { Faults } from './faults.ts'
import type { Supervisor } from './node/supervisor.ts'
import { FAULT_KINDS, type FaultKind, type Profile } from './profile.ts'
import { JOURNAL_LOG } from './storage/journal.ts'
import type { Random } from './world/random.ts'
import { FOREVER, type Schedule } from './world/schedule.ts'
import type { Violation } from './world/trace.ts'

export type PlanParts = {
  readonly schedule: Schedule
  readonly random: Random
  readonly profile: Profile
  readonly coverage: Coverage
  readonly faults: Faults
  readonly supervisor: Supervisor
  readonly truth: Truth
  readonly replicas: Replicas
  readonly canary: Canary
  /** Sends an order that breaks the machine. */
  readonly poison: () => void
  readonly say: (line: string) => void
  readonly onViolation: (violation: Violation) => void
}

export class FaultPlan {
  readonly #parts: PlanParts
  #isOver = true

  constructor(parts: PlanParts) {
    this.#parts = parts
  }

  begin(): void {
    this.#isOver = false
    const { profile } = this.#parts
    if (FAULT_KINDS.some((kind) => profile.faults[kind] > 0)) this.#next()
  }

  end(): void {
    this.#isOver = true
  }

  #next(): void {
    const { schedule, random, profile, coverage, say } = this.#parts
    schedule.after(random.between(1, 2 * profile.faultEveryMs), FOREVER, () => {
      if (this.#isOver) return
      const kind = random.weighted(profile.faults)
      coverage.count(`fault ${kind}`)
      say(`fault ${kind}`)
      this.#cause(kind)
      this.#next()
    })
  }

  #cause(kind: FaultKind): void {
    const { supervisor, faults, random, poison } = this.#parts
    switch (kind) {
      case 'kill':
        supervisor.crash('killed')
        break
      case 'powerCut':
        supervisor.crash('no power', random.pick(['NOTHING', 'EVERYTHING', 'RANDOM']))
        break
      case 'lostFlush':
        this.#lieAndCut()
        break
      case 'diskFull':
        this.#forAWhile(300, (isOn) => {
          faults.isDiskFull = isOn
        })
        break
      case 'brokenDisk':
        this.#forAWhile(40, (isOn) => {
          faults.isDiskBroken = isOn
        })
        break
      case 'clockJump':
        faults.clockOffsetMs += random.between(-1, 1) * random.pick([1, 1_000, 86_400_000])
        break
      case 'slowFollower':
        this.#forAWhile(1_000, (isOn) => {
          faults.isFollowerSlow = isOn
        })
        break
      case 'slowNetwork':
        this.#forAWhile(1_000, (isOn) => {
          faults.isNetworkSlow = isOn
        })
        break
      case 'restart':
        void supervisor.restart()
        break
      case 'flippedBit':
        tryDamaged(this.#parts)
        break
      case 'poison':
        poison()
        break
    }
  }

  /** From now on syncs of the journal's log do nothing; soon the power goes. */
  #lieAndCut(): void {
    const { supervisor, schedule, random } = this.#parts
    supervisor.disk.liesAbout.add(JOURNAL_LOG)
    schedule.after(random.between(5, 60), FOREVER, () => {
      if (supervisor.disk.liesAbout.size > 0) supervisor.crash('no power, and the disk had lied', 'NOTHING')
      supervisor.disk.liesAbout.clear()
    })
  }

  #forAWhile(mostMs: number, change: (isOn: boolean) => void): void {
    const { schedule, random } = this.#parts
    change(true)
    schedule.after(random.between(1, mostMs), FOREVER, () => change(false))
  }
}
