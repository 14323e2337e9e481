import { describe, expect, test } from 'bun:test'
import { type CutCause, Intake } from './intake.ts'

const CONFIG = {
  framesPerSecondMax: 10,
  framesBurstMax: 20,
  receivedBytesPerSecondMax: 100,
  receivedBytesBurstMax: 1_000,
}

function intake() {
  const state = { now: 1_000, cuts: [] as CutCause[] }
  const of = new Intake({
    config: CONFIG,
    now: () => state.now,
    onCut: (cause) => void state.cuts.push(cause),
  })
  return { state, of }
}

describe('what a connection may send', () => {
  test('a burst of frames is admitted completely, the next one closes the connection', () => {
    const { state, of } = intake()
    for (let frame = 0; frame < 20; frame++) expect(of.admits(1)).toBe(true)
    expect([of.isCut, state.cuts]).toEqual([false, []])
    expect(of.admits(1)).toBe(false)
    expect([of.isCut, state.cuts]).toEqual([true, ['FRAMES']])
  })

  test('the rate is admitted indefinitely, and after a pause the burst again, but no more', () => {
    const { state, of } = intake()
    for (let frame = 0; frame < 1_000; frame++) {
      state.now += 100
      expect(of.admits(10)).toBe(true)
    }
    state.now += 3_600_000
    expect(of.admits(1_000, 20)).toBe(true)
    expect(of.admits(0)).toBe(false)
  })

  test('bytes have a burst and a rate of their own', () => {
    const { state, of } = intake()
    expect(of.admits(1_000)).toBe(true)
    state.now += 1_000
    expect(of.admits(100)).toBe(true)
    expect(of.admits(1)).toBe(false)
    expect(state.cuts).toEqual(['BYTES'])
  })

  test('after a cut nothing is admitted, at any later time, and there is no second cut', () => {
    const { state, of } = intake()
    of.cut('PROTOCOL')
    state.now += 3_600_000
    expect(of.admits(0)).toBe(false)
    of.cut('FRAMES')
    expect(state.cuts).toEqual(['PROTOCOL'])
  })

  test('a clock that is set back adds nothing and removes nothing', () => {
    const { state, of } = intake()
    expect(of.admits(1, 20)).toBe(true)
    state.now -= 500
    expect(of.admits(0, 0)).toBe(true)
    state.now += 500
    expect(of.admits(1, 5)).toBe(true)
    expect(of.admits(1)).toBe(false)
  })
})
