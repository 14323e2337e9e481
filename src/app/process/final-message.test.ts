import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { SettingsError } from '../settings/load.ts'
import { bugInFull, finalMessage } from './final-message.ts'

test('a system call that failed is reported in one line with its file; a bug has no line', () => {
  const file = '/nowhere/master.key'
  let failed: unknown
  try {
    readFileSync(file)
  } catch (error) {
    failed = error
  }
  expect(finalMessage(failed)).toMatch(/^the system has refused: ENOENT: .*\/nowhere\/master.key'$/)
  expect(finalMessage(new Error('a bug'))).toBeUndefined()
})

test('the last words about many wrong settings tell the first, how many more there are, and which command names them', () => {
  const problems = ['a.json:1: port: wrong', 'a.json:2: host: wrong', 'a.json:3: x: wrong']
  expect(finalMessage(new SettingsError('a.json:1: port: wrong', undefined, problems))).toBe(
    'a.json:1: port: wrong; and 2 more: bourse config check names them',
  )
})

test('a bug is reported with its stack and its causes, without the program text around them', () => {
  const reported = bugInFull(new TypeError('on top', { cause: new Error('below') }))
  expect(reported).toMatch(/^TypeError: on top\n +at .*\ncause: Error: below\n +at /s)
  expect(reported).not.toContain('expect(')
})
