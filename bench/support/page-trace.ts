/**
 * Evaluates a Chromium trace of a page's main thread (the format of chrome://tracing, times in microseconds).
 * A task is a piece of work that the thread does without interruption: until it ends, nothing is drawn and no
 * key press is processed. A frame is the time from one task that calls `requestAnimationFrame`'s callbacks to
 * the next such task; its work is that of all tasks that began in it.
 */

/** The fields that are read. `dur` is the duration by the clock, `tdur` the time on the CPU. */
export type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly data?: { readonly frames?: readonly TracedFrame[] }; readonly name?: string }
}

type TracedFrame = { readonly processId?: number; readonly isOutermostMainFrame?: boolean }

/** Milliseconds by the clock, and on the CPU: on a busy machine a task also waits for a core. */
export type Spent = { readonly wall: number; readonly cpu: number }

export type MainThread = {
  /** From the first frame to the last one. */
  readonly seconds: number
  readonly tasks: readonly Spent[]
  readonly frames: readonly {
    readonly work: Spent
    /** Time until the next frame. */
    readonly interval: number
  }[]
  /** Milliseconds of CPU time by kind of work. */
  readonly cpuBy: { readonly [K in Kind]: number }
}

type Kind = 'script' | 'style' | 'layout' | 'paint' | 'collector' | 'rest'

const TASK = 'RunTask'
const FRAME = 'FireAnimationFrame'
/** Events with other names belong to the event that contains them. */
const KIND_BY_NAME: Readonly<Record<string, Kind>> = {
  EvaluateScript: 'script',
  FunctionCall: 'script',
  FireAnimationFrame: 'script',
  TimerFire: 'script',
  EventDispatch: 'script',
  RunMicrotasks: 'script',
  WebSocketReceive: 'script',
  UpdateLayoutTree: 'style',
  RecalculateStyles: 'style',
  Layout: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
  MinorGC: 'collector',
  MajorGC: 'collector',
  'V8.GCScavenger': 'collector',
}

/** Categories that the trace must have. */
export const CATEGORIES = ['-*', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8']

export function mainThreadOf(events: readonly TraceEvent[]): MainThread {
  const own = completeOf(events, mainThreadId(events))
  const tasks = own.filter(({ name }) => name === TASK)
  const fires = own.filter(({ name }) => name === FRAME)
  const starts = frameStarts(tasks, fires)
  const [first = 0, last = 0] = [starts[0], starts.at(-1)]
  const within = <E extends { readonly ts: number }>(all: readonly E[]) =>
    all.filter(({ ts }) => ts >= first && ts < last)
  const counted = within(tasks)
  return {
    seconds: (last - first) / 1e6,
    tasks: counted.map(spentIn),
    frames: framesOf(counted, starts),
    cpuBy: cpuByKind(within(own)),
  }
}

type Complete = TraceEvent & { readonly dur: number; readonly tdur: number }

/** In the order of their start; an event that contains another comes before it. */
function completeOf(events: readonly TraceEvent[], { pid, tid }: { pid: number; tid: number }): Complete[] {
  return events
    .filter((event) => event.ph === 'X' && event.pid === pid && event.tid === tid)
    .map((event) => ({ ...event, dur: event.dur ?? 0, tdur: event.tdur ?? 0 }))
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur)
}

/** The main thread of the process with the page. */
function mainThreadId(events: readonly TraceEvent[]): { readonly pid: number; readonly tid: number } {
  const started = events.find(({ name }) => name === 'TracingStartedInBrowser')
  const frame = started?.args?.data?.frames?.find(({ isOutermostMainFrame }) => isOutermostMainFrame === true)
  const main = events.find(
    ({ name, pid, args }) =>
      name === 'thread_name' && pid === frame?.processId && args?.name === 'CrRendererMain',
  )
  if (main === undefined) throw new Error('the trace names no main thread of the page')
  return main
}

/** The start times of tasks with frame callbacks. */
function frameStarts(tasks: readonly Complete[], fires: readonly Complete[]): readonly number[] {
  const starts: number[] = []
  let next = 0
  for (const { ts, dur } of tasks) {
    while (next < fires.length && (fires[next] as Complete).ts < ts) next++
    if (next < fires.length && (fires[next] as Complete).ts < ts + dur) starts.push(ts)
  }
  return starts
}

function framesOf(tasks: readonly Complete[], starts: readonly number[]): MainThread['frames'] {
  let next = 0
  return starts.slice(0, -1).map((start, index) => {
    const end = starts[index + 1] as number
    const work = { wall: 0, cpu: 0 }
    for (; next < tasks.length && (tasks[next] as Complete).ts < end; next++) {
      const { wall, cpu } = spentIn(tasks[next] as Complete)
      work.wall += wall
      work.cpu += cpu
    }
    return { work, interval: (end - start) / 1_000 }
  })
}

/** Each part of a task counts for the innermost event that has a kind. */
function cpuByKind(events: readonly Complete[]): MainThread['cpuBy'] {
  const cpuBy = { script: 0, style: 0, layout: 0, paint: 0, collector: 0, rest: 0 }
  const open: { readonly end: number; readonly kind: Kind }[] = []
  for (const { name, ts, dur, tdur } of events) {
    while (open.length > 0 && (open.at(-1) as { readonly end: number }).end <= ts) open.pop()
    const kind = name === TASK ? 'rest' : KIND_BY_NAME[name]
    if (kind === undefined) continue
    const around = open.at(-1)?.kind
    if (around !== undefined) cpuBy[around] -= tdur / 1_000
    cpuBy[kind] += tdur / 1_000
    open.push({ end: ts + dur, kind })
  }
  return cpuBy
}

function spentIn({ dur, tdur }: Complete): Spent {
  return { wall: dur / 1_000, cpu: tdur / 1_000 }
}
