import { expect, test } from 'bun:test'
import { loadMasterKey } from './master-key.ts'

test('a key of a wrong form is refused with what is wrong about it, and never shown', () => {
  const because = 'BOURSE_MASTER_KEY in the environment: expected 64 hexadecimal digits, found '
  expect(() => loadMasterKey('unused', 'ab')).toThrow(`${because}2 characters`)
  expect(() => loadMasterKey('unused', `g${'0'.repeat(63)}`)).toThrow(`${because}other characters among them`)
})
