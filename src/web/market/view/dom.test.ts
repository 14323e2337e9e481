import { afterEach, beforeEach, expect, test } from 'bun:test'
import { withFrame } from './dom.ts'

const frames: FrameRequestCallback[] = []
const { requestAnimationFrame } = globalThis

beforeEach(() => {
  globalThis.requestAnimationFrame = (callback) => frames.push(callback)
})
afterEach(() => {
  globalThis.requestAnimationFrame = requestAnimationFrame
})

function passFrame(at = 0): void {
  for (const callback of frames.splice(0)) callback(at)
}

test('a frame draws each requested part once, however often it was requested, and not again before another request', () => {
  const drawn: string[] = []
  const [book, tape] = ['book', 'tape'].map((name) => withFrame(() => drawn.push(name)))
  for (const ask of [book, tape, book]) ask?.()
  expect(drawn).toEqual([])
  passFrame()
  expect(drawn).toEqual(['book'])
  book?.()
  passFrame()
  passFrame()
  expect(drawn).toEqual(['book', 'tape', 'book'])
  expect(frames).toEqual([])
})

test('an error while drawing one part does not prevent others from being drawn', () => {
  const drawn: string[] = []
  const broken = withFrame(() => {
    throw new Error('broken')
  })
  broken()
  withFrame(() => drawn.push('tape'))()
  expect(() => passFrame()).toThrow('broken')
  passFrame()
  expect(drawn).toEqual(['tape'])
})

test('a part with a pace is drawn at once after a pause, then no sooner than its pace allows, and delays nothing else', () => {
  const drawn: string[] = []
  const book = withFrame(() => drawn.push('book'), 80)
  const chart = withFrame(() => drawn.push('chart'))
  book()
  passFrame(1_000)
  expect(drawn).toEqual(['book'])
  book()
  chart()
  passFrame(1_016)
  expect(drawn).toEqual(['book', 'chart'])
  passFrame(1_079)
  expect(drawn).toEqual(['book', 'chart'])
  passFrame(1_080)
  expect(drawn).toEqual(['book', 'chart', 'book'])
  expect(frames).toEqual([])
})
