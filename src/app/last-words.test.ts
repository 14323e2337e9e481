import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { lastWords } from './last-words.ts'

test('a system call that failed is told in one line with its file; a bug has no line', () => {
  const file = '/nowhere/master.key'
  let failed: unknown
  try {
    readFileSync(file)
  } catch (error) {
    failed = error
  }
  expect(lastWords(failed)).toMatch(/^the system has refused: ENOENT: .*\/nowhere\/master.key'$/)
  expect(lastWords(new Error('a bug'))).toBeUndefined()
})
