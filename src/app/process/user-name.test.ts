import { expect, test } from 'bun:test'
import { userName } from './user-name.ts'

test('the name of the operator is that of the user who called sudo, else of the user, else its number', () => {
  const service = { username: 'bourse', uid: 997 }
  expect(userName({ SUDO_USER: 'anna' }, service)).toBe('anna')
  expect(userName({ SUDO_USER: '' }, service)).toBe('bourse')
  expect(userName({}, { username: 'unknown', uid: 997 })).toBe('uid 997')
})
