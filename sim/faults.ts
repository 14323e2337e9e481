/**
 * The faults of the machine under a process, as they are at this moment. The run switches them on and off; whether a
 * single operation meets one is drawn from the seed.
 */
import type { Coverage } from './coverage.ts'
import type { Profile } from './profile.ts'
import type { Fate, IoFate, IoKind } from './storage/io.ts'
import type { Random } from './world/random.ts'

export class Faults implements Fate {
  readonly #random: Random
  readonly #profile: Profile
  readonly #coverage: Coverage
  readonly #onCrash: (reason: string) => void
  /** Nothing goes wrong any more. */
  isOver = false
  isDiskFull = false
  /** Every write and sync may fail for a while. */
  isDiskBroken = false
  isFollowerSlow = false
  isNetworkSlow = false
  /** How far the wall clock is off. */
  clockOffsetMs = 0

  constructor(random: Random, profile: Profile, coverage: Coverage, onCrash: (reason: string) => void) {
    this.#random = random
    this.#profile = profile
    this.#coverage = coverage
    this.#onCrash = onCrash
  }

  ofIo(kind: IoKind, _file: string): IoFate {
    if (this.isOver) return 'DONE'
    if (this.#random.chance(this.#profile.ioCrash)) {
      const fate = this.#random.chance(0.5) ? 'CRASH_BEFORE' : 'CRASH_AFTER'
      this.#coverage.count(`fault ${fate} ${kind}`)
      return fate
    }
    const failure = this.isDiskBroken ? 0.3 : this.#profile.ioFailure
    if (!this.#random.chance(failure)) return 'DONE'
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

  /** How many times a message arrives, lost and doubled ones included. */
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

  /** Everything works from now on; the clock stays where it is. */
  end(): void {
    this.isOver = true
    this.isDiskFull = false
    this.isDiskBroken = false
    this.isFollowerSlow = false
    this.isNetworkSlow = false
  }
}
