/**
 * How many operations per second does the order book execute, compared with the npm package
 * `nodejs-order-book` on the same operations in the same run? Ours also finds its orders by number, stores
 * their owners and publishes every trade. The results of both are compared trade by trade, and with the plain
 * book.
 */

import { median } from '../test/support/median.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { type Book, digestOf, idsOf, play, Tally } from './support/book-play.ts'
import { band, deep, mix } from './support/book-workloads.ts'
import { cpuNanoseconds, machine, short, table } from './support/conditions.ts'
import type { OrderStream } from './support/order-stream.ts'
import { PeerBook } from './support/peer-book.ts'
import { PlayedBook } from './support/played-book.ts'

type Size = {
  readonly operations: number
  readonly resting: number
  readonly rounds: number
  readonly peerRounds: number
}

export const PROGRAM = {
  command: 'npm run bench -- book',
  about: 'What the order book costs beside the plain one and a book from npm, on the same operations.',
  options: {
    operations: { kind: 'whole', default: 200_000, help: 'operations of each load' },
    resting: { kind: 'whole', default: 100_000, help: 'orders of the deep book' },
    rounds: { kind: 'whole', default: 15, help: 'rounds of ours, after one to warm up' },
    'peer-rounds': { kind: 'whole', default: 1, help: 'rounds of the npm book, warmed up by the comparison' },
  },
} as const satisfies Program

/** Returns the results, load by load. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const size = {
    operations: values.operations,
    resting: values.resting,
    rounds: values.rounds,
    peerRounds: values['peer-rounds'],
  }
  console.log(machine())
  console.log(
    `${size.operations} operations a load, ${size.resting} orders in the deep book; rates are per second of CPU time`,
  )
  console.log(
    `medians of ${size.rounds} rounds, of ${size.peerRounds} of the npm book; pauses by the wall clock`,
  )
  const loads = Object.entries({ band, mix, deep }).map(([name, load]) => {
    return { name, load, stream: load(size.operations, size.resting) }
  })
  // Ours first, as it runs in the exchange: the matching code has not run with another book yet, and is
  // compiled only for this one.
  const ours = loads.map(({ stream }) => measure(newPlayedBook, stream, size.rounds))
  const growthRows = growth(size)
  const rows = [['load', 'ours/s', 'npm/s', 'ratio', 'p50', 'p99.9', 'worst', 'npm p99.9', 'npm worst']]
  const digests: string[] = []
  for (const [i, { name, load, stream }] of loads.entries()) {
    digests.push(`${name}: ${digestOf(stream, false)}`)
    digests.push(`${name}, in small: ${digestOf(load(4_000, 1_000), true)}`)
    const ids = idsOf(stream)
    rows.push([
      name,
      ...compared(
        ours[i]!,
        measure(() => new PeerBook(ids), stream, size.peerRounds),
      ),
    ])
  }
  console.log(table(rows))
  console.log(table(growthRows))
  for (const digest of digests) console.log(digest)
  return digests
}

type Measured = {
  /** Nanoseconds per operation. */
  readonly mean: number
  readonly each: Float64Array
}

function newPlayedBook(): PlayedBook {
  return new PlayedBook(new Tally())
}

function measure(create: () => Book, stream: OrderStream, count: number): Measured {
  return { mean: rounds(create, stream, count), each: timesOf(create(), stream) }
}

function compared(our: Measured, their: Measured): string[] {
  return [
    short(1e9 / our.mean),
    short(1e9 / their.mean),
    `${(their.mean / our.mean).toFixed(0)}x`,
    ...[0.5, 0.999, 1].map((share) => microseconds(our.each, share)),
    ...[0.999, 1].map((share) => microseconds(their.each, share)),
  ]
}

/** Median of the nanoseconds per operation. */
function rounds(create: () => Book, stream: OrderStream, count: number): number {
  const times: number[] = []
  for (let round = count > 1 ? 0 : 1; round <= count; round++) {
    const book = create()
    Bun.gc(true)
    const number = play(book, stream, 0, stream.filling, 0)
    const startedAt = cpuNanoseconds()
    play(book, stream, stream.filling, stream.length, number)
    if (round > 0) times.push((cpuNanoseconds() - startedAt) / (stream.length - stream.filling))
  }
  return median(times)
}

/** Nanoseconds of each measured operation, sorted; they include reading the clock. */
function timesOf(book: Book, stream: OrderStream): Float64Array {
  let number = play(book, stream, 0, stream.filling, 0)
  const times = new Float64Array(stream.length - stream.filling)
  for (let i = stream.filling; i < stream.length; i++) {
    const startedAt = Bun.nanoseconds()
    number = play(book, stream, i, i + 1, number)
    times[i - stream.filling] = Bun.nanoseconds() - startedAt
  }
  return times.sort()
}

/** One operation in a deep book, with a hundredth of `resting` orders up to ten times as many. */
function growth({ operations, resting, rounds: count }: Size): string[][] {
  const sizes = [resting / 100, resting / 10, resting, resting * 10].map(Math.ceil)
  const times = sizes.map((each) => rounds(newPlayedBook, deep(operations, each), Math.min(5, count)))
  return [
    ['orders in the deep book', ...sizes.map(String)],
    ['ns an operation', ...times.map((time) => time.toFixed(0))],
  ]
}

function microseconds(sorted: Float64Array, share: number): string {
  const time = (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1000
  return `${time.toFixed(time < 10 ? 2 : 0)} us`
}
