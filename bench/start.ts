/**
 * How long does a node with a small market take until it answers, and the command line until its output is
 * printed? Each start is a separate process; measures wall-clock time, and for the command line the CPU time
 * of its process.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { median } from '../test/support/median.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'
import { makeDirectory } from './support/resting-load.ts'
import { timeToAnswer } from './support/time-to-answer.ts'

const MAIN = path.join(import.meta.dir, '../src/app/main.ts')
/** Command lines that load every command and its help, without a node. */
const LINES = [['--version'], ['admin', '--help'], ['help', 'serve']] as const
const SMALL = { accounts: 10, orders: 10 }

export const PROGRAM = {
  command: 'npm run bench -- start',
  about: 'How long a small node takes to start, and the command line to answer.',
  options: {
    rounds: { kind: 'whole', default: 9, help: 'starts of each, after one to warm up' },
    'no-node': { kind: 'flag', help: 'the command line alone' },
  },
} as const satisfies Program

/** Returns what was started. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const { rounds } = values
  console.log(`${machine()}; medians of ${rounds} starts, after one to warm up`)
  const rows: string[][] = []
  if (!values['no-node']) rows.push(['node', ...(await startNodes(rounds))])
  for (const line of LINES) rows.push([`bourse ${line.join(' ')}`, ...startLines(line, rounds)])
  console.log(table([['what', 'wall', 'CPU'], ...rows]))
  return rows.map(([name = '']) => name)
}

async function startNodes(rounds: number): Promise<string[]> {
  const directory = await makeDirectory(SMALL)
  try {
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const time = await timeToAnswer(directory)
      if (round > 0) times.push(time)
    }
    return [milliseconds(median(times)), '-']
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function startLines(line: readonly string[], rounds: number): string[] {
  const walls: number[] = []
  const cpus: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now()
    const { resourceUsage } = Bun.spawnSync([process.execPath, '--no-env-file', MAIN, ...line])
    if (round === 0) continue
    walls.push(performance.now() - startedAt)
    cpus.push(Number(resourceUsage.cpuTime.total) / 1000)
  }
  return [milliseconds(median(walls)), milliseconds(median(cpus))]
}

function milliseconds(time: number): string {
  return `${time.toFixed(1)} ms`
}
