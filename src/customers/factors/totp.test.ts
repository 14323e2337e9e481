import { expect, test } from 'bun:test'
import { Secret } from 'otpauth'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

test.each(VECTORS)('the code of RFC 6238 at %d s is found in its step', (seconds, code) => {
  expect(stepOfCode(SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
})

test('a code is good one step before and after its own, and no further', () => {
  const [seconds, code] = VECTORS[2]
  const step = Math.floor(seconds / 30)
  const at = (steps: number) => stepOfCode(SECRET, code, (step + steps) * 30_000)
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined])
})

test('a secret has 160 bits, and its address names exchange and person', () => {
  const secret = newTotpSecret((size) => new Uint8Array(size).fill(255))
  expect(secret).toBe('7'.repeat(32))
  const uri = totpUri(secret, { issuer: 'Bourse', label: 'jo@example.org' })
  expect(uri).toStartWith('otpauth://totp/Bourse:jo%40example.org?')
  expect(new URL(uri).searchParams.get('secret')).toBe(secret)
})
