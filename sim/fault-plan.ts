/** The times of the faults: one after another, at intervals drawn from the seed, during the first phase. */
import type { Canary } from './canary/canary.ts'
import { tryDamaged } from './damage.ts'
import { FAULT_KINDS, type FaultKind, type Profile } from './profile.ts'
import type { Stage } from './stage.ts'
import { JOURNAL_LOG } from './storage/stored-journal.ts'
import type { Random } from './world/random.ts'
import { FOREVER } from './world/schedule.ts'

/**
 * Jumps by a small amount, by an amount that only the bound of a start allows (`CLOCK_LIMITS`), and by
 * amounts that no bound allows: a day, ten years.
 */
const CLOCK_JUMPS_MS = [1, 1_000, 60_000, 1_800_000, 86_400_000, 3_652 * 86_400_000]

/** Probability of a kill each time the engine has something to carry out by itself. */
const AIMED = 0.1

export type PlanParts = {
  readonly stage: Stage
  readonly profile: Profile
  readonly canary: Canary
  readonly random: Random
  /** Decides which of these kills happen. */
  readonly aim: Random
  /** Sends an order that crashes the machine. */
  readonly poison: () => void
}

export class FaultPlan {
  readonly #parts: PlanParts
  #isOver = true

  constructor(parts: PlanParts) {
    this.#parts = parts
  }

  begin(): void {
    this.#isOver = false
    const { profile, stage, aim } = this.#parts
    stage.onDue = () => {
      if (!this.#isOver && profile.faults.kill > 0 && aim.chance(AIMED)) this.#killNow()
    }
    if (FAULT_KINDS.some((kind) => profile.faults[kind] > 0)) this.#next()
  }

  end(): void {
    this.#isOver = true
  }

  #next(): void {
    const { stage, random, profile } = this.#parts
    stage.schedule.after(random.between(1, 2 * profile.faultEveryMs), FOREVER, () => {
      if (this.#isOver) return
      const kind = random.weighted(profile.faults)
      stage.coverage.count(`fault ${kind}`)
      stage.say(`fault ${kind}`)
      this.#cause(kind)
      this.#next()
    })
  }

  #cause(kind: FaultKind): void {
    const { stage, random, poison } = this.#parts
    const { supervisor, faults } = stage
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
        faults.clockOffsetMs += random.pick([-1, 1]) * random.pick(CLOCK_JUMPS_MS)
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

  /** Kills before the engine's own command can be stored. */
  #killNow(): void {
    const { stage } = this.#parts
    stage.coverage.count('fault aimed kill')
    stage.schedule.after(0, FOREVER, () => stage.supervisor.crash('killed while something is due'))
  }

  /** Makes syncs of the journal's log do nothing from now on; soon the power fails. */
  #lieAndCut(): void {
    const { stage, random } = this.#parts
    const { supervisor, schedule } = stage
    supervisor.disk.liesAbout.add(JOURNAL_LOG)
    schedule.after(random.between(5, 60), FOREVER, () => {
      if (supervisor.disk.liesAbout.size > 0) supervisor.crash('no power, and the disk had lied', 'NOTHING')
      supervisor.disk.liesAbout.clear()
    })
  }

  #forAWhile(mostMs: number, change: (isOn: boolean) => void): void {
    const { stage, random } = this.#parts
    change(true)
    stage.schedule.after(random.between(1, mostMs), FOREVER, () => change(false))
  }
}
