import { expect, test } from 'bun:test'
import { until } from '../../../../test/support/until.ts'
import { RefusedError } from '../../../client/errors.ts'
import type { Fill } from '../../../client/interface/orders.ts'
import { FILLS_MAX, type FillSource, OwnFills, type Period } from './own-fills.ts'

const fill = (id: number): Fill => ({
  ...{ id: `${id}`, orderId: 'o', side: 'BUY', quantity: '1', time: id, symbol: 'A/B', price: '1' },
  ...{ total: '1', commission: '0', commissionAsset: 'A', isMaker: true },
})

function history({ next }: { readonly next?: string } = {}) {
  const asked: Period[] = []
  let reported = 0
  const fills = new OwnFills({
    symbol: 'A/B',
    source: () => (period) => {
      asked.push({ from: period.from, to: period.to })
      const [from, to] = [period.from, period.to ?? 20]
      const found = Array.from({ length: to - from + 1 }, (_, index) => fill(to - index))
      return Promise.resolve({ fills: found, next })
    },
    onFills: () => reported++,
  })
  return { fills, asked, reported: (times: number) => until('the fills came', () => reported === times) }
}

const REFUSED = new RefusedError(
  { reason: 'INVALID_API_KEY', status: 401, code: '4001', messages: ['no'] },
  { outcome: 'NOT_DONE' },
)

function asking(answer: FillSource) {
  let count = 0
  const source: FillSource = (...question) => {
    count++
    return answer(...question)
  }
  return { source, count: () => count }
}

test('own fills of a time are requested once it is in view, and not again for a part of it', async () => {
  const { fills, asked, reported } = history()
  fills.want({ from: 10, to: 14 })
  fills.want({ from: 5, to: 9 })
  await reported(1)
  expect(fills.fills.map(({ time }) => time)).toEqual([9, 8, 7, 6, 5])
  fills.want({ from: 6, to: 8 })
  fills.want({ from: 4, to: 8 })
  await reported(2)
  expect(asked).toEqual([
    { from: 5, to: 9 },
    { from: 4, to: 8 },
  ])
  fills.close()
})

test('own fills up to now stay loaded while time passes, with new ones', async () => {
  const { fills, asked, reported } = history()
  fills.want({ from: 18 })
  await reported(1)
  fills.add([fill(22), fill(21), fill(20)])
  fills.want({ from: 19 })
  expect(fills.fills.map(({ time }) => time)).toEqual([22, 21, 20, 19, 18])
  fills.want({ from: 17 })
  await reported(2)
  expect(fills.fills.map(({ time }) => time)).toEqual([22, 21, 20, 19, 18, 17])
  expect(asked).toHaveLength(2)
  fills.close()
})

test('own fills say where there are more than are kept, and are forgotten with the key', async () => {
  const { fills, reported } = history({ next: 'more' })
  fills.want({ from: 1, to: 3 })
  await reported(1)
  expect(fills.isCut).toBe(true)
  fills.add(Array.from({ length: FILLS_MAX + 5 }, (_, index) => fill(1_000 - index)))
  expect(fills.fills).toHaveLength(FILLS_MAX)
  fills.forget()
  expect([fills.fills, fills.isCut]).toEqual([[], false])
  await reported(2)
  expect(fills.fills).toHaveLength(3)
  fills.close()
})

test('own fills are not requested again by a key without the permission, and by another key at once', async () => {
  const refuse = asking(() => Promise.reject(REFUSED))
  const give = asking(() => Promise.resolve({ fills: [fill(3)], next: undefined }))
  let [source, looked] = [refuse.source, 0]
  const fills = new OwnFills({
    symbol: 'A/B',
    source: () => {
      looked++
      return source
    },
    onFills: () => {},
  })
  for (const times of [1, 2]) {
    fills.forget()
    fills.want({ from: times })
    await until('it was about to ask', () => looked === times)
    await Promise.resolve()
  }
  expect(refuse.count()).toBe(1)
  source = give.source
  fills.forget()
  await until('the fills came', () => fills.fills.length === 1)
  fills.close()
})

test('own fills that could not be loaded are requested again by themselves, while nothing moves', async () => {
  let isDown = true
  const { source, count } = asking(() =>
    isDown ? Promise.reject(new Error('no network')) : Promise.resolve({ fills: [fill(3)], next: undefined }),
  )
  const fills = new OwnFills({ symbol: 'A/B', source: () => source, onFills: () => {}, failedMs: 5 })
  fills.want({ from: 1 })
  await until('it was asked for again', () => count() >= 3)
  isDown = false
  await until('the fills came', () => fills.fills.length === 1)
  fills.close()
})
