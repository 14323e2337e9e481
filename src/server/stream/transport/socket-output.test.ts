import { describe, expect, test } from 'bun:test'
import { Frame } from '../link.ts'
import { SocketOutput } from './socket-output.ts'

/** A socket that accepts nothing while `isFull`. */
function output() {
  const state = { isFull: false, buffered: 0, calls: [] as string[] }
  const socket = {
    readyState: WebSocket.OPEN,
    getBufferedAmount: () => state.buffered,
    send: (data: unknown) => {
      const length = String(data).length
      if (state.isFull) state.buffered += length
      return state.isFull ? -1 : length
    },
    cork: <R>(write: (one: never) => R) => {
      // The runtime counts the bytes of one write only at its end.
      const before = state.buffered
      write({ send: () => -1 } as never)
      state.buffered = before + 10
    },
    close: () => void state.calls.push('close'),
    terminate: () => void state.calls.push('terminate'),
  }
  return { state, output: new SocketOutput(socket as never) }
}

describe('the sending half of a WebSocket', () => {
  test('counts everything that is unsent, however it was sent', () => {
    const { state, output: one } = output()
    one.send('abc')
    expect(one.unsentBytes).toBe(0)
    state.isFull = true
    one.send('abc')
    expect(one.unsentBytes).toBe(3)
    one.sendTogether([new Frame('de')], '')
    expect(one.unsentBytes).toBe(5)
    one.sendTogether([new Frame('de'), new Frame('fg')], '')
    expect(one.unsentBytes).toBe(15)
    state.buffered = 0
    one.drained()
    expect(one.unsentBytes).toBe(0)
  })

  test('closes gracefully when nothing waits, and at once when something does', () => {
    const polite = output()
    polite.output.close(1001)
    expect(polite.state.calls).toEqual(['close'])
    const rude = output()
    rude.state.isFull = true
    rude.output.send('abc')
    rude.output.close(1001)
    expect(rude.state.calls).toEqual(['terminate'])
    expect(rude.output.unsentBytes).toBe(0)
  })
})
