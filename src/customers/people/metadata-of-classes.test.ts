import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SRC = path.resolve(import.meta.dir, '../..')
const LIBRARY = /from '@simplewebauthn\/server'/
const BEFORE = /import '[./\w-]*\/metadata-of-classes\.ts'/

test('every module that imports the passkey library first imports what that requires', () => {
  const modules = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(SRC, file), 'utf8') }))
    .filter(({ text }) => LIBRARY.test(text))
  expect(modules.length).toBeGreaterThan(1)
  const late = modules.filter(({ text }) => {
    const [library, before] = [text.search(LIBRARY), text.search(BEFORE)]
    return before < 0 || before > library
  })
  expect(late.map(({ file }) => file)).toEqual([])
})
