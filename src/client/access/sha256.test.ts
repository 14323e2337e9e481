import { expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { hmacSha256, sha256 } from './sha256.ts'

test('SHA-256 of any bytes matches the standard', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(
        createHash('sha256').update(bytes).digest('hex'),
      )
    }),
  )
})

test('HMAC with keys of any length matches the standard', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (key, bytes) => {
      const expected = createHmac('sha256', key).update(bytes).digest('hex')
      expect(Buffer.from(hmacSha256(key, bytes)).toString('hex')).toBe(expected)
    }),
  )
})
