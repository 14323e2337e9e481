/**
 * Each rule of the toolchain has a committed violation in test/violations/ that must be refused. A
 * violation's first line states the tool that refuses it, its place in the project, and the tool's message.
 * They are copied into a copy of the project, and the tools run there with the project's own configuration.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
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

/** A file with too many lines and a function that is too long: generated here rather than committed. */
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

/**
 * Forbidden words where they have no effect: in comments, strings, templates, regular expressions and other
 * names.
 */
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

/** The compiler's output for the checkout, if there is any: the copy is compiled from there on. */
const COMPILED = '.cache/types'

let project = ''
const outputByTool = new Map<string, string>()
/** The compiler's messages, by the name of the violation. */
const compiledByName = new Map<string, string>()

/** Groups of violations with distinct places. */
function inTurns(all: readonly Violation[]): readonly (readonly Violation[])[] {
  const turns: Violation[][] = []
  for (const violation of all) {
    const free = turns.find((turn) => turn.every(({ place }) => place !== violation.place))
    if (free === undefined) turns.push([violation])
    else free.push(violation)
  }
  return turns
}

function run(command: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: project })
  const output = `${stdout}${stderr}`
  if (exitCode === 0) throw new Error(`expected ${command.join(' ')} to fail, found success`)
  return output
}

beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'bourse-violations-'))
  for (const name of ['src', 'biome.json', 'package.json', '.gitignore', COMPILED]) {
    if (name === COMPILED && !existsSync(path.join(ROOT, name))) continue
    cpSync(path.join(ROOT, name), path.join(project, name), { recursive: true, preserveTimestamps: true })
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

  // As many at a time as have distinct places: a project that fails does not keep the compiler from the
  // projects that depend on it.
  for (const together of inTurns(violations.filter(({ tool }) => tool === 'compiler'))) {
    for (const violation of together) place(violation)
    const projects = new Set(together.map((violation) => path.dirname(violation.place)))
    const output = run(['node_modules/.bin/tsc', '-b', ...projects])
    for (const violation of together) {
      compiledByName.set(violation.name, output)
      rmSync(path.join(project, violation.place))
    }
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
      ...[...violations, ...made].filter(({ tool }) => tool === 'biome').map(({ place }) => place),
    ]),
  )
}, 300_000)

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

for (const { name, tool, place, says } of [...violations, ...made]) {
  if (tool === 'none') continue
  test(`the check by ${tool} refuses ${name}`, () => {
    const said = tool === 'compiler' ? compiledByName.get(name) : outputByTool.get(tool)
    const about = (said ?? '').split('\n').filter((line) => line.includes(place))
    if (!about.some((line) => line.includes(says)))
      throw new Error(`expected ${says} at ${place}, found: ${said}`)
  })
}

test('every violation names its tool, its place and what the message says', () => {
  const incomplete = violations.filter(({ tool, place, says }) => !tool || !place || !says)
  expect(incomplete).toEqual([])
})

test('the ring tool raises no false alarm over comments, strings, templates and regular expressions', () => {
  expect(outputByTool.get('rings')).not.toContain(INNOCENT_PLACE)
})
