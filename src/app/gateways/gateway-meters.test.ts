import { expect, test } from 'bun:test'
import { Histogram } from '../../engine/writer/histogram.ts'
import { LAG_BOUNDS } from '../../engine/writer/meters.ts'
import { SECONDS_BOUNDS } from '../../server/monitoring/traffic.ts'
import type { GatewayMeters } from './count-messages.ts'
import { GatewaysMeter } from './gateway-meters.ts'

function histogram(bounds: readonly number[], ...values: readonly number[]) {
  const made = new Histogram(bounds)
  for (const value of values) made.add(value)
  return made.state
}

function meters(
  requests: number,
  took: readonly number[],
  changes: Partial<GatewayMeters> = {},
): GatewayMeters {
  return {
    requests,
    underWay: 2,
    refusals: [['RATE_LIMITED', 1]],
    secondsByEndpoint: [['POST /api/v3/order', histogram(SECONDS_BOUNDS, ...took)]],
    stream: {
      ...{ connections: 3, rooms: 1, fallenBehind: 4, closedBehind: 5, pendingBytes: 6 },
      cutsByCause: { FRAMES: 7 },
    },
    cpuSeconds: 8,
    residentBytes: 9,
    loopLag: histogram(LAG_BOUNDS, 0.002),
    ...changes,
  }
}

function shown(meter: GatewaysMeter) {
  const seconds = [...meter.seconds()].map(([endpoint, { sum, state }]) => [
    endpoint,
    sum,
    state.counts.slice(0, 3),
  ])
  const { requests, underWay, connections, rooms, fallenBehind, closedBehind, cutsByCause } = meter
  const grown = { requests, fallenBehind, closedBehind, frames: cutsByCause.FRAMES }
  const refused = meter.refusals.get('RATE_LIMITED')
  return { ...grown, underWay, connections, rooms, pending: meter.pendingBytes(), refused, seconds }
}

test('the counts of gateways are added up, histograms by their buckets', () => {
  const meter = new GatewaysMeter()
  meter.take('gateway-1', meters(10, [0.0005, 0.001]))
  meter.take('gateway-2', meters(5, [0.001, 0.002]))
  expect(shown(meter)).toEqual({
    ...{ requests: 15, fallenBehind: 8, closedBehind: 10, frames: 14, underWay: 4, connections: 6, rooms: 2 },
    ...{ pending: 12, refused: 2, seconds: [['POST /api/v3/order', expect.closeTo(0.0045), [1, 2, 1]]] },
  })
  expect([...meter.cpuSeconds]).toEqual([
    ['gateway-1', 8],
    ['gateway-2', 8],
  ])
  expect([...meter.loopLag].map(([name, { sum }]) => [name, sum])).toEqual([
    ['gateway-1', 0.002],
    ['gateway-2', 0.002],
  ])
})

test('counters continue when a gateway ends and another of its name begins; other metrics end with it', () => {
  const meter = new GatewaysMeter()
  meter.serves('gateway-1')
  meter.take('gateway-1', meters(10, [0.001]))
  meter.gone('gateway-1')
  const gone = shown(meter)
  expect(gone).toMatchObject({ requests: 10, fallenBehind: 4, refused: 1, underWay: 0, connections: 0 })
  expect([meter.serving, [...meter.residentBytes]]).toEqual([0, []])
  meter.take('gateway-1', meters(2, [0.001]))
  expect(shown(meter)).toMatchObject({
    requests: 12,
    fallenBehind: 8,
    refused: 2,
    underWay: 2,
    connections: 3,
  })
  expect([...meter.seconds()].map(([, { sum }]) => sum)).toEqual([0.002])
  // A repeated report is counted once.
  meter.take('gateway-1', meters(2, [0.001]))
  expect(shown(meter).requests).toBe(12)
})
