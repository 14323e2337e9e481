import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { SettingsError } from '../settings/load.ts'
import { bugInFull, directoryNote, finalMessage } from './final-message.ts'

test('a system call that failed is reported in one line with its file; a bug has no line', () => {
  const file = '/nowhere/master.key'
  let failed: unknown
  try {
    readFileSync(file)
  } catch (error) {
    failed = error
  }
  expect(finalMessage(failed)).toMatch(/^the operating system reports: ENOENT: .*\/nowhere\/master.key'$/)
  expect(finalMessage(new Error('a bug'))).toBeUndefined()
})

test('the final message about many wrong settings shows the first, how many more there are, and which command lists them', () => {
  const problems = ['a.json:1: port: wrong', 'a.json:2: host: wrong', 'a.json:3: x: wrong']
  expect(finalMessage(new SettingsError('a.json:1: port: wrong', undefined, problems))).toBe(
    'a.json:1: port: wrong; and 2 more: bourse config check lists them',
  )
})

test('a bug is reported with its stack and its causes, without the program text around them', () => {
  const reported = bugInFull(new TypeError('on top', { cause: new Error('below') }))
  expect(reported).toMatch(/^TypeError: on top\n +at .*\ncause: Error: below\n +at /s)
  expect(reported).not.toContain('expect(')
})

test('a message about the directory that DATA_DIR names says so, and that it overrides the file; one about --data says nothing more', () => {
  const message = '/srv/old contains no exchange: it has no journal.sqlite'
  const environment = { DATA_DIR: '/srv/old' }
  const noted = (...line: string[]) => directoryNote(message, line, environment)
  expect(noted('serve')).toBe('. That directory is set by DATA_DIR in the environment')
  const both = '. That directory is set by DATA_DIR in the environment, and overrides the configuration file'
  expect(noted('serve', '--config', 'a.json')).toBe(both)
  expect(noted('serve', '--config=a.json')).toBe(both)
  expect(directoryNote(message, ['serve'], { ...environment, BOURSE_CONFIG: 'a.json' })).toBe(both)
  expect([noted('serve', '--data', '/srv/old'), noted('serve', '--data=/srv/old')]).toEqual(['', ''])
  expect(directoryNote(message, ['serve'], {})).toBe('')
  expect(directoryNote('the port is taken', ['serve'], environment)).toBe('')
})
