import { expect, test } from 'bun:test'
import { userName } from './user-name.ts'

test('an operator is who called sudo, else the user, else its number', () => {
  const service = { username: 'bourse', uid: 997 }
  expect(userName({ SUDO_USER: 'anna' }, service)).toBe('anna')
  expect(userName({ SUDO_USER: '' }, service)).toBe('bourse')
  expect(userName({}, { username: 'unknown', uid: 997 })).toBe('uid 997')
})
