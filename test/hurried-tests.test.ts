/** No test fails because of the clock: limits of tests only catch what hangs. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TEST_TIMEOUT_MS } from './mutation/stages.ts'
import { WAIT_MS_MAX } from './support/until.ts'

const ROOT = path.resolve(import.meta.dir, '..')
/** The runner's limit for every test (tools/lib/test-run.mjs). */
const TEST_MS = Number(
  /HUNG_MS = ([\d_]+)/
    .exec(readFileSync(path.join(ROOT, 'tools/lib/test-run.mjs'), 'utf8'))?.[1]
    ?.replaceAll('_', ''),
)
/** The limit of a file, in parentheses or after a condition; and of one test, after its end. */
const LIMITS = /setDefaultTimeout\((?<file>[^)]*)\)|^\}, (?<one>[\d_]+)\)$/gm

/** The numbers that the groups of a pattern find in files of tests. */
function testsWith(pattern: RegExp): readonly { readonly file: string; readonly ms: number }[] {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'],
    { cwd: ROOT },
  )
  const files = listed.stdout.toString().trim().split('\n')
  return files.flatMap((file) => {
    if (file.startsWith('test/violations/')) return []
    const found = readFileSync(path.join(ROOT, file), 'utf8').matchAll(pattern)
    const texts = [...found].flatMap(({ groups = {} }) => [
      ...`${groups.file ?? groups.one ?? groups.last}`.matchAll(/[\d_]+/g),
    ])
    return texts.map(([text]) => ({ file, ms: Number(text.replaceAll('_', '')) }))
  })
}

test('no test sets a time limit below the runner’s', () => {
  const all = testsWith(LIMITS)
  expect(all.length).toBeGreaterThan(50)
  expect(all.filter(({ ms }) => ms < TEST_MS)).toEqual([])
})

test('no test has less time where the program is broken on purpose', () => {
  expect(TEST_TIMEOUT_MS).toBeGreaterThanOrEqual(TEST_MS)
})

test('no wait for a condition sets a number below the common one', () => {
  const waits = testsWith(/\buntil\([^\n]*, (?<one>[\d_]+)\)$|^ +(?<last>\d+_\d{3}),\n +\)$/gm)
  expect(waits.filter(({ ms }) => ms < WAIT_MS_MAX)).toEqual([])
})

/** The name of a time that is the last argument of a wait, and its number, in one text. */
function namedWaits(text: string): readonly { readonly name: string; readonly ms: number }[] {
  return [...text.matchAll(/\b(?:until|eventually|untilAsked|untilServed)\(/g)].flatMap(
    ({ index, 0: start }) => {
      let end = index + start.length
      for (let open = 1; open > 0 && end < text.length; end++)
        open += Number(text[end] === '(') - Number(text[end] === ')')
      const [, name] = /\b([A-Z_]+_MS(?:_MAX)?),?\s*\)$/.exec(text.slice(index, end)) ?? []
      const [, value] =
        (name !== undefined && new RegExp(`\\bconst ${name} = ([\\d_]+)$`, 'm').exec(text)) || []
      if (name === undefined || value === undefined) return []
      return [{ name, ms: Number(value.replaceAll('_', '')) }]
    },
  )
}

test('no wait for a condition uses a named number below the common one', () => {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', 'test/*.ts', '*.test.ts'],
    {
      cwd: ROOT,
    },
  )
  const files = listed.stdout.toString().trim().split('\n')
  const hurried = files.flatMap((file) =>
    namedWaits(readFileSync(path.join(ROOT, file), 'utf8'))
      .filter(({ ms }) => ms < WAIT_MS_MAX)
      .map(({ name }) => `${file}: ${name}`),
  )
  expect(hurried).toEqual([])
  const waits = (time: string) =>
    `const SOON_MS = 9_000\nawait until('it (all) is so', () => is(true)${time})\n`
  expect(namedWaits(waits(', SOON_MS'))).toEqual([{ name: 'SOON_MS', ms: 9_000 }])
  expect([namedWaits(waits('')), namedWaits(waits(', OTHER_MS'))]).toEqual([[], []])
})

test('a test that waits in vain says for what before its own time is over', () => {
  expect(WAIT_MS_MAX).toBeLessThan(TEST_MS)
})

test('a browser is started in one place, where every call to it has a limit', () => {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'],
    { cwd: ROOT },
  )
  const files = listed.stdout.toString().trim().split('\n')
  const starting = files.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return /^import (?!type )[^\n]*'playwright[\w-]*'/m.test(text) || /import\('playwright/.test(text)
  })
  expect(starting).toEqual(['test/browser/support/browser.ts'])
})
