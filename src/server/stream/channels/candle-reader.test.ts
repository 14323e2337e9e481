import { expect, test } from 'bun:test'
import { BTC } from '../../../../test/support/stream-server.ts'
import { SyntheticHistory } from '../../../../test/support/synthetic-history.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import { CandleReader } from './candle-reader.ts'

const QUERY = {
  symbolId: BTC.id,
  interval: '1m',
  from: undefined,
  to: timeMs(0),
  limit: 500,
  atLeast: seq(0),
} as const

function reader() {
  const history = new SyntheticHistory([BTC])
  history.isHeld = true
  const clock = { now: 0 }
  const due: (readonly [task: () => void, delayMs: number])[] = []
  const later = (task: () => void, delayMs: number) => {
    due.push([task, delayMs])
    return () => {}
  }
  const pace = { now: () => clock.now, later }
  const made = new CandleReader({ history, market: { seq: seq(0) }, pace })
  const taken: number[] = []
  const read = (number: number) => made.read({ begin: () => QUERY, take: () => taken.push(number) })
  return { history, clock, due, taken, read }
}

test('one read is in progress at a time, and after it is a pause as long as it took', async () => {
  const { history, clock, due, taken, read } = reader()
  for (const number of [1, 2]) read(number)
  expect(history.asked).toBe(1)
  clock.now = 70
  await history.release()
  expect([taken, history.asked]).toEqual([[1], 1])
  expect(due.map(([, delayMs]) => delayMs)).toEqual([70])
  due[0]?.[0]()
  expect(history.asked).toBe(2)
  await history.release()
  expect(taken).toEqual([1, 2])
})

test('a canceled read is not begun, and one in progress returns nothing', async () => {
  const { history, due, taken, read } = reader()
  const [first, second] = [read(1), read(2)]
  first()
  second()
  await history.release()
  due[0]?.[0]()
  expect([taken, history.asked]).toEqual([[], 1])
})
