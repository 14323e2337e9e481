/**
 * `npm run mutants -- [path ...] [--sample N] [--seed S] [--slips] [--list NAME] [--json FILE]`: changes the
 * program on purpose, one small change at a time, and reports which changes no test detects. Paths are source
 * files or folders; without any, all code that handles money and commands. `--slips`: the changes of slips.ts
 * instead of those of the operators; `--list`: only those of one file of `slips/`. Ends with 1 if a mutant
 * survives without an explanation.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../../tools/lib/program.mjs'
import { Compiler } from './compiler.ts'
import { EQUIVALENT, explanation, stale } from './equivalent.ts'
import { Judge } from './judge.ts'
import { changeOf, type Mutant, shuffled } from './mutant.ts'
import { mutantsOf } from './operators.ts'
import { complaints, type Judged, scoreOf, survivors, table, uncompiled } from './report.ts'
import { mutantOf, SLIP_LISTS, SLIPS, type Slip } from './slips.ts'
import { Workspace } from './workspace.ts'

const ROOT = path.resolve(import.meta.dir, '../..')
const PLACES = [
  'src/units',
  'src/core',
  'src/engine',
  'src/server/access',
  'src/storage/sqlite',
  'src/storage/files',
]

const { values, words } = readProgram({
  command: 'npm run mutants --',
  about:
    'Changes the program on purpose, one small change at a time, and tells which changes no test notices. Paths are source files or folders; without any, all that keeps money and commands.',
  words: '[path ...]',
  options: {
    sample: { kind: 'whole', help: 'only so many, drawn by the seed' },
    seed: { kind: 'whole', help: 'repeats a run; without it another one each time' },
    slips: { kind: 'flag', help: 'the changes of slips.ts instead of those that operators make' },
    list: {
      kind: 'text',
      among: Object.keys(SLIP_LISTS),
      help: 'with --slips: those of one file of slips/ alone, by its name',
    },
    json: { kind: 'text', help: 'a file for the result' },
  },
})
const { sample = Number.POSITIVE_INFINITY, seed = Date.now() % 2 ** 31 } = values
const lists: Readonly<Record<string, readonly Slip[]>> = SLIP_LISTS
const ofList = values.list === undefined ? SLIPS : (lists[values.list] ?? [])
const files = (words.length > 0 ? words : PLACES).flatMap(sourcesUnder)

const workspace = new Workspace(ROOT)
const compiler = new Compiler(workspace.root)
process.on('exit', () => {
  workspace.stop()
  workspace.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
try {
  process.exitCode = await judgeAll()
} finally {
  await compiler.close()
}

async function judgeAll(): Promise<number> {
  const mutants = values.slips ? slips() : await everyMutant()
  const drawn = Number.isFinite(sample) ? shuffled(mutants, seed) : mutants
  process.stdout.write(`${mutants.length} mutants of ${files.length} files, seed ${seed}\n`)
  const judge = new Judge(workspace, compiler)
  const judged: Judged[] = []
  try {
    let counted = 0
    for (const mutant of drawn) {
      if (counted >= sample) break
      const one = await judgeOne(judge, mutant)
      judged.push(one)
      if (one.verdict.kind === 'refused') continue
      counted++
      process.stdout.write(`${counted} ${lineOf(one)}\n`)
    }
    await judge.confirm()
  } catch (cause) {
    process.stdout.write(`\nended too early; so far:\n${table(judged)}\n`)
    throw cause
  }
  return finish(judged, values.slips ? idleSlips(judged) : complaints(judged, oldEntries(mutants)))
}

async function everyMutant(): Promise<readonly Mutant[]> {
  const mutants: Mutant[] = []
  for (const file of files) mutants.push(...mutantsOf(await compiler.read(file), file))
  return mutants
}

function slips(): readonly Mutant[] {
  return wantedSlips().flatMap((slip) => mutantOf(slip, workspace.read(slip.file)) ?? [])
}

function wantedSlips(): readonly Slip[] {
  return ofList.filter(({ file }) => words.length === 0 || files.includes(file))
}

/** Slips without effect: their place no longer exists, or the compiler refuses them. */
function idleSlips(judged: readonly Judged[]): readonly string[] {
  const lost = wantedSlips().filter((slip) => mutantOf(slip, workspace.read(slip.file)) === undefined)
  return [
    ...lost.map(({ file, wrong }) => `${file}: the slip "${wrong}" has lost its place`),
    ...uncompiled(judged),
  ]
}

function oldEntries(mutants: readonly Mutant[]) {
  const changes = mutants.map((mutant) => {
    const { file } = mutant
    return { ...changeOf(workspace.read(file), mutant), file }
  })
  return stale(EQUIVALENT, files, changes)
}

async function judgeOne(judge: Judge, mutant: Mutant): Promise<Judged> {
  const { file, operator } = mutant
  const change = changeOf(workspace.read(file), mutant)
  const reason = explanation(EQUIVALENT, file, change)?.reason
  const verdict = await judge.verdict(mutant)
  return { file, operator, ...change, verdict, ...(reason === undefined ? {} : { reason }) }
}

function lineOf({ file, line, operator, after, verdict, reason }: Judged): string {
  const explained = reason === undefined ? 'SURVIVED' : 'explained'
  const word = verdict.kind === 'killed' ? `killed by ${verdict.by}` : explained
  return `${word}: ${file}:${line}: ${values.slips ? operator : after.slice(0, 100)}`
}

function finish(judged: readonly Judged[], wrong: readonly string[]): number {
  const score = scoreOf(judged)
  const unnoticed = survivors(judged)
  process.stdout.write(`\n${table(judged)}\n`)
  if (unnoticed !== '') process.stdout.write(`\nnobody noticed:\n${unnoticed}\n`)
  for (const complaint of wrong) process.stdout.write(`\n${complaint}\n`)
  const whole = {
    seed,
    sample: Number.isFinite(sample) ? sample : null,
    files,
    score,
    complaints: wrong,
    judged,
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(whole, undefined, 2)}\n`)
  return score.survived > 0 || wrong.length > 0 ? 1 : 0
}

/** The source files at a path below the project's root, without tests and code that only tests use. */
function sourcesUnder(place: string): readonly string[] {
  const whole = path.resolve(ROOT, place)
  const found = statSync(whole).isDirectory()
    ? readdirSync(whole, { recursive: true, encoding: 'utf8' }).map((name) => path.join(whole, name))
    : [whole]
  return found
    .filter(
      (file) => file.endsWith('.ts') && !/\.(test|contract|fixture|arbitraries|golden|d)\.ts$/.test(file),
    )
    .map((file) => path.relative(ROOT, file).replaceAll(path.sep, '/'))
    .sort()
}
