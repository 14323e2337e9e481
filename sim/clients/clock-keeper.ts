/**
 * The operator of the machine's clock: when the node reports that it does not trust the clock, the operator
 * corrects the clock or accepts its time. The command may be lost on the way, like any other.
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
  /** Reads the machine's clock. */
  readonly wall: () => TimeMs
  readonly say: (line: string) => void
}

/** Longest delay until the operator notices. */
const NOTICE_MS_MAX = 300

export class ClockKeeper {
  readonly #parts: ClockKeeperParts
  #reading: ClockReading | undefined
  #isCalled = false

  constructor(parts: ClockKeeperParts) {
    this.#parts = parts
  }

  /** Whether the clock allows the node to accept orders. */
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

  /** Called when the node goes down: the next one will report whether it trusts the clock. */
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
