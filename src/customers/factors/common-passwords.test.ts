import { expect, test } from 'bun:test'
import { isCommonPassword } from './common-passwords.ts'

const OWN = ['jo.doe@example.org', 'Bourse sandbox']

test.each([
  'passwordpassword',
  'Password12345',
  'P@ssw0rd2026!!',
  'qwertyuiop123',
  'qwerty123456',
  '1234567890123',
  '987654321098',
  'abcdefghijkl',
  'aaaaaaaaaaaa',
  'abcabcabcabcab',
  'iloveyou1234',
  'letmein123456',
  '1q2w3e4r5t6y',
  'Welcome2026!!!',
  'galatasaray1905',
  'Şifreşifre123',
  'jo.doe@example.org',
  'bourse-sandbox-1',
])('%s is refused as a password', (password) => {
  expect(isCommonPassword(password, OWN)).toBe(true)
})

test.each([
  'correct horse battery staple',
  'gül kurusu tren ovası',
  'x7Kp-9vQm-2LwT',
  'tarantula viaduct 9',
  'mavi kuzine yedi saat',
])('%s is taken as a password', (password) => {
  expect(isCommonPassword(password, OWN)).toBe(false)
})
