import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId } from '../../units/ids.ts'
import { DEFAULT_ENGINE_LIMITS } from '../port/limits.ts'
import type { EngineRequest } from '../port/requests.ts'
import { account } from './commands.fixture.ts'
import { commandRequest } from './engine-stage.fixture.ts'
import { Inbox } from './inbox.ts'

const requestOf = (request: number): EngineRequest => ({
  kind: 'query',
  request,
  query: { name: 'balances', fields: { accountId: 1 as AccountId } },
})
const numbersOf = (requests: readonly EngineRequest[]) => requests.map(({ request }) => request)

test('whatever comes and goes, requests leave the inbox in the order in which they came', () => {
  const steps = fc.array(fc.record({ offered: fc.nat(300), taken: fc.nat(3) }), { maxLength: 30 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 200 }), (moves, batchRequestsMax) => {
      const inbox = new Inbox({ ...DEFAULT_ENGINE_LIMITS, batchRequestsMax, inboxRequestsMax: 1_000 })
      const waiting: number[] = []
      let last = 0
      for (const { offered, taken } of moves) {
        for (let left = offered; left > 0; left--) {
          const isIn = inbox.offer(requestOf(++last))
          expect(isIn).toBe(waiting.length < 1_000)
          if (isIn) waiting.push(last)
        }
        for (let left = taken; left > 0; left--) {
          expect(numbersOf(inbox.take())).toEqual(waiting.splice(0, batchRequestsMax))
        }
        expect(inbox.isEmpty).toBe(waiting.length === 0)
      }
      expect(numbersOf(inbox.drain())).toEqual(waiting)
      expect(inbox.isEmpty).toBe(true)
    }),
  )
})

test('taking a batch reads no more of the inbox than the batch and its limits', () => {
  const inbox = new Inbox({ ...DEFAULT_ENGINE_LIMITS, batchRequestsMax: 4 })
  let looks = 0
  const watched = (request: number): EngineRequest =>
    new Proxy(requestOf(request), {
      get: (target, name) => {
        looks++
        return Reflect.get(target, name)
      },
    })
  for (let request = 1; request <= 5_000; request++) inbox.offer(watched(request))
  looks = 0
  expect(inbox.take().length).toBe(4)
  expect(looks).toBeLessThan(20)
})

test('a batch has a bounded number of pages of open orders, and they keep their place among the others', () => {
  const inbox = new Inbox(DEFAULT_ENGINE_LIMITS)
  const fields = { accountId: 1 as AccountId, symbolId: undefined, after: undefined }
  const query = { name: 'openOrders', fields } as const
  for (let request = 1; request <= 40; request++) {
    inbox.offer(request % 2 === 0 ? { kind: 'query', request, query } : commandRequest(request, account('a')))
  }
  const batches: number[][] = []
  while (!inbox.isEmpty) batches.push(numbersOf(inbox.take()))
  expect(batches.map(({ length }) => length)).toEqual([33, 7])
  expect(batches.flat()).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
})

/** A command of this size. */
function sized(bytes: number, request = 1): EngineRequest {
  return {
    kind: 'command',
    request,
    command: account('any'),
    frame: new Uint8Array(bytes),
    deadline: undefined,
  }
}

test('removed requests take no space: an inbox full by bytes has room for as many again', () => {
  const inbox = new Inbox({ ...DEFAULT_ENGINE_LIMITS, inboxBytesMax: 10 })
  for (let round = 0; round < 3; round++) {
    expect([inbox.offer(sized(6)), inbox.offer(sized(4)), inbox.offer(sized(1))]).toEqual([true, true, false])
    expect(inbox.take()).toHaveLength(2)
  }
  expect(inbox.offer(sized(10))).toBe(true)
  expect(inbox.drain()).toHaveLength(1)
  expect(inbox.offer(sized(10))).toBe(true)
})

test('a batch is as many requests as fit its bytes and its number, oldest first, and at least one', () => {
  const inbox = new Inbox({ ...DEFAULT_ENGINE_LIMITS, batchBytesMax: 10, batchRequestsMax: 3 })
  for (const [request, bytes] of [6, 4, 7, 4, 25, 1, 1, 1, 1].entries()) inbox.offer(sized(bytes, request))
  const taken: number[][] = []
  while (!inbox.isEmpty) taken.push(numbersOf(inbox.take()))
  expect(taken).toEqual([[0, 1], [2], [3], [4], [5, 6, 7], [8]])
})

test('bootstraps of many gateways are spread over batches', () => {
  const inbox = new Inbox(DEFAULT_ENGINE_LIMITS)
  const bootstrap = (request: number): EngineRequest => ({
    kind: 'query',
    request,
    query: { name: 'bootstrap', fields: undefined },
  })
  inbox.offer(commandRequest(1, account('a')))
  for (const request of [2, 3, 4]) inbox.offer(bootstrap(request))
  expect([numbersOf(inbox.take()), numbersOf(inbox.take())]).toEqual([[1, 2, 3], [4]])
})
