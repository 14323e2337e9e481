/**
 * `npm run cluster:soak -- [--rounds N]`: two engines as processes on a real database, a fault a round under load, and in the end whether
 * everything acknowledged is there once, all books add up and both engines have one state.
 */
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { median } from '../support/median.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { Drill, FAULTS } from './support/drill.ts'

const PROGRAM = {
  command: 'npm run cluster:soak --',
  about:
    'Two engines of a cluster under load, a fault a round; fails when anything acknowledged is lost or doubled.',
  options: {
    rounds: { kind: 'number', default: 20, help: 'so many faults, 1 to 100000' },
    silence: {
      kind: 'number',
      default: 700,
      help: 'milliseconds after which a leader is deposed, 450 to 60000',
    },
    seed: { kind: 'number', default: 1, help: 'which faults, in which order' },
  },
} as const

const { values } = readProgram(PROGRAM)
const { rounds, seed, silence } = values
if (!Number.isSafeInteger(rounds) || rounds < 1 || rounds > 100_000)
  notUnderstood(PROGRAM.command, `--rounds must be a whole number from 1 to 100000, found ${rounds}`)
if (!Number.isSafeInteger(silence) || silence < 450 || silence > 60_000)
  notUnderstood(PROGRAM.command, `--silence must be a whole number from 450 to 60000, found ${silence}`)

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const random = randomNumbers(seed)
const drill = await Drill.begin(await PostgresServer.start(), silence)
let problems: readonly string[] = ['it did not come to its end']
try {
  for (let round = 1; round <= rounds; round++) {
    const fault = FAULTS[Math.floor(random() * FAULTS.length)] as (typeof FAULTS)[number]
    await drill.inflict(fault)
    print(`${round}: ${fault}, ${drill.acknowledged} orders acknowledged`)
  }
  problems = await drill.reckon()
  for (const fault of FAULTS) {
    const gaps = drill.gaps.filter((gap) => gap.fault === fault).map(({ ms }) => ms)
    if (gaps.length === 0) continue
    const most = Math.max(...gaps).toFixed(0)
    print(
      `${fault}: ${gaps.length} times, ${median(gaps).toFixed(0)} ms to the next acknowledged order, at most ${most}`,
    )
  }
} finally {
  await drill.discard()
  await discardServers()
}
print(
  problems.length === 0
    ? `${drill.acknowledged} orders acknowledged, each is there once`
    : problems.join('\n'),
)
process.exit(problems.length === 0 ? 0 : 1)
