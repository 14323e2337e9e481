import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { createSecretBox, SecretBoxFault } from './secret-box.ts'

const random = (size: number) => randomBytes(size)
const box = createSecretBox(randomBytes(32), random)

test('a sealed secret opens again, whatever the secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, apiKey) => {
      fc.pre(secret.isWellFormed())
      expect(box.open(box.seal(secret, apiKey), apiKey)).toBe(secret)
    }),
  )
})

test('the same secret is never sealed in the same way twice, and is never visible', () => {
  const one = Buffer.from(box.seal('hunter2', 'key'))
  const other = Buffer.from(box.seal('hunter2', 'key'))
  expect(one.equals(other)).toBe(false)
  expect(one.toString('latin1')).not.toContain('hunter2')
})

test('a sealed secret copied to another API key does not open', () => {
  const sealed = box.seal('secret', 'key')
  expect(() => box.open(sealed, 'other')).toThrow(SecretBoxFault)
})

test('another master key does not open it', () => {
  const sealed = box.seal('secret', 'key')
  expect(() => createSecretBox(randomBytes(32), random).open(sealed, 'key')).toThrow(SecretBoxFault)
})

test('every flipped bit and every cut is noticed', () => {
  const sealed = box.seal('a secret', 'key')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const damaged = sealed.slice()
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(() => box.open(damaged, 'key')).toThrow(SecretBoxFault)
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(() => box.open(sealed.slice(0, length), 'key')).toThrow(SecretBoxFault)
  }
})

test('a master key of another length is a bug', () => {
  expect(() => createSecretBox(randomBytes(16), random)).toThrow('32 bytes')
})
