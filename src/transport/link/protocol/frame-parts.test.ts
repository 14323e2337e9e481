import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { BytesFault } from '../../../units/bytes.ts'
import { FrameParts, partsOf } from './frame-parts.ts'
import { FRAME } from './frames.ts'

const SMALL = 8

test('a frame of any size is reassembled from its parts, none of which is larger than a part may be', () => {
  const body = fc.uint8Array({ maxLength: 60 })
  fc.assert(
    fc.property(fc.array(body, { maxLength: 5 }), (bodies) => {
      const parts = new FrameParts(1_000)
      for (const each of bodies) {
        const frame = new Uint8Array([FRAME.question, ...each])
        const messages = partsOf(frame, SMALL)
        for (const message of messages) expect(message.length).toBeLessThanOrEqual(SMALL)
        const whole = messages.map((message) => parts.take(message))
        expect(whole.slice(0, -1).every((none) => none === undefined)).toBe(true)
        expect(whole.at(-1)).toEqual(frame)
      }
    }),
  )
})

test('parts of more bytes than a frame may have, and another frame between them, are refused', () => {
  const parts = new FrameParts(10)
  parts.take(new Uint8Array([FRAME.part, 1, 2, 3, 4, 5, 6]))
  expect(() => parts.take(new Uint8Array([FRAME.lastPart, 1, 2, 3, 4, 5]))).toThrow(
    new BytesFault('a frame of more than 10 bytes'),
  )
  const others = new FrameParts(10)
  others.take(new Uint8Array([FRAME.part, FRAME.barrier]))
  expect(() => others.take(new Uint8Array([FRAME.barrier]))).toThrow('expected the next part of a frame')
})

test('a part within parts is no frame', () => {
  const inner = partsOf(new Uint8Array(100), SMALL)[0] as Uint8Array
  const parts = new FrameParts(1_000)
  expect(parts.take(new Uint8Array([FRAME.lastPart, ...inner]))?.[0]).toBe(FRAME.part)
})
