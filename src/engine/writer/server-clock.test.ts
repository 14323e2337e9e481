import { describe, expect, test } from 'bun:test'
import type { TimeMs } from '../../units/quantities.ts'
import { ClockBoard } from './clock-board.ts'
import { DEFAULT_CLOCK_LIMITS, JournalClock } from './journal-clock.ts'
import { ServerClock } from './server-clock.ts'

const NOON = 1_790_000_000_000
const SECOND = 1_000
const TEN_YEARS = 3_652 * 24 * 3_600 * SECOND

function started() {
  const machine = { wall: NOON, elapsed: 0 }
  const sources = { wall: () => machine.wall as TimeMs, monotonicMs: () => machine.elapsed }
  const board = new ClockBoard()
  const journal = new JournalClock({
    sources,
    limits: DEFAULT_CLOCK_LIMITS,
    journalTime: (NOON - SECOND) as TimeMs,
    onReading: (reading) => board.write(reading),
  })
  const server = new ServerClock(board, sources)
  const pass = (ms: number, wallMs = ms): void => {
    machine.elapsed += ms
    machine.wall += wallMs
  }
  const times = (): [number, number] => [server.now() - NOON, server.steady() - NOON]
  return { machine, journal, server, pass, times }
}

describe('server time beside the engine', () => {
  test('knows of no jump before the engine has judged it, nor after', () => {
    const { machine, journal, pass, times } = started()
    journal.read()
    expect(times()).toEqual([0, 0])
    pass(100, TEN_YEARS)
    expect(times()).toEqual([100, 100])
    journal.read()
    expect(times()).toEqual([100, 100])
    pass(SECOND)
    expect(times()).toEqual([SECOND + 100, SECOND + 100])
    journal.accept(machine.wall as TimeMs)?.confirm()
    expect(times()).toEqual([TEN_YEARS + SECOND, TEN_YEARS + SECOND])
  })

  test('never goes back, and only deadlines advance while a clock that was set back catches up', () => {
    const { journal, pass, times } = started()
    pass(60 * SECOND)
    journal.read()
    expect(times()).toEqual([60 * SECOND, 60 * SECOND])
    pass(SECOND, -600 * SECOND)
    expect(times()).toEqual([61 * SECOND, 61 * SECOND])
    journal.read()
    pass(9 * SECOND)
    journal.read()
    expect(times()).toEqual([61 * SECOND, 70 * SECOND])
  })

  test('is at least that of the last command of the journal', () => {
    const { machine, journal, times } = started()
    machine.wall = NOON - 3_600 * SECOND
    journal.read()
    expect(times()).toEqual([-SECOND, -SECOND])
  })

  test('continues with monotonic time where the engine has not read the clock for long', () => {
    const { journal, pass, times } = started()
    journal.read()
    times()
    pass(20 * SECOND, 25 * SECOND)
    expect(times()).toEqual([20 * SECOND, 20 * SECOND])
  })

  test('from before the first reading is not remembered', () => {
    const { machine, journal, times } = started()
    machine.wall += TEN_YEARS
    expect(times()).toEqual([TEN_YEARS, TEN_YEARS])
    machine.wall -= TEN_YEARS
    journal.read()
    expect(times()).toEqual([0, 0])
  })
})

test('a board shows a reading whole, and none before the first', () => {
  const memory = new SharedArrayBuffer(32)
  const board = new ClockBoard(memory)
  expect(board.read()).toBeUndefined()
  const reading = { wall: NOON as TimeMs, time: (NOON - 1) as TimeMs, isTrusted: false }
  board.write(reading)
  expect(new ClockBoard(memory).read()).toEqual(reading)
  Atomics.add(new Int32Array(memory), 0, 1)
  expect(board.read()).toBeUndefined()
})
