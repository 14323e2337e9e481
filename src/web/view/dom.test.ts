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

function passFrame(): void {
  for (const callback of frames.splice(0)) callback(0)
}

test('a frame draws one of what is due, each once however often it was asked for, and none twice before another', () => {
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

test('what fails while it is drawn keeps nothing else from being drawn', () => {
  const drawn: string[] = []
  const broken = withFrame(() => {
    throw new Error('broken')
  })
  broken()
  withFrame(() => drawn.push('tape'))()
  expect(passFrame).toThrow('broken')
  passFrame()
  expect(drawn).toEqual(['tape'])
})
