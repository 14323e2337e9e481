import { expect, test } from 'bun:test'
import { MeasuredClock } from './server-clock.ts'

class Machine {
  monotonic = 5_000
  /** The machine's clock, which a user may set. */
  wall = 1_790_000_000_000
  server = 1_790_000_060_000
  asked = 0
  readonly now = () => this.monotonic
  readonly wallTime = () => this.wall
  readonly ask = async () => {
    this.asked++
    this.pass(30)
    const answer = this.server
    this.pass(10)
    return answer
  }

  pass(ms: number): void {
    this.monotonic += ms
    this.wall += ms
    this.server += ms
  }
}

test('the estimated time of the server is never ahead of it, and behind it by the duration of an answer at most', async () => {
  const machine = new Machine()
  const clock = new MeasuredClock(machine, machine.ask)
  expect(await clock.time()).toBe(machine.server - 10)
  machine.pass(1_234)
  expect(await clock.time()).toBe(machine.server - 10)
  // The machine is 60 s behind; half of the round trip is 20 ms.
  expect(clock.measure).toEqual({ roundTripMs: 40, skewMs: -60_010 })
})

test('a machine whose clock is set while it runs keeps correct times', async () => {
  const machine = new Machine()
  const clock = new MeasuredClock(machine, machine.ask)
  await clock.time()
  machine.wall += 3_600_000
  expect(await clock.time()).toBe(machine.server - 10)
  expect(machine.asked).toBe(1)
})

test('the time of the server is requested again after a refused timestamp, and after ten minutes', async () => {
  const machine = new Machine()
  const clock = new MeasuredClock(machine, machine.ask)
  await clock.time()
  machine.server += 500
  clock.doubt()
  expect(await clock.time()).toBe(machine.server - 10)
  machine.pass(600_000)
  await clock.time()
  expect(machine.asked).toBe(3)
})

test('several callers that need the time at once share one request', async () => {
  const machine = new Machine()
  const clock = new MeasuredClock(machine, machine.ask)
  await Promise.all([clock.time(), clock.time(), clock.time()])
  expect(machine.asked).toBe(1)
})
