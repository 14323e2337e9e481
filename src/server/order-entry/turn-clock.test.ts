import { expect, test } from 'bun:test'
import { timeMs } from '../../units/quantities.ts'
import { TurnClock } from './turn-clock.ts'

test('a turn keeps its first reading of the clock, and each turn reads anew', async () => {
  let time = 0
  const next = () => timeMs(++time)
  const clock = new TurnClock({ now: next, steady: next, doubted: () => undefined })
  for (const turn of [0, 1, 2]) {
    const elapsedMs = clock.elapsedMs()
    const read = [clock.now(), clock.steady()].map(Number)
    expect(read).toEqual([turn * 2 + 1, turn * 2 + 2])
    expect([clock.now(), clock.steady()].map(Number)).toEqual(read)
    expect(clock.elapsedMs()).toBe(elapsedMs)
    await undefined
  }
})
