/**
 * Is this checkout slower than an earlier commit? Runs any other benchmark on both, alternately in one call:
 * the earlier commit, this checkout, the earlier commit again, so that the machine's own variation is printed
 * beside the ratio. The earlier commit is written to a directory of its own and runs its own benchmark;
 * figures are read from the tables that both print.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'
import { compareTurns, printedFigures, type Spread, type Turn } from './support/printed-figures.ts'

const ROOT = path.join(import.meta.dir, '..')
/** Limit for the size of a tree as a git tar file. */
const TREE_BYTES_MAX = 2 ** 30

export const PROGRAM = {
  command: 'npm run bench -- against',
  about:
    'Another question of this checkout and of an earlier commit, alternately, as ratios. Not among all questions.',
  options: {
    commit: { kind: 'text', help: 'the earlier commit' },
    question: { kind: 'text', help: 'core, order-to-ack, order-entry, recovery, start or another one' },
    options: { kind: 'text', default: '', help: 'options of the question, in one text' },
    pairs: {
      kind: 'whole',
      default: 9,
      help: 'turns, each of the earlier commit, this checkout, the earlier one',
    },
  },
} as const satisfies Program

/** Returns the names of the compared figures. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { commit, question, options, pairs } = parseProgram(PROGRAM, args).values
  if (commit === undefined || question === undefined)
    throw new Error('expected --commit and --question: which commit, and what to ask')
  // Both trees have the same layout, so that only the code differs.
  const [earlier, current] = [treeOf(commit), treeOf(committedNow())]
  try {
    const asked = [question, ...options.split(' ').filter((word) => word !== '')]
    console.log(`${machine()}; ${pairs} turns of ${asked.join(' ')}; earlier: ${commit}`)
    const turns: Turn[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const before = ask(earlier, asked)
      const now = ask(current, asked)
      turns.push({ before, now, after: ask(earlier, asked) })
    }
    const compared = compareTurns(turns)
    const rows = compared.map(({ name, ratio, noise }) => [name, ...shown(ratio), ...shown(noise)])
    const head = ['figure', 'now/earlier', 'smallest', 'largest', 'earlier/earlier', 'smallest', 'largest']
    console.log(table([head, ...rows]))
    return compared.map(({ name }) => name)
  } finally {
    for (const tree of [earlier, current]) rmSync(tree, { recursive: true })
  }
}

function shown({ median, min, max }: Spread): string[] {
  return [median, min, max].map((ratio) => ratio.toFixed(3))
}

/** This checkout as a commit, including changes of tracked files. */
function committedNow(): string {
  const { stdout } = spawnSync('git', ['stash', 'create'], { cwd: ROOT, encoding: 'utf8' })
  return stdout.trim() || 'HEAD'
}

/**
 * The tree of a commit in its own directory, with the packages of this checkout: a commit with other packages
 * must be compared by hand.
 */
function treeOf(commit: string): string {
  const cache = path.join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(path.join(cache, 'against-'))
  const limits = { cwd: ROOT, maxBuffer: TREE_BYTES_MAX }
  const archived = spawnSync('git', ['archive', '--format=tar', commit], limits)
  if (archived.status !== 0) throw new Error(`git archive ${commit}: ${archived.stderr.toString().trim()}`)
  const unpacked = spawnSync('tar', ['-x', '-C', directory], { input: archived.stdout })
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr.toString().trim()}`)
  if (!existsSync(path.join(directory, 'node_modules')))
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'))
  return directory
}

/** The output of a checkout's benchmark, as figures. */
function ask(directory: string, asked: readonly string[]): ReadonlyMap<string, number> {
  const ran = spawnSync(process.execPath, ['--no-env-file', 'bench/main.ts', ...asked], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: TREE_BYTES_MAX,
  })
  if (ran.status !== 0)
    throw new Error(`${asked.join(' ')} in ${directory} failed:\n${ran.stdout}${ran.stderr}`)
  return printedFigures(ran.stdout)
}
