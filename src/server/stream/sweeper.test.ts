import { describe, expect, test } from 'bun:test'
import { Sweeper, type SweptConnection } from './sweeper.ts'

const CONFIG = { sendBuffersBytesMax: 1_000, sweepMs: 60_000, idleTimeoutSeconds: 8 }

/** A sweeper whose time does not advance until the test moves it. */
function sweeperAt() {
  const time = { now: 0, wasRefused: false }
  const closed: number[] = []
  const sweeper = new Sweeper({
    config: CONFIG,
    now: () => time.now,
    onClosed: (count) => void closed.push(count),
    takeRefused: () => time.wasRefused,
    onFault: (cause) => {
      throw cause
    },
  })
  return { time, closed, sweeper }
}

function connection(sweeper: Sweeper, pending: number, isStuck = false) {
  const state = { aborted: false, drained: 0, released: false }
  const one: SweptConnection = {
    pendingBytes: () => pending,
    unsentBytes: () => (state.aborted ? 0 : pending),
    drained: () => void state.drained++,
    isStuck: () => isStuck,
    abort: () => {
      state.aborted = true
      sweeper.remove(one, () => {
        state.released = true
      })
    },
  }
  sweeper.add(one)
  return Object.assign(state, { one })
}

describe('sweeper', () => {
  test('beyond the limit for all, the connections with most pending are closed, and no more than needed', () => {
    const { sweeper, closed } = sweeperAt()
    const small = connection(sweeper, 300)
    const largest = connection(sweeper, 900)
    const middle = connection(sweeper, 500)
    sweeper.sweep()
    expect([small.aborted, middle.aborted, largest.aborted]).toEqual([false, false, true])
    expect(closed).toEqual([1])
    sweeper.stop()
  })

  test('a connection that stays stuck is closed, one that is not gets what is due', () => {
    const { sweeper, closed } = sweeperAt()
    const stuck = connection(sweeper, 10, true)
    const fine = connection(sweeper, 10)
    sweeper.sweep()
    expect(stuck.aborted).toBe(true)
    expect(fine.aborted).toBe(false)
    expect(fine.drained).toBe(1)
    expect(closed).toEqual([1])
    sweeper.stop()
  })

  test('a client that closes without reading counts until the runtime has dropped it', () => {
    const { sweeper, time } = sweeperAt()
    const gone = connection(sweeper, 800)
    const other = connection(sweeper, 300)
    let released = false
    sweeper.remove(gone.one, () => {
      released = true
    })
    expect(released).toBe(false)
    expect(sweeper.pendingBytes()).toBe(1_100)
    sweeper.sweep()
    expect(other.aborted).toBe(true)
    time.now = 8_000
    sweeper.sweep()
    expect(released).toBe(true)
    expect(sweeper.pendingBytes()).toBe(0)
  })

  test('a client that has read everything is released at once', () => {
    const { sweeper } = sweeperAt()
    const one = connection(sweeper, 0)
    one.one.abort()
    expect(one.released).toBe(true)
  })
})
