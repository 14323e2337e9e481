/**
 * A test's title is the rule it defends, and is read without its neighbors: in a report, in a commit, in the
 * list of failures. A program cannot decide whether a title is true or clear; this test detects a missing
 * subject, too few words for a rule, and two tests of a file with the same title.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '..')
const FOLDERS = ['src', 'sim', 'bench', 'test']

/** Fewest words of a title, including those of the test's groups. */
const WORDS_MIN = 4

/**
 * Beginnings of a title without a subject: the title continues another one, or describes something that it
 * does not name.
 */
const WITHOUT_SUBJECT =
  /^(?:accepts|also|and|are|as|but|by|does|gives|had|has|have|holds|is|it|its|keeps|may|of|or|refuses|so|takes|that|then|they|was|were|when|with)\b/i

/** A group or a test at the beginning of a line, and its title. */
const CALL = /^( *)(describe|test|it)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\3)[^\\])*)\3/gm

type Title = { readonly file: string; readonly groups: readonly string[]; readonly title: string }

function titlesOf(file: string, text: string): Title[] {
  const groups: { readonly indent: number; readonly title: string }[] = []
  const titles: Title[] = []
  for (const [, space = '', kind, , title = ''] of text.matchAll(CALL)) {
    while ((groups.at(-1)?.indent ?? -1) >= space.length) groups.pop()
    if (kind === 'describe') groups.push({ indent: space.length, title })
    else titles.push({ file, groups: groups.map((group) => group.title), title })
  }
  return titles
}

/** The faults of a file's titles; empty if a program can detect none. */
function faultsOf(titles: readonly Title[]): string[] {
  const seen = new Set<string>()
  return titles.flatMap(({ file, groups, title }) => {
    const whole = [...groups, title].join(' > ')
    const words = [...groups, title].join(' ').split(/\s+/).filter(Boolean)
    const faults: string[] = []
    if (words.length < WORDS_MIN) faults.push(`${file}: '${whole}' has fewer than ${WORDS_MIN} words`)
    if (groups.length === 0 && WITHOUT_SUBJECT.test(title)) faults.push(`${file}: '${whole}' has no subject`)
    if (seen.has(whole)) faults.push(`${file}: '${whole}' appears twice`)
    seen.add(whole)
    return faults
  })
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .filter((file) => /\.(test|contract)\.ts$/.test(file) && !file.startsWith('test/violations/')),
)

test('every test of the tree has a title with a subject that stands alone', () => {
  const titles = files.map((file) => titlesOf(file, readFileSync(path.join(ROOT, file), 'utf8')))
  expect(titles.flat().length).toBeGreaterThan(1_000)
  expect(titles.flatMap(faultsOf)).toEqual([])
})

test('titles without a subject, too short ones and repeated ones are noticed', () => {
  const text = [
    "test('is small', () => {})",
    "test('of two orders the older one is first', () => {})",
    "describe('a book', () => {",
    "  test('is empty at the start', () => {})",
    "  test('is empty at the start', () => {})",
    '})',
    "test.each([[1, 'a']])('the older of two orders is %p', () => {})",
  ].join('\n')
  expect(faultsOf(titlesOf('x.test.ts', text))).toEqual([
    "x.test.ts: 'is small' has fewer than 4 words",
    "x.test.ts: 'is small' has no subject",
    "x.test.ts: 'of two orders the older one is first' has no subject",
    "x.test.ts: 'a book > is empty at the start' appears twice",
  ])
})
