/**
 * Whoever looks after the clock of the machine: when the node says that it does not trust the clock, he sets it right, or
 * accepts what it shows. His command may be lost on the way, as any other.
 */
import type { ClockReading } from '../../src/engine/writer/journal-clock.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { Faults } from '../faults.ts'
import type { Random } from '../world/random.ts'
import { FOREVER, type Schedule } from '../world/schedule.ts'
import type { Client } from './client.ts'

export type ClockKeeperParts = {
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: Faults
  readonly client: Client
  /** What the clock shows. */
  readonly wall: () => TimeMs
  readonly say: (line: string) => void
}

/** How long it takes him to notice. */
const NOTICE_MS_MAX = 300

export class ClockKeeper {
  readonly #parts: ClockKeeperParts
  #reading: ClockReading | undefined
  #isCalled = false

  constructor(parts: ClockKeeperParts) {
    this.#parts = parts
  }

  /** The node takes orders, as far as its clock goes. */
  get isContent(): boolean {
    return this.#reading?.isTrusted !== false
  }

  observe(reading: ClockReading): void {
    this.#reading = reading
    this.#parts.say(
      `clock ${reading.isTrusted ? 'trusted' : `not trusted, ${reading.wall - reading.time} ms ahead`}`,
    )
    this.#call()
  }

  /** The node is down: whether the next one trusts the clock, it will say. */
  forget(): void {
    this.#reading = undefined
  }

  #call(): void {
    if (this.#isCalled || this.isContent) return
    this.#isCalled = true
    const { schedule, random } = this.#parts
    schedule.after(random.between(1, NOTICE_MS_MAX), FOREVER, () => {
      void this.#act().then(() => {
        this.#isCalled = false
        this.#call()
      })
    })
  }

  async #act(): Promise<void> {
    const { random, faults, client, wall, say } = this.#parts
    const reading = this.#reading
    if (reading === undefined || reading.isTrusted) return
    if (random.chance(0.4)) {
      say('the clock is set right')
      faults.clockOffsetMs -= reading.wall - reading.time
      return
    }
    const operator = { actor: 'clock keeper', note: String(random.bits()) }
    await client.command({ kind: 'AcceptClock', operator, clock: wall() })
  }
}
