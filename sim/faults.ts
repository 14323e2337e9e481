/**
 * The current faults of the machine under a process. The run switches them on and off; whether a single
 * operation fails is drawn from the seed.
 */
import type { Coverage } from './coverage.ts'
import type { Profile } from './profile.ts'
import type { IoFaults, IoKind, IoOutcome } from './storage/io.ts'
import type { Random } from './world/random.ts'

/** Decides the outcome of a disk operation, before a random fault can; undefined if it does not decide. */
export type IoProbe = (kind: IoKind, file: string) => IoOutcome | undefined

/**
 * Factor on the probability of a fault: files are renamed so seldom that otherwise hardly any rename would
 * fail.
 */
const RENAME_FAULT_TIMES = 5

export type FaultsParts = {
  readonly random: Random
  readonly profile: Profile
  readonly coverage: Coverage
  readonly onCrash: (reason: string) => void
  readonly probe: IoProbe | undefined
}

export class Faults implements IoFaults {
  readonly #random: Random
  readonly #profile: Profile
  readonly #coverage: Coverage
  readonly #onCrash: (reason: string) => void
  readonly #probe: IoProbe | undefined
  #ioFaults = 0
  /** No more faults. */
  isOver = false
  isDiskFull = false
  /** Every write and sync may fail for a while. */
  isDiskBroken = false
  isFollowerSlow = false
  isNetworkSlow = false
  /** The process ends directly after the next write of this file. */
  killAfterWriteOf: string | undefined
  /** Offset of the wall clock. */
  clockOffsetMs = 0

  constructor({ random, profile, coverage, onCrash, probe }: FaultsParts) {
    this.#random = random
    this.#profile = profile
    this.#coverage = coverage
    this.#onCrash = onCrash
    this.#probe = probe
  }

  ofIo(kind: IoKind, file: string): IoOutcome {
    const decided = this.#probe?.(kind, file)
    if (decided !== undefined) return decided
    if (kind === 'write' && file === this.killAfterWriteOf) {
      this.killAfterWriteOf = undefined
      return 'CRASH_AFTER'
    }
    if (this.isOver || this.#ioFaults >= this.#profile.ioFaultsMax) return 'DONE'
    const times = kind === 'rename' ? RENAME_FAULT_TIMES : 1
    if (this.#random.chance(this.#profile.ioCrash * times)) {
      this.#ioFaults++
      const outcome = this.#random.chance(0.5) ? 'CRASH_BEFORE' : 'CRASH_AFTER'
      this.#coverage.count(`fault ${outcome} ${kind}`)
      return outcome
    }
    const failure = this.isDiskBroken ? 0.3 : this.#profile.ioFailure * times
    if (!this.#random.chance(failure)) return 'DONE'
    this.#ioFaults++
    this.#coverage.count(`fault FAILS ${kind}`)
    return 'FAILS'
  }

  isFull(): boolean {
    return this.isDiskFull
  }

  delay(): number {
    const most = this.#profile.diskDelayMs
    if (!this.isOver && this.#random.chance(0.01)) return most * 20
    return this.#random.between(0, most)
  }

  crash(reason: string): void {
    this.#onCrash(reason)
  }

  threadDelay(): number {
    return this.#random.chance(0.9) ? 0 : this.#random.between(0, 3)
  }

  followerDelay(): number {
    return this.isFollowerSlow ? this.#random.between(20, 400) : this.threadDelay()
  }

  messageDelay(): number {
    const most = this.#profile.messageDelayMs
    return this.#random.between(0, this.isNetworkSlow ? 20 * most : most)
  }

  /** How many times a message arrives: 0 if it is lost, 2 if it is duplicated. */
  copies(): number {
    if (this.isOver) return 1
    if (this.#random.chance(this.#profile.lostMessage)) {
      this.#coverage.count('fault lost message')
      return 0
    }
    if (!this.#random.chance(this.#profile.doubledMessage)) return 1
    this.#coverage.count('fault doubled message')
    return 2
  }

  /** Everything works from now on; the clock keeps its offset. */
  end(): void {
    this.isOver = true
    this.killAfterWriteOf = undefined
    this.isDiskFull = false
    this.isDiskBroken = false
    this.isFollowerSlow = false
    this.isNetworkSlow = false
  }
}
