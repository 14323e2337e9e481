import { describe, expect, test } from 'bun:test'
import { SendMemory } from './send-memory.ts'

function memoryByHand() {
  const state = { now: 0, buffered: 0, counts: 0 }
  const memory = new SendMemory({
    bytesMax: 1_000,
    count: () => {
      state.counts++
      return state.buffered
    },
    now: () => state.now,
  })
  return { state, memory }
}

describe('memory of all send buffers', () => {
  test('what fits is admitted without a count, and what does not is refused', () => {
    const { state, memory } = memoryByHand()
    expect(memory.admits(1_000)).toBe(true)
    memory.added(900)
    state.buffered = 900
    expect([memory.admits(100), state.counts]).toEqual([true, 0])
    expect([memory.admits(101), state.counts]).toEqual([false, 1])
  })

  test('sent bytes are free again, and the buffers are not counted over and over', () => {
    const { state, memory } = memoryByHand()
    memory.added(1_000)
    state.buffered = 1_000
    expect(memory.admits(1)).toBe(false)
    state.buffered = 0
    expect([memory.admits(1), state.counts]).toEqual([false, 1])
    state.now = 5
    expect([memory.admits(1), state.counts]).toEqual([true, 2])
  })

  test('a refusal is remembered until it is read', () => {
    const { memory } = memoryByHand()
    expect(memory.takeRefused()).toBe(false)
    memory.admits(1_001)
    expect([memory.takeRefused(), memory.takeRefused()]).toEqual([true, false])
  })
})
