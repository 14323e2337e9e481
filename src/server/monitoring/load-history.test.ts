import { expect, test } from 'bun:test'
import { Histogram } from '../../engine/writer/histogram.ts'
import { LOADS_MAX, LoadHistory } from './load-history.ts'

function counted() {
  const engineMeter = { batchCommands: new Histogram([1, 10]), commitSeconds: new Histogram([0.001, 0.01]) }
  const traffic = { requests: 0 }
  const all = { trades: 0, cpuSeconds: 0 }
  const source = { engineMeter, traffic, trades: () => all.trades, cpuSeconds: () => all.cpuSeconds }
  return { engineMeter, traffic, all, load: new LoadHistory(source) }
}

test('the load of a node is its counts at each sample, oldest first, and after a moment if one is named', () => {
  const { engineMeter, traffic, all, load } = counted()
  load.look(1_000)
  engineMeter.batchCommands.add(7)
  engineMeter.commitSeconds.add(0.002)
  traffic.requests = 3
  Object.assign(all, { trades: 2, cpuSeconds: 0.5 })
  load.look(11_000)
  const [first, second] = load.after(0)
  expect(first).toEqual({
    ...{ atMs: 1_000, commands: 0, commits: 0, commitSeconds: 0 },
    ...{ requests: 0, trades: 0, cpuSeconds: 0 },
  })
  expect(second).toEqual({
    ...{ atMs: 11_000, commands: 7, commits: 1, commitSeconds: 0.002 },
    ...{ requests: 3, trades: 2, cpuSeconds: 0.5 },
  })
  expect(load.after(1_000)).toEqual([second as never])
  expect(load.after(11_000)).toEqual([])
})

test('the load of a node is an hour of samples and no more', () => {
  const { load } = counted()
  for (let look = 1; look <= LOADS_MAX + 5; look++) load.look(look)
  expect(load.after(0).map(({ atMs }) => atMs)).toEqual(Array.from({ length: LOADS_MAX }, (_, i) => i + 6))
})
