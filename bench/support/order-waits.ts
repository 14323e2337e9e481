/**
 * Turns the records of client, gateway and engine into waiting times: each order's latency as a sum of
 * stages.
 */
import { table } from './conditions.ts'
import type { TraceFiles } from './order-trace.ts'

/** The stages, in order; each ends where the next begins. */
const STAGES = [
  'the client is late',
  'to the gateway, and for its thread',
  'read and checked',
  'to the engine, and for the batch before',
  'written and synced',
  'applied, and for the gateway again',
  'to the client, and for its thread',
] as const

/** Share of the orders with the highest latencies. */
const SLOW_SHARE = 0.01

/** Largest difference between the clocks of two processes, in milliseconds. */
const CLOCKS_DIFFER_MS = 0.1

/** For one order: the start of each stage, and the end of the last one. */
type Way = readonly number[]

/** The times of `orders` orders that were passed to the engine after the first `before`. */
export function waysOf(files: TraceFiles, before: number, orders: number): Way[] {
  const [client, gateway, engine] = [files.open('client'), files.open('gateway'), files.open('engine')]
  return Array.from({ length: orders }, (_, i) => {
    const row = before + i
    const order = gateway.get(row, 0)
    return [
      client.get(order, 0),
      client.get(order, 1),
      gateway.get(row, 1),
      gateway.get(row, 2),
      engine.get(row, 0),
      engine.get(row, 1),
      gateway.get(row, 3),
      client.get(order, 2),
    ]
  })
}

/** Throws if a record of an order is missing, or has an earlier time than the one before it. */
export function waitsTable(ways: readonly Way[]): string {
  for (const [n, way] of ways.entries()) {
    for (let i = 1; i < way.length; i++) {
      const ms = (way[i] as number) - (way[i - 1] as number)
      if (!(ms >= -CLOCKS_DIFFER_MS))
        throw new Error(`order ${n} of the trace: ${STAGES[i - 1]} took ${ms} ms, expected 0 or more`)
    }
  }
  const pieces = STAGES.map((_, i) => sorted(ways.map((way) => (way[i + 1] as number) - (way[i] as number))))
  const totals = ways.map(totalOf)
  const total = sorted(totals)
  const limit = at(total, 1 - SLOW_SHARE)
  const slow = ways.filter((_, i) => (totals[i] as number) >= limit)
  const meanOfSlow = (i: number): number =>
    slow.reduce((sum, way) => sum + (way[i + 1] as number) - (way[i] as number), 0) / slow.length
  const rows = pieces.map((piece, i) => [STAGES[i] as string, ...cells(piece), meanOfSlow(i).toFixed(2)])
  const slowTotal = slow.reduce((sum, way) => sum + totalOf(way), 0) / slow.length
  const head = ['what an order waits for', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms', 'mean of the slowest 1 %']
  return table([head, ...rows, ['all of it', ...cells(total), slowTotal.toFixed(2)]])
}

function totalOf(way: Way): number {
  return (way.at(-1) as number) - (way[0] as number)
}

function sorted(figures: readonly number[]): Float64Array {
  return Float64Array.from(figures).sort()
}

function cells(figures: Float64Array): string[] {
  return [at(figures, 0.5), at(figures, 0.9), at(figures, 0.99), at(figures, 1)].map((ms) => ms.toFixed(2))
}

function at(figures: Float64Array, share: number): number {
  return figures[Math.min(figures.length - 1, Math.floor(figures.length * share))] ?? 0
}
