/**
 * Each rule of the toolchain has a committed violation in test/violations/ that must be refused. A violation's
 * first line says which tool refuses it, where in the project it would stand, and what the tool's message says.
 * They are laid into a copy of the project and the tools run there with the project's own configuration.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '..')
const HEADER = /^\/\/ tool: (\w+); place: (\S+); says: (\S+)\n/

type Violation = {
  readonly name: string
  readonly tool: string
  readonly place: string
  readonly says: string
}

const violations: readonly Violation[] = readdirSync(path.join(ROOT, 'test/violations')).map((name) => {
  const [, tool = '', place = '', says = ''] =
    HEADER.exec(readFileSync(path.join(ROOT, 'test/violations', name), 'utf8')) ?? []
  return { name, tool, place, says }
})

/** More lines than a file may have and a function longer than may be: made here rather than committed. */
const LONG = Array.from({ length: 501 }, (_, i) => `  ${i},`).join('\n')
const made: readonly (Violation & { readonly text: string })[] = [
  {
    name: 'a file of more than 500 lines',
    tool: 'biome',
    place: 'src/units/violation-long-file.ts',
    says: 'noExcessiveLinesPerFile',
    text: `export const wrong = [\n${LONG}\n]\n`,
  },
  {
    name: 'a function of more than 60 lines',
    tool: 'biome',
    place: 'src/units/violation-long-function.ts',
    says: 'noExcessiveLinesPerFunction',
    text: `export function wrong(): void {\n${'  wrong()\n'.repeat(61)}}\n`,
  },
]

/** Forbidden words where they mean nothing: in comments, strings, templates, regular expressions and other names. */
const INNOCENT_PLACE = 'src/core/market/innocent.ts'
const INNOCENT = `
// Date.now() and Math.random() are for others; import 'zod' too
/* new Date() */
export const text = 'Date.now()' + "import('zod')"
export const template = \`Math.random() \${text.length} new Date() \${\`Date.now()\`}\`
export const pattern = /Date.now()|'|\\/Math.random()/
export const halved = text.length / 2 / pattern.source.length
export const at = new Date(0)
export const utc = Date.UTC(2026, 0)
export const update = { updateDate: 1, randomMath: 2 }
`

let project = ''
const outputByTool = new Map<string, string>()

function run(command: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: project })
  const output = `${stdout}${stderr}`
  if (exitCode === 0) throw new Error(`expected ${command.join(' ')} to fail, found success`)
  return output
}

beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'bourse-violations-'))
  for (const name of ['src', 'biome.json', 'package.json', '.gitignore']) {
    cpSync(path.join(ROOT, name), path.join(project, name), { recursive: true })
  }
  for (const name of readdirSync(ROOT).filter((entry) => /^tsconfig.*\.json$/.test(entry))) {
    cpSync(path.join(ROOT, name), path.join(project, name))
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'))
  Bun.spawnSync(['git', 'init', '-q'], { cwd: project })
  const place = (violation: Violation): void => {
    mkdirSync(path.dirname(path.join(project, violation.place)), { recursive: true })
    cpSync(path.join(ROOT, 'test/violations', violation.name), path.join(project, violation.place))
  }
  for (const target of violations.filter(({ tool }) => tool === 'none')) place(target)

  // One at a time: an error in a ring keeps the compiler from building those that stand on it.
  for (const violation of violations.filter(({ tool }) => tool === 'compiler')) {
    place(violation)
    const output = run(['node_modules/.bin/tsc', '-b', path.dirname(violation.place)])
    outputByTool.set('compiler', `${outputByTool.get('compiler') ?? ''}${output}`)
    rmSync(path.join(project, violation.place))
  }

  for (const violation of violations) place(violation)
  for (const { place, text } of made) writeFileSync(path.join(project, place), text)
  writeFileSync(path.join(project, INNOCENT_PLACE), INNOCENT)
  outputByTool.set('rings', run(['node', path.join(ROOT, 'tools/rings.mjs'), project]))
  outputByTool.set(
    'biome',
    run([
      'node_modules/.bin/biome',
      'ci',
      '--colors=off',
      '--max-diagnostics=none',
      '--reporter=github',
      'src',
    ]),
  )
}, 300_000)

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

for (const { name, tool, place, says } of [...violations, ...made]) {
  if (tool === 'none') continue
  test(`the check by ${tool} refuses ${name}`, () => {
    const about = (outputByTool.get(tool) ?? '').split('\n').filter((line) => line.includes(place))
    expect(about.some((line) => line.includes(says))).toBe(true)
  })
}

test('every violation names its tool, its place and what the message says', () => {
  const incomplete = violations.filter(({ tool, place, says }) => !tool || !place || !says)
  expect(incomplete).toEqual([])
})

test('the ring tool raises no false alarm over comments, strings, templates and regular expressions', () => {
  expect(outputByTool.get('rings')).not.toContain(INNOCENT_PLACE)
})
