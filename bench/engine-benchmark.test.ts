/**
 * Compares the adapter for the public matching-engine benchmark with an obviously correct implementation that
 * shares no code with it: reports, digest, and the book after every message.
 */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Side } from '../src/units/order-enums.ts'
import type { Price } from '../src/units/quantities.ts'
import { run } from './engine-benchmark.ts'
import { EngineAdapter } from './support/engine-adapter.ts'
import { engineFlow } from './support/engine-flow.ts'
import { digestOfReports, EngineReports } from './support/engine-reports.ts'
import { type EngineMessage, readWorkload, WorkloadError, workloadBytes } from './support/engine-workload.ts'

type PlainOrder = { id: number; side: number; price: number; quantity: number }

/** One list of orders in the order of their arrival; the best one is found by searching all of them. */
class PlainEngine {
  readonly lines: string[] = []
  resting: PlainOrder[] = []

  take(message: EngineMessage, n: number): void {
    if (message.kind === 0) {
      const { id, side, price, quantity, isIoc } = message
      this.lines.push(`0,${n},${side},${id},${price},${quantity}`)
      const left = this.#trade(message, n)
      if (left > 0 && isIoc) this.lines.push(`2,${n},${side},${id},${price}`)
      else if (left > 0) this.resting.push({ id, side, price, quantity: left })
      return
    }
    const order = this.resting.find(({ id }) => id === message.id)
    if (order === undefined) {
      this.lines.push(`${message.kind === 1 ? 4 : 5},${n},${message.id}`)
      return
    }
    this.resting = this.resting.filter((each) => each !== order)
    if (message.kind === 1) this.lines.push(`2,${n},${order.side},${order.id},${order.price}`)
    else {
      const { id, side, price, quantity } = message
      const left = this.#trade(message, n)
      if (left > 0) this.resting.push({ id, side, price, quantity: left })
      this.lines.push(`3,${n},${side},${id},${price},${quantity}`)
    }
  }

  bestPrice(side: number): number | undefined {
    return this.#byPriority(side)[0]?.price
  }

  depthAt(side: number, price: number): number {
    const there = this.resting.filter((each) => each.side === side && each.price === price)
    return there.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  #trade({ id, side, price, quantity }: PlainOrder, n: number): number {
    let left = quantity
    for (const maker of this.#byPriority(1 - side)) {
      if (left === 0 || (side === 0 ? maker.price > price : maker.price < price)) break
      const traded = Math.min(left, maker.quantity)
      this.lines.push(`1,${n},${maker.price},${traded},${maker.id},${id}`)
      left -= traded
      maker.quantity -= traded
    }
    this.resting = this.resting.filter((each) => each.quantity > 0)
    return left
  }

  /** Best price first; the sort keeps the order of arrival within a price. */
  #byPriority(side: number): PlainOrder[] {
    return this.resting
      .filter((each) => each.side === side)
      .sort((a, b) => (side === 0 ? b.price - a.price : a.price - b.price))
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Applies the messages to both engines and compares reports, best prices and the depth at the message's
 * price, message by message; returns the lines.
 */
function played(messages: readonly EngineMessage[]): string[] {
  const workload = readWorkload(workloadBytes(messages))
  const reports = new EngineReports(messages.length * 2 + 10)
  const adapter = new EngineAdapter(reports)
  const plain = new PlainEngine()
  const [books, plainBooks]: [string[], string[]] = [[], []]
  for (const [i, message] of messages.entries()) {
    adapter.play(workload, i, i + 1)
    plain.take(message, i)
    const price = workload.prices[i] ?? 0
    books.push(`${i}: ${reports.count} reports, ${bookOf(adapter, price)}`)
    plainBooks.push(`${i}: ${plain.lines.length} reports, ${plainBookOf(plain, price)}`)
  }
  expect(books).toEqual(plainBooks)
  expect(digestOfReports(reports)).toBe(sha256(plain.lines.join('\n')))
  return plain.lines
}

const SIDES: readonly Side[] = ['BUY', 'SELL']

function bookOf({ book }: EngineAdapter, price: number): unknown[] {
  return SIDES.map((side) => {
    const [best] = book.levels(side, 1)
    return [best?.price, price === 0 ? 0 : Number(book.levelQuantity(side, price as Price))]
  })
}

function plainBookOf(plain: PlainEngine, price: number): unknown[] {
  return SIDES.map((_, side) => [plain.bestPrice(side), plain.depthAt(side, price)])
}

test('a generated flow of orders is reported as the plain engine reports it, and its digest is fixed', async () => {
  const flow = engineFlow(500, 23)
  const digest = sha256(played(flow).join('\n'))
  expect(await run(['--messages', '500', '--rounds', '1'])).toEqual([`a flow of our own: ${digest}`])
  expect(digest).toBe('fe054fc85b15ff633f267e18f76bef43369c8de1056cd0ff4eb3bd4e5837d7a1')
})

test('flows of many seeds give the same reports and the same book as the plain engine', () => {
  for (let seed = 0; seed < 6; seed++) {
    const lines = played(engineFlow(400, seed))
    const types = new Set(lines.map((line) => line[0]))
    expect([...types].sort()).toEqual(['0', '1', '2', '3', '4', '5'])
  }
})

const buy = (id: number, quantity: number, price: number): EngineMessage => {
  return { kind: 0, id, side: 0, price, quantity, isIoc: false }
}
const sell = (id: number, quantity: number, price: number): EngineMessage => {
  return { kind: 0, id, side: 1, price, quantity, isIoc: false }
}
const ioc = (message: EngineMessage): EngineMessage => ({ ...message, isIoc: true }) as EngineMessage
const cancel = (id: number): EngineMessage => ({ kind: 1, id })
const modify = (message: EngineMessage): EngineMessage => ({ ...message, kind: 2 }) as EngineMessage

type Case = readonly [title: string, messages: readonly EngineMessage[], trades: readonly string[]]

/** The trades as `maker x quantity @ price`, and refused messages as `no <id>`. */
const CASES: readonly Case[] = [
  [
    'a canceled order between two others takes neither along',
    [buy(1, 10, 100), buy(2, 10, 100), buy(3, 10, 100), cancel(2), ioc(sell(4, 20, 100))],
    ['1x10@100', '3x10@100'],
  ],
  [
    'a canceled first order leaves those behind it in turn',
    [buy(1, 10, 100), buy(2, 10, 100), buy(3, 10, 100), cancel(1), ioc(sell(4, 20, 100))],
    ['2x10@100', '3x10@100'],
  ],
  [
    'a deep queue keeps its turn through scattered cancels',
    [
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => buy(id, 10, 100)),
      ...[2, 5, 7].map(cancel),
      ioc(sell(9, 50, 100)),
    ],
    ['1x10@100', '3x10@100', '4x10@100', '6x10@100', '8x10@100'],
  ],
  [
    'an IOC takes several levels, the best price first whatever came first',
    [sell(1, 10, 102), sell(2, 10, 101), sell(3, 10, 100), ioc(buy(4, 35, 102))],
    ['3x10@100', '2x10@101', '1x10@102'],
  ],
  [
    'what remains of a sweep is the best price and can be taken',
    [sell(1, 10, 100), sell(2, 10, 101), buy(3, 25, 101), ioc(sell(4, 5, 101))],
    ['1x10@100', '2x10@101', '3x5@101'],
  ],
  [
    'both sides trade at the price that rests',
    [sell(1, 10, 100), ioc(buy(2, 10, 105)), buy(3, 10, 200), ioc(sell(4, 10, 195))],
    ['1x10@100', '3x10@200'],
  ],
  [
    'a limit stops at its own price and its rest stays there',
    [sell(1, 5, 100), sell(2, 10, 105), buy(3, 12, 102), ioc(sell(4, 9, 102))],
    ['1x5@100', '3x7@102'],
  ],
  [
    'a modify that crosses trades at the price that rests, on both sides',
    [
      sell(1, 10, 100),
      buy(2, 10, 90),
      modify(buy(2, 10, 105)),
      buy(3, 10, 200),
      sell(4, 10, 210),
      modify(sell(4, 10, 195)),
    ],
    ['1x10@100', '3x10@200'],
  ],
  [
    'a modify of one order at a price leaves the other there',
    [buy(1, 10, 100), buy(2, 10, 100), modify(buy(1, 10, 99)), ioc(sell(3, 10, 100))],
    ['2x10@100'],
  ],
  [
    'what remains of a maker is taken to the last lot, and no further',
    [sell(1, 20, 100), ioc(buy(2, 8, 100)), ioc(buy(3, 12, 100)), ioc(buy(4, 5, 100))],
    ['1x8@100', '1x12@100'],
  ],
  [
    'a maker taken in part keeps its turn for the next taker',
    [buy(1, 10, 100), buy(2, 10, 100), buy(3, 10, 100), ioc(sell(4, 15, 100)), ioc(sell(5, 10, 100))],
    ['1x10@100', '2x5@100', '2x5@100', '3x5@100'],
  ],
  [
    'an IOC that found too little does not rest',
    [sell(1, 10, 100), ioc(buy(2, 15, 100)), ioc(sell(3, 5, 100))],
    ['1x10@100'],
  ],
  [
    'a taker that the first maker fills leaves the second alone',
    [sell(1, 5, 100), sell(2, 5, 100), ioc(buy(3, 5, 100)), cancel(2)],
    ['1x5@100'],
  ],
  [
    'what was filled is neither canceled nor modified',
    [sell(1, 10, 100), buy(2, 10, 100), cancel(1), modify(sell(1, 5, 101))],
    ['1x10@100', 'no 1', 'no 1'],
  ],
  [
    'what was canceled is neither canceled again nor modified',
    [buy(1, 10, 100), cancel(1), cancel(1), modify(buy(1, 5, 101))],
    ['no 1', 'no 1'],
  ],
  [
    'an id that was never given is refused',
    [cancel(2_000_000), modify(buy(999, 5, 100))],
    ['no 2000000', 'no 999'],
  ],
  [
    'an id is free again after a cancel and after a fill',
    [buy(1, 10, 100), cancel(1), sell(1, 10, 200), ioc(buy(2, 10, 200)), sell(1, 3, 50), ioc(buy(3, 3, 50))],
    ['1x10@200', '1x3@50'],
  ],
  [
    'a side that was emptied by cancels is filled again, and its old best price is gone',
    [
      buy(1, 10, 100),
      cancel(1),
      buy(2, 8, 95),
      ioc(sell(3, 8, 95)),
      sell(4, 9, 100),
      cancel(4),
      sell(5, 7, 101),
      ioc(buy(6, 7, 101)),
    ],
    ['2x8@95', '5x7@101'],
  ],
  [
    'a price above 32 bits is kept whole',
    [sell(1, 10, 5_000_000_000), ioc(buy(2, 10, 5_000_000_000))],
    ['1x10@5000000000'],
  ],
]

describe('edge cases of the benchmark', () => {
  for (const [title, messages, expected] of CASES) {
    test(title, () => {
      const lines = played(messages).map((line) => line.split(','))
      const told = lines.flatMap(([type, , first, second, third]) => {
        if (type === '1') return [`${third}x${second}@${first}`]
        return type === '4' || type === '5' ? [`no ${first}`] : []
      })
      expect(told).toEqual([...expected])
    })
  }

  test('one order takes 5,000 others at one price, the oldest first', () => {
    const makers = Array.from({ length: 5_000 }, (_, i) => sell(i + 1, 1, 100))
    const workload = readWorkload(workloadBytes([...makers, ioc(buy(5_001, 5_000, 100))]))
    const reports = new EngineReports(10_001)
    new EngineAdapter(reports).play(workload, 0, workload.length)
    const acks = [...makers, buy(5_001, 5_000, 100)].map((each, i) => {
      return each.kind === 0 ? `0,${i},${each.side},${each.id},${each.price},${each.quantity}` : ''
    })
    const trades = makers.map(({ id }) => `1,5000,100,1,${id},5001`)
    expect(digestOfReports(reports)).toBe(sha256([...acks, ...trades].join('\n')))
  })
})

describe('a file that is not a workload is refused with what was expected', () => {
  const whole = workloadBytes([buy(1, 10, 100), cancel(1)])
  const changed = (change: (view: DataView) => void): Uint8Array => {
    const bytes = whole.slice()
    change(new DataView(bytes.buffer))
    return bytes
  }
  const wrong: readonly (readonly [string, Uint8Array, string])[] = [
    ['another magic', changed((view) => view.setUint8(0, 0)), 'magic MEBW_001'],
    [
      'another version',
      changed((view) => view.setUint32(8, 2, true)),
      'expected version 1 of workloads, found 2',
    ],
    [
      'no message',
      changed((view) => view.setUint32(12, 0, true)),
      'expected 1 to 50000000 messages, found 0',
    ],
    ['a record too few', whole.subarray(0, 56), 'expected 96 bytes for 2 messages, found 56'],
    [
      'an unknown type',
      changed((view) => view.setUint8(56, 3)),
      'record 1: expected a type of 0 to 2, found 3',
    ],
    ['a price of 0', changed((view) => view.setBigInt64(40, 0n, true)), 'record 0: expected a price of 1 to'],
    [
      'a gap in the sequence',
      changed((view) => view.setBigUint64(64, 5n, true)),
      'record 1: expected a sequence number of 1 to 1, found 5',
    ],
  ]
  for (const [title, bytes, message] of wrong) {
    test(`a file with ${title} is refused`, () => {
      expect(() => readWorkload(bytes)).toThrow(WorkloadError)
      expect(() => readWorkload(bytes)).toThrow(message)
    })
  }
})
