/**
 * Everything that the pages refer to exists: files and headings that they link to, sources and tests that
 * they mention, commands and dependencies of this checkout.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Glob } from 'bun'
import { CANARIES } from '../sim/canary/canaries.ts'
import { CLUSTER_CANARIES } from '../sim/cluster/canaries.ts'
import { anchorsOf } from './support/anchors.ts'

const ROOT = path.join(import.meta.dir, '..')

describe('every page', () => {
  const folders = ['docs', 'bench', 'test', 'src', 'sim', 'packaging']
  const files = [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...folders.flatMap((folder) => [...new Glob(`${folder}/**/*.md`).scanSync({ cwd: ROOT })]),
  ].toSorted()

  test.each(files)('%s: every relative link names a file, and a heading in it', (name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8').replace(/```[\s\S]*?```/g, '')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const found = file === '' ? path.join(ROOT, name) : path.join(ROOT, path.dirname(name), file)
      expect([target, existsSync(found)]).toEqual([target, true])
      if (anchor !== undefined) expect([...anchorsOf(found)]).toContain(anchor)
    }
  })

  test.each(files)('%s: every source, test and tool that it names exists', (name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|sim|bench|tools)\/[\w./*-]*)`/g)].map(
      ([, file = '']) => file,
    )
    const missing = named.filter((file) => [...new Glob(file).scanSync({ cwd: ROOT })].length === 0)
    expect(missing.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
  })

  test.each(files)('%s: every table begins with its head, and no line is empty within it', (name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8').replace(/```[\s\S]*?```/g, '')
    const lines = text.split('\n').map((line) => line.trim())
    const begins = lines.flatMap((line, i) =>
      line.startsWith('|') && !lines[i - 1]?.startsWith('|') ? [i] : [],
    )
    expect(begins.filter((i) => !/^\|[-:| ]+\|$/.test(lines[i + 1] ?? '')).map((i) => lines[i])).toEqual([])
  })

  const programs = ['src', 'test', 'sim', 'bench', 'tools', 'packaging'].flatMap((folder) => [
    ...new Glob(`${folder}/**/*.{ts,mjs}`).scanSync({ cwd: ROOT }),
  ])

  test.each(files)('%s: every source file that it names, by the end of its path, exists', (name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8')
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, file = '']) => file)
    /** `x.test.ts` matches every name. */
    const isPattern = (file: string) => file.startsWith('x.')
    const isThere = (file: string) =>
      programs.some((program) => program === file || program.endsWith(`/${file}`))
    expect(named.filter((file) => !isPattern(file) && !isThere(file))).toEqual([])
  })
})

test('development.md names each file of a change by its whole path', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'development.md'), 'utf8')
  const [, changes = ''] = page.split('## A change')
  const named = [...changes.matchAll(/`([\w./-]+\.(?:ts|mjs|json))`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(5)
  const isFolderFile = (file: string) => file === 'tsconfig.json'
  expect(named.filter((file) => !isFolderFile(file) && !existsSync(path.join(ROOT, file)))).toEqual([])
})

type Manifest = Readonly<
  Record<'dependencies' | 'devDependencies' | 'scripts', Readonly<Record<string, string>>>
>
const MANIFEST: Manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))

test('docs/internals/dependencies.md names every dependency with the version in use', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'internals', 'dependencies.md'), 'utf8')
  const stated = [...page.matchAll(/^\| `([^`]+)` \| ([\d.]+(?:-[\w.]+)?) \|/gm)].map(([, name, version]) => [
    name,
    version,
  ])
  const used = Object.entries({ ...MANIFEST.dependencies, ...MANIFEST.devDependencies })
  expect(stated.toSorted()).toEqual(used.toSorted())
})

test('development.md states every npm script, and no other', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'development.md'), 'utf8')
  // A row may describe an option of a command.
  const stated = new Set([...page.matchAll(/^\| `npm (?:run )?([a-z:]+)/gm)].map(([, name]) => name))
  expect([...stated].toSorted()).toEqual(Object.keys(MANIFEST.scripts).toSorted())
})

test('correctness.md counts the deliberate bugs correctly', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'correctness.md'), 'utf8')
  const bugs = Object.keys(CANARIES).length
  expect(page).toContain(`${bugs} in \`sim/canary\``)
  expect(page).toContain(`${bugs} of ${bugs} deliberate bugs`)
  const guards = Object.keys(CLUSTER_CANARIES).length
  expect(page).toContain(`${guards} in \`sim/cluster\``)
  expect(page).toContain(`${guards} of ${guards} deliberate bugs`)
})
