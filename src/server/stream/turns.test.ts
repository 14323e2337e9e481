import { describe, expect, test } from 'bun:test'
import { Turns, type Work } from './turns.ts'

/** Turns whose time passes when a step is done; `next` ends the pause. */
function turnsByHand(stepMs: number, sliceMs: number) {
  const state = { now: 0, steps: [] as string[] }
  const later: { readonly task: () => void; readonly delayMs: number }[] = []
  const soon: (() => void)[] = []
  const turns = new Turns({
    now: () => state.now,
    later: (task, delayMs) => {
      const entry = { task, delayMs }
      later.push(entry)
      return () => void later.splice(later.indexOf(entry), 1)
    },
    soon: (task) => {
      soon.push(task)
      return () => void soon.splice(soon.indexOf(task), 1)
    },
    pauseMs: (tookMs) => tookMs,
    sliceMs,
    turnBytes: Number.POSITIVE_INFINITY,
  })
  const work = (name: string, steps: number): Work => {
    let left = steps
    return {
      work: (isOver) => {
        do {
          state.steps.push(name)
          state.now += stepMs
          left--
        } while (left > 0 && !isOver())
        return left > 0
      },
    }
  }
  const next = () => {
    const entry = later.shift()
    state.now += entry?.delayMs ?? 0
    entry?.task()
    return entry?.delayMs
  }
  return { state, later, soon, turns, work, next }
}

describe('turns', () => {
  test('a turn ends when its time is over, and the pause after it is as long', () => {
    const { state, turns, work, next } = turnsByHand(2, 10)
    turns.add(work('a', 12))
    expect(state.steps).toHaveLength(5)
    expect(next()).toBe(10)
    expect(state.steps).toHaveLength(10)
    expect(next()).toBe(10)
    expect(state.steps).toHaveLength(12)
    expect(turns.isIdle).toBe(true)
  })

  test('all waiting tasks get their turn before one of them gets its second', () => {
    const { state, turns, work, next } = turnsByHand(10, 10)
    turns.add(work('x', 1))
    for (const name of ['a', 'b', 'c']) turns.add(work(name, 2))
    while (!turns.isIdle) next()
    expect(state.steps.join('')).toBe('xabcabc')
  })

  test('a task that arrives in the pause after a turn waits for its end, and a later one does not', () => {
    const { state, turns, work, next } = turnsByHand(10, 10)
    turns.add(work('a', 1))
    turns.add(work('b', 1))
    expect(state.steps).toEqual(['a'])
    next()
    expect(state.steps).toEqual(['a', 'b'])
    state.now += 10
    turns.add(work('c', 1))
    expect(state.steps).toEqual(['a', 'b', 'c'])
  })

  test('the effects of a batch get their turn after the answers to the batch, with everything that arrived meanwhile', () => {
    const { state, soon, turns, work } = turnsByHand(1, 10)
    turns.addSoon(work('a', 1))
    turns.addSoon(work('b', 1))
    turns.add(work('c', 1))
    expect(state.steps).toEqual([])
    expect(soon).toHaveLength(1)
    soon.shift()?.()
    expect(state.steps).toEqual(['a', 'b', 'c'])
  })

  test('the effects of a batch in the pause after a turn wait for the end of the pause alone', () => {
    const { state, soon, turns, work, next } = turnsByHand(10, 10)
    turns.add(work('a', 1))
    turns.addSoon(work('b', 1))
    expect(soon).toEqual([])
    next()
    expect(state.steps).toEqual(['a', 'b'])
  })

  test('after the end a postponed turn does not come', async () => {
    const { state, soon, turns, work, later } = turnsByHand(10, 10)
    turns.addSoon(work('a', 1))
    const finished = turns.finish(50)
    later.shift()?.task()
    await finished
    expect(soon).toEqual([])
    expect(state.steps).toEqual([])
  })

  test('a removed task gets no turn', () => {
    const { state, turns, work, next } = turnsByHand(10, 10)
    const removed = work('b', 5)
    turns.add(work('a', 1))
    turns.add(removed)
    turns.remove(removed)
    next()
    expect(state.steps).toEqual(['a'])
  })

  test('finishing waits until everything is done, and then there are no more turns', async () => {
    const { state, turns, work, later } = turnsByHand(10, 10)
    turns.add(work('a', 3))
    const finished = turns.finish(1_000)
    later.shift()?.task()
    later.pop()?.task()
    await finished
    expect(state.steps).toEqual(['a', 'a', 'a'])
    turns.add(work('b', 1))
    expect(state.steps).toEqual(['a', 'a', 'a'])
  })

  test('finishing gives up when its time is over, and nothing continues after it', async () => {
    const { state, turns, work, later } = turnsByHand(10, 10)
    turns.add(work('a', 1_000))
    const finished = turns.finish(50)
    later.find(({ delayMs }) => delayMs === 50)?.task()
    await finished
    const { length } = state.steps
    for (const { task } of later.splice(0)) task()
    expect(state.steps).toHaveLength(length)
    expect(turns.isIdle).toBe(true)
  })
})
