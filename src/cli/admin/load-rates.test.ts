import { expect, test } from 'bun:test'
import { loadRates } from './load-rates.ts'

const look = (atMs: number, counted: number) => ({
  ...{ atMs, commands: counted * 10, commits: counted, commitSeconds: counted * 0.002 },
  ...{ requests: counted * 20, trades: counted * 5, cpuSeconds: counted * 0.5 },
})

test('a rate is the growth between two samples, per second; the time of a commit is the total time divided by the commits', () => {
  expect(loadRates([look(1_000, 0), look(11_000, 10)])).toEqual([
    {
      ...{ atMs: 11_000, commandsPerSecond: 10, requestsPerSecond: 20, tradesPerSecond: 5 },
      ...{ commitMs: 2, cpu: 0.5 },
    },
  ])
})

test('without a stored batch no commit has a time, and one sample alone has no rate', () => {
  expect(loadRates([look(1_000, 3), look(2_000, 3)])).toMatchObject([
    { commandsPerSecond: 0, commitMs: undefined },
  ])
  expect(loadRates([look(1_000, 3)])).toEqual([])
})

test('a clock that was set back and a counter that restarted give no negative rate', () => {
  expect(loadRates([look(5_000, 5), look(4_000, 6), look(6_000, 1)])).toMatchObject([{ atMs: 6_000, cpu: 0 }])
})
