/**
 * Simulated time and the order of all events. One event runs at a time; everything that it resolves completes
 * before the next one starts. Events at the same time run in an order drawn from the seed.
 */
import { drainMicrotasks } from 'bun:jsc'
import type { Random } from './random.ts'

/** Something that can end, such as a process or a connection: its planned events then no longer happen. */
export type Lifetime = { isOver: boolean }

export const FOREVER: Lifetime = { isOver: false }

type Planned = {
  readonly at: number
  readonly order: number
  readonly number: number
  readonly life: Lifetime
  readonly task: () => void
}

/** The functions of the schedule that a part of the world needs. */
export type Timetable = Pick<Schedule, 'now' | 'after'>

export class Schedule {
  readonly #random: Random
  readonly #heap: Planned[] = []
  #now = 0
  #steps = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** Milliseconds since the start of the run; monotonic. */
  get now(): number {
    return this.#now
  }

  /** Number of events that have run. */
  get steps(): number {
    return this.#steps
  }

  /**
   * A timetable for a part on which no other part depends: its events do not change the order of the others'
   * events.
   */
  beside(random: Random): Timetable {
    const schedule = this
    return {
      get now(): number {
        return schedule.now
      },
      after: (delayMs, life, task) => schedule.#plan(delayMs, life, task, random),
    }
  }

  /** Plans `task`, to run only if `life` has not ended; the returned function cancels it. */
  after(delayMs: number, life: Lifetime, task: () => void): () => void {
    return this.#plan(delayMs, life, task, this.#random)
  }

  /** Resolves after `delayMs`; never if `life` ends before then. */
  sleep(delayMs: number, life: Lifetime): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, life, resolve))
  }

  /** Runs the next event and all its immediate consequences; false if nothing is planned. */
  step(): boolean {
    const next = this.#pop()
    if (next === undefined) return false
    this.#now = next.at
    this.#steps++
    if (!next.life.isOver) {
      next.task()
      drainMicrotasks()
    }
    return true
  }

  #plan(delayMs: number, life: Lifetime, task: () => void, random: Random): () => void {
    let isCanceled = false
    const run = (): void => {
      if (!isCanceled) task()
    }
    const order = random.bits()
    this.#push({ at: this.#now + delayMs, order, number: this.#steps, life, task: run })
    return () => {
      isCanceled = true
    }
  }

  #push(planned: Planned): void {
    const heap = this.#heap
    heap.push(planned)
    let at = heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(planned, heap[parent] as Planned)) break
      heap[at] = heap[parent] as Planned
      at = parent
    }
    heap[at] = planned
  }

  #pop(): Planned | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, heap[child] as Planned)) child++
      if (!isBefore(heap[child] as Planned, last)) break
      heap[at] = heap[child] as Planned
      at = child
    }
    heap[at] = last
    return first
  }
}

function isBefore(a: Planned, b: Planned): boolean {
  if (a.at !== b.at) return a.at < b.at
  return a.order !== b.order ? a.order < b.order : a.number < b.number
}
