/** Nothing fails by the clock: what a test may take at most only catches what hangs. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { WAIT_MS_MAX } from './support/until.ts'

const ROOT = path.resolve(import.meta.dir, '..')
/** What the runner gives every test (tools/lib/test-run.mjs). */
const TEST_MS = Number(
  /HUNG_MS = ([\d_]+)/
    .exec(readFileSync(path.join(ROOT, 'tools/lib/test-run.mjs'), 'utf8'))?.[1]
    ?.replaceAll('_', ''),
)
/** Of a file, in which it stands in parentheses or behind a condition; and of one test, behind its end. */
const LIMITS = /setDefaultTimeout\((?<file>[^)]*)\)|^\}, (?<one>[\d_]+)\)$/gm

function limits(): readonly { readonly file: string; readonly ms: number }[] {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'],
    { cwd: ROOT },
  )
  const files = listed.stdout.toString().trim().split('\n')
  return files.flatMap((file) => {
    if (file.startsWith('test/violations/')) return []
    const found = readFileSync(path.join(ROOT, file), 'utf8').matchAll(LIMITS)
    const texts = [...found].flatMap(({ groups = {} }) => [
      ...`${groups.file ?? groups.one}`.matchAll(/[\d_]+/g),
    ])
    return texts.map(([text]) => ({ file, ms: Number(text.replaceAll('_', '')) }))
  })
}

test('no test gives itself less time than the runner gives it', () => {
  const all = limits()
  expect(all.length).toBeGreaterThan(50)
  expect(all.filter(({ ms }) => ms < TEST_MS)).toEqual([])
})

test('a test that waits in vain says for what before its own time is over', () => {
  expect(WAIT_MS_MAX).toBeLessThan(TEST_MS)
})
