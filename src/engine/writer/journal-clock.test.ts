import { describe, expect, test } from 'bun:test'
import type { TimeMs } from '../../units/quantities.ts'
import { DEFAULT_CLOCK_LIMITS, JournalClock } from './journal-clock.ts'

const NOON = 1_790_000_000_000
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
const TEN_YEARS = 3_652 * DAY

/** A machine whose clock and monotonic time are set by hand. */
class Machine {
  wall = NOON
  elapsed = 0
  readonly clock: JournalClock

  constructor(journalTime = NOON) {
    this.clock = new JournalClock({
      sources: { wall: () => this.wall as TimeMs, monotonicMs: () => this.elapsed },
      limits: DEFAULT_CLOCK_LIMITS,
      journalTime: journalTime as TimeMs,
    })
  }

  /** Time passes on both clocks; on the wall clock by `wallMs`, if given. */
  pass(ms: number, wallMs = ms): void {
    this.elapsed += ms
    this.wall += wallMs
  }

  /** Whether the clock is trusted, and the milliseconds after noon. */
  read(): [boolean, number] {
    const { isTrusted, time } = this.clock.read()
    return [isTrusted, time - NOON]
  }
}

describe('a clock that jumps ahead while the node runs', () => {
  test('never becomes the time: time continues as monotonic time does', () => {
    const machine = new Machine()
    expect(machine.read()).toEqual([true, 0])
    machine.pass(SECOND, TEN_YEARS)
    expect(machine.read()).toEqual([false, SECOND])
    machine.pass(5 * HOUR)
    expect(machine.read()).toEqual([false, 5 * HOUR + SECOND])
  })

  test('does not become trusted by waiting, and is trusted again once it is right', () => {
    const machine = new Machine()
    machine.read()
    machine.pass(SECOND, HOUR + SECOND)
    for (let hour = 0; hour < 100; hour++) {
      machine.pass(HOUR)
      expect(machine.read()[0]).toBe(false)
    }
    machine.wall -= HOUR
    expect(machine.read()).toEqual([true, 100 * HOUR + SECOND])
  })

  test('is followed up to the bound and no further', () => {
    const { jumpMaxMs } = DEFAULT_CLOCK_LIMITS
    const within = new Machine()
    within.read()
    within.pass(SECOND, SECOND + jumpMaxMs)
    expect(within.read()).toEqual([true, SECOND + jumpMaxMs])
    const beyond = new Machine()
    beyond.read()
    beyond.pass(SECOND, SECOND + jumpMaxMs + 101)
    expect(beyond.read()).toEqual([false, SECOND])
  })

  test('does not get past the bound in small steps either', () => {
    const machine = new Machine()
    for (let step = 0; step < 3_600; step++) {
      machine.pass(SECOND, 5 * SECOND)
      machine.read()
    }
    const most = 3_600 * SECOND * 1.1 + DEFAULT_CLOCK_LIMITS.jumpMaxMs
    expect(machine.read()).toEqual([false, expect.any(Number)])
    expect(machine.read()[1]).toBeLessThanOrEqual(most)
  })

  test('stays untrusted after a machine was suspended, until its operator accepts it', () => {
    const machine = new Machine()
    machine.read()
    machine.pass(SECOND, 8 * HOUR)
    expect(machine.read()).toEqual([false, SECOND])
    machine.clock.accept(machine.wall as TimeMs)?.confirm()
    expect(machine.read()).toEqual([true, 8 * HOUR])
    machine.pass(SECOND)
    expect(machine.read()).toEqual([true, 8 * HOUR + SECOND])
  })
})

describe('accepting what the clock shows', () => {
  test('takes what the operator saw and nothing else', () => {
    const machine = new Machine()
    machine.read()
    machine.pass(SECOND, DAY)
    machine.read()
    const seen = machine.wall as TimeMs
    machine.wall += TEN_YEARS
    expect(machine.clock.accept(seen)).toBeUndefined()
    expect(machine.read()).toEqual([false, SECOND])
  })

  test('changes nothing before it is confirmed, however long that takes', () => {
    const machine = new Machine()
    machine.read()
    machine.pass(SECOND, TEN_YEARS)
    machine.read()
    const acceptance = machine.clock.accept(machine.wall as TimeMs)
    expect(acceptance?.time).toBe(machine.wall as TimeMs)
    machine.pass(SECOND)
    expect(machine.read()).toEqual([false, 2 * SECOND])
    acceptance?.confirm()
    expect(machine.read()).toEqual([true, TEN_YEARS + SECOND])
  })
})

describe('a clock that drifts', () => {
  test('a hundredth fast or slow is followed for a year without an alarm', () => {
    for (const rate of [1.01, 0.99]) {
      const machine = new Machine()
      for (let hour = 0; hour < 365 * 24; hour++) {
        machine.pass(HOUR, Math.round(HOUR * rate))
        expect(machine.read()).toEqual([true, machine.wall - NOON])
      }
      machine.pass(SECOND, HOUR)
      expect(machine.read()[0]).toBe(false)
    }
  })

  test('that moves back and forth by a few seconds raises no alarm', () => {
    const machine = new Machine()
    for (let turn = 0; turn < 1_000; turn++) {
      machine.pass(SECOND, turn % 2 === 0 ? 9 * SECOND : -7 * SECOND)
      expect(machine.read()[0]).toBe(true)
    }
  })
})

describe('a clock that is set back', () => {
  test('stops the time and is trusted; put right again it raises no alarm', () => {
    const machine = new Machine()
    machine.pass(HOUR)
    machine.read()
    machine.pass(SECOND, -2 * DAY)
    expect(machine.read()).toEqual([true, HOUR])
    machine.pass(HOUR)
    expect(machine.read()).toEqual([true, HOUR])
    machine.pass(0, 2 * DAY + SECOND)
    expect(machine.read()).toEqual([true, 2 * HOUR + SECOND])
  })

  test('for a good reason has the same bound once it has caught up', () => {
    const machine = new Machine()
    machine.pass(HOUR)
    machine.read()
    machine.pass(0, -60 * SECOND)
    machine.read()
    machine.pass(61 * SECOND)
    expect(machine.read()).toEqual([true, HOUR + SECOND])
    machine.pass(0, 30 * SECOND)
    expect(machine.read()[0]).toBe(false)
  })
})

describe('a clock at the start of a node', () => {
  test('may be ahead of the journal by a stop of days, not of years', () => {
    const few = new Machine(NOON - 3 * DAY)
    expect(few.read()).toEqual([true, 0])
    const years = new Machine(NOON - TEN_YEARS)
    years.pass(SECOND)
    expect(years.read()).toEqual([false, SECOND - TEN_YEARS])
    years.wall = NOON - TEN_YEARS + DAY
    expect(years.read()).toEqual([true, DAY - TEN_YEARS])
  })

  test('that is put right after a start without one is judged as a clock at a start', () => {
    const machine = new Machine(NOON - DAY)
    machine.wall = 0
    expect(machine.read()).toEqual([true, -DAY])
    machine.pass(30 * SECOND)
    machine.wall = NOON
    expect(machine.read()).toEqual([true, 0])
    machine.pass(SECOND, DAY)
    expect(machine.read()[0]).toBe(false)
  })

  test('of a new journal is accepted as it is', () => {
    expect(new Machine(0).read()).toEqual([true, 0])
  })
})
