/**
 * The output of `npm run count` for a small tree: lines of code, long files and functions, casts, facts, and
 * the files of a change.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { byFolder, countFile, kindOfFile, names } from '../tools/lib/code-count.mjs'

/** Processes start slowly on a busy machine. */
setDefaultTimeout(300_000)

const COUNT = path.resolve(import.meta.dir, '../tools/count.mjs')
const root = mkdtempSync(path.join(tmpdir(), 'bourse-count-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function git(...line: string[]): string {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...line], { cwd: root, encoding: 'utf8' }).trim()
}

function count(...line: string[]): string {
  return execFileSync('node', [COUNT, ...line], { cwd: root, encoding: 'utf8' })
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

const SOURCE = `/** Its type: never. */
import { one } from './one.ts'
import {
  type Two,
  two,
} from './two.ts'
export { three } from './three.ts'

// A note.
const slash = '// no comment' /* but this is */
export const all = one + two // and this
const page = \`
  <p>a template's lines are code</p>
  // this one too
\`
`

test('comments, blank lines and imports are not code, lines of a template are', () => {
  const { lines, code, characters } = countFile(SOURCE)
  expect({ lines, code }).toEqual({ lines: 15, code: 6 })
  const denser = countFile('const slash = 1; const all = one + two\n')
  const loose = countFile('const slash = 1\nconst all = one + two\n')
  expect([denser.code, loose.code]).toEqual([1, 2])
  expect(denser.characters).toBeGreaterThanOrEqual(loose.characters)
  expect(characters).toBe(100)
})

test('casts are counted in code, not in comments and texts', () => {
  const text = `const a = b as never // as never
const c = d as unknown as E
const f: any = 'as unknown as'
function any(many: string): Any[] { return many.any }
const g = (h: readonly any[]) => h as any
`
  expect(countFile(text).casts).toEqual({ 'as never': 1, any: 3, 'as unknown as': 1 })
})

test('a name is found within longer ones and in texts of the code, not in comments', () => {
  expect([names('order.tagText', 'tag'), names("'ORDER_TAG'", 'tag'), names('// tag', 'tag')]).toEqual([
    true,
    true,
    false,
  ])
})

test('each file is of one kind', () => {
  expect(
    [
      'src/core/a.ts',
      'src/core/a.test.ts',
      'src/core/a.arbitraries.ts',
      'test/x.ts',
      'src/client/interface/a.ts',
      'src/client/endpoints.ts',
      'src/client/client.ts',
      'docs/api/openapi.json',
      'docs/a.md',
      'test/corpus/README.md',
      'test/corpus/stored/commands.txt',
      'package.json',
    ].map(kindOfFile),
  ).toEqual([
    ...[
      'production',
      'test',
      'test',
      'test',
      'generated',
      'generated',
      'production',
      'generated',
      'document',
      'document',
      'generated',
      'other',
    ],
  ] as never)
})

test('a folder has the sums of all below it', () => {
  const counts = ['src/a/b/c.ts', 'src/a/d.ts', 'src/e/f.ts'].map((file, i) => ({
    file,
    code: i + 1,
    characters: 10,
  }))
  expect(byFolder(counts, 2)).toEqual([
    { folder: 'src', files: 3, code: 6, characters: 30 },
    { folder: 'src/a', files: 2, code: 3, characters: 20 },
    { folder: 'src/e', files: 1, code: 3, characters: 10 },
  ])
})

test('the command counts a tree, names what is long, and says what a change touched', () => {
  const long = Array.from({ length: 70 }, (_, i) => `  total += ${i}`).join('\n')
  write('src/core/long.ts', `export function long(total: number): number {\n${long}\n  return total\n}\n`)
  write(
    'src/core/many.ts',
    `${Array.from({ length: 501 }, (_, i) => `export const n${i} = ${i}`).join('\n')}\n`,
  )
  write('src/core/long.test.ts', 'const x = 1 as never\n')
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
  const first = git('rev-parse', 'HEAD')
  const out = count(root)
  expect(out).toMatch(/^ +574 +[\d,]+ +2 {2}src\/core$/m)
  expect(out).toContain('files above 500 lines: 1\n  501  src/core/many.ts')
  expect(out).toMatch(/functions above 60 lines: 1\n {2}7\d {2}src\/core\/long\.ts:1\n/)
  expect(out).toContain('uses of as never: 0')

  write('src/core/tag.ts', 'export const ORDER_TAG = 1\n')
  write('src/core/tag.test.ts', 'export const x = 1\n')
  write('docs/api/openapi.json', '{}\n')
  git('add', '-A')
  git('commit', '-qm', 'second')
  const change = count('--diff', first, 'HEAD')
  expect(change).toContain('production: 1 files, +1 -0\n  +1 -0       src/core/tag.ts')
  expect(change).toContain('test: 1 files, +1 -0')
  expect(change).toContain('generated: 1 files, +1 -0\n  +1 -0       docs/api/openapi.json')
  expect(count('--fact', 'tag', root)).toContain('tag occurs in 1 files of the program\n  src/core/tag.ts')
})
