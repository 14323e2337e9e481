import { expect, test } from 'bun:test'
import { mainThreadOf, type TraceEvent } from './page-trace.ts'

const MAIN = { pid: 7, tid: 7 }

/** Times in milliseconds; the CPU time is half of them. */
function took(name: string, at: number, dur: number, thread = MAIN): TraceEvent {
  return { name, ph: 'X', ...thread, ts: at * 1_000, dur: dur * 1_000, tdur: dur * 500 }
}

const FRAMES = { frames: [{ processId: 7, isOutermostMainFrame: true }] }

const TRACE: readonly TraceEvent[] = [
  { name: 'TracingStartedInBrowser', ph: 'I', pid: 1, tid: 1, ts: 0, args: { data: FRAMES } },
  { name: 'thread_name', ph: 'M', ...MAIN, ts: 0, args: { name: 'CrRendererMain' } },
  took('RunTask', 5, 100),
  took('RunTask', 110, 10),
  took('FireAnimationFrame', 111, 2),
  took('FireAnimationFrame', 114, 1),
  took('Layout', 116, 4),
  took('RunTask', 122, 4),
  took('FunctionCall', 122, 4),
  took('Layout', 123, 2),
  took('RunTask', 123, 500, { pid: 9, tid: 9 }),
  took('RunTask', 126, 1),
  took('RunTask', 130, 6),
  took('FireAnimationFrame', 131, 1),
  took('RunTask', 150, 3),
  took('FireAnimationFrame', 150, 1),
  took('RunTask', 160, 70),
]

test('a frame of a trace has the work of all tasks of the page’s main thread from its callbacks to the next ones', () => {
  const { seconds, tasks, frames } = mainThreadOf(TRACE)
  expect(seconds).toBe(0.04)
  expect(frames).toEqual([
    { work: { wall: 15, cpu: 7.5 }, interval: 20 },
    { work: { wall: 6, cpu: 3 }, interval: 20 },
  ])
  expect(tasks.map(({ wall }) => wall)).toEqual([10, 4, 1, 6])
})

test('CPU time in a trace counts for the innermost activity', () => {
  const { cpuBy } = mainThreadOf(TRACE)
  expect(cpuBy).toEqual({ script: 3, style: 0, layout: 3, paint: 0, collector: 0, rest: 4.5 })
})
