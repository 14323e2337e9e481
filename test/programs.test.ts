/**
 * Every program that a person starts prints help on request, and an error for an invalid command line: those
 * of npm, and each command of `bourse`.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Glob } from 'bun'
import { PROGRAM_WORDS } from '../src/cli/completion.ts'
import { helpOf, parseProgram } from '../tools/lib/program.mjs'
import { PROGRAM as BOURSE } from './support/program.ts'

const ROOT = path.resolve(import.meta.dir, '..')
const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
).scripts

/** Biome answers for `format`; `start` and `bourse` are the program itself, whose commands are below. */
const OTHERS = ['format', 'start', 'bourse']
/** One benchmark would be enough: `bench/main.ts` parses the command lines of all of them in the same way. */
const QUESTIONS = ['book', 'core', 'history', 'memory', 'order-to-ack', 'recovery', 'stream']
const HELP_WORDS = ['help', '--help', '--version']

const npmPrograms = Object.entries(SCRIPTS)
  .filter(([name]) => !OTHERS.includes(name))
  // `exec` belongs to the shell.
  .map(([name, command]): [string, string[]] => [`npm run ${name}`, command.replace(/^exec /, '').split(' ')])
const questions = QUESTIONS.map((name): [string, string[]] => [
  `npm run bench -- ${name}`,
  [...(SCRIPTS.bench ?? '').split(' '), name],
])
const commands = PROGRAM_WORDS.filter((word) => !HELP_WORDS.includes(word)).map(
  (word): [string, string[]] => [`bourse ${word}`, [...BOURSE, word]],
)
const PROGRAMS = [...npmPrograms, ...questions, ...commands]

async function run(command: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR }
  const child = Bun.spawn([...command], { cwd: ROOT, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

test('a program whose reader stops early ends without an error', () => {
  const script = `node tools/count.mjs --depth 9 | head -1; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = Bun.spawnSync(['bash', '-c', script], { cwd: ROOT, stdin: 'ignore' })
  expect([stdout.toString().trimEnd().split('\n').at(-1), stderr.toString()]).toEqual(['141', ''])
})

test('the code of each thread that the program starts is built into the executable', () => {
  const app = path.join(ROOT, 'src', 'app')
  const started = [...new Glob('**/*.ts').scanSync(app)]
    .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
    .flatMap((file) => {
      const code = readFileSync(path.join(app, file), 'utf8')
      const found = code.matchAll(/new URL\('(\.[\w./-]+-worker\.ts)', import\.meta\.url\)/g)
      return [...found].map(([, worker = '']) => path.join(path.dirname(file), worker))
    })
  expect(started.length).toBeGreaterThan(3)
  const build = readFileSync(path.join(ROOT, 'tools', 'build.mjs'), 'utf8')
  expect(started.filter((worker) => !build.includes(`'${worker}'`))).toEqual([])
})

/**
 * Programs that end at once have printed only a line or two; the last two pass on another program's exit
 * code.
 */
const ENDS_AT_ONCE = ['lib/program.mjs', 'lib/setup.mjs', 'build.mjs', 'bourse.mjs', 'run.mjs']

test('a tool ends once its reader has everything that it has written', () => {
  const module = path.join(ROOT, 'tools/lib/program.mjs')
  const script = `const { endWith } = await import(${JSON.stringify(module)})
for (let i = 0; i < 10_000; i++) process.stdout.write('x'.repeat(100))
endWith(3)`
  const { stdout, exitCode } = Bun.spawnSync(['node', '--input-type=module', '-e', script])
  expect([stdout.length, exitCode]).toEqual([1_000_000, 3])
  const tools = readdirSync(path.join(ROOT, 'tools'), { recursive: true, encoding: 'utf8' })
  const ending = tools.filter(
    (file) =>
      file.endsWith('.mjs') && readFileSync(path.join(ROOT, 'tools', file), 'utf8').includes('process.exit('),
  )
  expect(ending.toSorted()).toEqual(ENDS_AT_ONCE.toSorted())
})

test.each(PROGRAMS)('%s shows its help and ends with 0', async (_, command) => {
  const { out, code } = await run([...command, '--help'])
  expect([code, /^usage: /im.test(out)]).toEqual([0, true])
})

test.each(PROGRAMS)(
  '%s refuses an option it does not know with one sentence and exit code 2',
  async (_, command) => {
    const { out, err, code } = await run([...command, '--nonsense'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('--nonsense')
    expect(err).not.toMatch(/^\s+at /m)
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(3)
  },
)

test('every command of the program is checked', () => {
  expect(commands.map(([name]) => name)).toEqual(
    expect.arrayContaining(['bourse serve', 'bourse admin', 'bourse verify', 'bourse config']),
  )
})

const PROGRAM = {
  command: 'npm run example --',
  about: 'An example.',
  options: {
    steps: { kind: 'whole', default: 10, help: 'steps' },
    sizes: { kind: 'numbers', default: [1, 2], help: 'sizes' },
    loss: { kind: 'text', among: ['ALL', 'NOTHING'], help: 'what is lost' },
    keep: { kind: 'flag', help: 'keeps it' },
  },
} as const

test('a program’s options have their defaults, and values of the kind they are', () => {
  expect(parseProgram(PROGRAM, []).values).toEqual({ steps: 10, sizes: [1, 2], loss: undefined, keep: false })
  expect(parseProgram(PROGRAM, ['--steps=3', '--sizes', '', '--loss', 'ALL', '--keep']).values).toEqual({
    steps: 3,
    sizes: [],
    loss: 'ALL',
    keep: true,
  })
})

test.each([
  [['--steps', 'ten'], '--steps must be a number'],
  [['--steps', '1.5'], '--steps must be a whole number'],
  [['--steps', '-1'], '--steps'],
  [['--sizes', '1,,2'], '--sizes must be a number'],
  [['--loss', 'SOME'], '--loss must be one of ALL, NOTHING, found SOME'],
  [['--keep=yes'], '--keep'],
  [['more'], 'takes no arguments, found more'],
])('a program refuses %p by name', (args, message) => {
  expect(() => parseProgram(PROGRAM, args)).toThrow(message)
})

test('a program’s help lists every option with its default', () => {
  expect(helpOf(PROGRAM)).toBe(`An example.

Usage: npm run example -- [options]

Options:
  --steps N    steps (10)
  --sizes N,N  sizes (1,2)
  --loss TEXT  what is lost: ALL, NOTHING
  --keep       keeps it
  --help       show this help`)
})
