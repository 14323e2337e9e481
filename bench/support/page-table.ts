/** The measurements of a page, as the rows of two tables. */
import { table } from './conditions.ts'
import type { BookCount } from './page-load.ts'
import type { MainThread } from './page-trace.ts'

export type Measured = {
  readonly name: string
  readonly thread: MainThread
  /** Changes of the book during the traced time. */
  readonly changes: BookCount
  readonly tracedSeconds: number
  /** The page's delays, in milliseconds. */
  readonly delays: readonly number[]
  readonly heapBytes: readonly [before: number, after: number]
}

/** A longer task is noticeable. */
export const LONG_TASK_MS = 50
export const FRAME_MS = 1_000 / 60
/** A frame that comes later than this follows a skipped one. */
const ON_TIME_MS = FRAME_MS * 1.5
const MIB = 2 ** 20

export function longestTask(thread: MainThread, clock: 'wall' | 'cpu'): number {
  return Math.max(0, ...thread.tasks.map((spent) => spent[clock]))
}

/** The share of frames whose work takes no longer than a frame at 60 per second. */
export function shareInTime(thread: MainThread, clock: 'wall' | 'cpu'): number {
  return shareOf(thread.frames, ({ work }) => work[clock] < FRAME_MS)
}

export function frameTable(all: readonly Measured[]): string {
  const head = [
    ...['page', 'longest task ms', 'on CPU', 'above 50 ms', 'frames', 'work p50 ms', 'p99'],
    ...['under 16.7 ms', 'on CPU p50', 'p99', 'under 16.7 ms', 'interval p50 ms', 'p99', 'none left out'],
  ]
  const rows = all.map(({ name, thread }) => {
    const { frames, tasks } = thread
    const wall = quantiles(frames.map(({ work }) => work.wall))
    const cpu = quantiles(frames.map(({ work }) => work.cpu))
    const interval = quantiles(frames.map((frame) => frame.interval))
    const long = tasks.filter((task) => task.wall > LONG_TASK_MS).length
    const onTime = shareOf(frames, (frame) => frame.interval < ON_TIME_MS)
    return [
      ...[name, ms(longestTask(thread, 'wall')), ms(longestTask(thread, 'cpu')), String(long)],
      ...[String(frames.length), ms(wall(0.5)), ms(wall(0.99)), percent(shareInTime(thread, 'wall'))],
      ...[
        ms(cpu(0.5)),
        ms(cpu(0.99)),
        percent(shareInTime(thread, 'cpu')),
        ms(interval(0.5)),
        ms(interval(0.99)),
      ],
      percent(onTime),
    ]
  })
  return table([head, ...rows])
}

export function costTable(all: readonly Measured[]): string {
  const head = [
    ...['page', 'messages/s', 'changes/s', 'CPU us a change', 'script', 'style', 'layout', 'paint'],
    ...['collector', 'rest', 'behind p50 ms', 'p99', 'heap MiB before', 'after'],
  ]
  const rows = all.map(({ name, thread, changes, tracedSeconds, delays, heapBytes }) => {
    const perSecond = (count: number) => (count / tracedSeconds).toFixed(0)
    const each = (cpuMs: number) =>
      ((cpuMs * 1_000) / thread.seconds / (changes.levels / tracedSeconds)).toFixed(1)
    const { script, style, layout, paint, collector, rest } = thread.cpuBy
    const kinds = [script, style, layout, paint, collector, rest]
    const behind = quantiles(delays)
    return [
      ...[name, perSecond(changes.messages), perSecond(changes.levels)],
      ...[each(kinds.reduce((sum, one) => sum + one, 0)), ...kinds.map(each)],
      ...[ms(behind(0.5)), ms(behind(0.99)), ...heapBytes.map((bytes) => (bytes / MIB).toFixed(1))],
    ]
  })
  return table([head, ...rows])
}

function quantiles(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort()
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function shareOf<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.filter(holds).length / all.length
}

function ms(figure: number): string {
  return figure.toFixed(1)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}
