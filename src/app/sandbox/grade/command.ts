/** `bourse sandbox grade`: the command line of a grade, and how it is shown. */

import { UsageError } from '../../../cli/arguments.ts'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import { printable } from '../../../units/printable.ts'
import { wholeOption } from '../whole-option.ts'
import { type Grade, gradeBot } from './grade-bot.ts'
import { faultPlan } from './plan.ts'

const EXIT_OK = 0
const EXIT_FINDINGS = 1
const SECONDS_LEAST = 5
const SECONDS_MOST = 3_600
const SECONDS_BOUNDS = { least: SECONDS_LEAST, most: SECONDS_MOST }
const SEED_BOUNDS = { least: 0, most: Number.MAX_SAFE_INTEGER }
const SECONDS_DEFAULT = 60
const SEED_DEFAULT = 1

const HELP = `bourse sandbox grade: test how a bot copes with cut connections, delays, lost answers and a clock that runs ahead

Usage: bourse sandbox grade [options] [--] <command of a bot>
       npm run grade -- [options] <command of a bot>          from a checkout

The bot runs against a sandbox of its own with a live market. The environment variables BOURSE_URL, BOURSE_STREAM_URL,
BOURSE_KEY and BOURSE_SECRET contain the addresses and the bot's API key. At the end of the test the bot gets SIGTERM.

Options:
  --seconds N   length of the test, ${SECONDS_LEAST} to ${SECONDS_MOST} [${SECONDS_DEFAULT}]
  --seed N      seed of the faults and of the market [${SEED_DEFAULT}]
  --json        print the grade as one JSON object
  --help        show this help

Exit code: 0 no findings, 1 findings, 2 the command line is invalid.`

export type GradeHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: ProgramVersion
  /** Resolves when the user asks to end the test. */
  readonly interrupted: Promise<void>
}

type GradeLine = {
  readonly command: readonly string[]
  readonly seconds: number
  readonly seed: number
  readonly isJson: boolean
  readonly isHelp: boolean
}

/** Resolves with the exit code. Throws `UsageError`; rejects as `gradeBot` does. */
export async function runGrade(line: readonly string[], host: GradeHost): Promise<number> {
  const { command, seconds, seed, isJson, isHelp } = readLine(line)
  if (isHelp) {
    host.print(HELP)
    return EXIT_OK
  }
  const [program, ...words] = command
  if (program === undefined) throw new UsageError('grade needs the command that starts the bot')
  const problem = (fields: object, message: string) => host.printError(`${message} ${JSON.stringify(fields)}`)
  const grade = await gradeBot({
    command: [program, ...words],
    environment: host.environment,
    seed,
    seconds,
    plan: faultPlan(seed, seconds),
    version: host.version,
    log: { debug() {}, info() {}, warn() {}, error: problem },
    passOn: host.printError,
    interrupted: host.interrupted,
  })
  host.print(isJson ? JSON.stringify(grade) : gradeText(grade))
  return grade.findings.length === 0 ? EXIT_OK : EXIT_FINDINGS
}

export function gradeText({ seed, seconds, requests, fills, faults, findings, unchecked }: Grade): string {
  const met = Object.entries(faults).map(([kind, count]) => `${kind} ${count}`)
  const lines = [
    `${requests} requests and ${fills} fills in at most ${seconds} s, seed ${seed}`,
    `Faults that the bot encountered: ${met.length === 0 ? 'none' : met.join(', ')}`,
    '',
    ...(findings.length === 0
      ? ['Nothing was found.']
      : findings.map(({ kind, count, message }) => `${kind} (${count}): ${printable(message)}.`)),
  ]
  if (unchecked.length > 0)
    lines.push('', `Not checked, because the bot did not report or do it: ${printable(unchecked.join(', '))}`)
  return lines.join('\n')
}

/** Options precede the command; options after it belong to the command. */
function readLine(line: readonly string[]): GradeLine {
  let seconds = SECONDS_DEFAULT
  let seed = SEED_DEFAULT
  let isJson = false
  let isHelp = false
  let place = 0
  for (; place < line.length; place++) {
    const [name = '', attached] = (line[place] as string).split('=', 2)
    if (!name.startsWith('-')) break
    if (name === '--') {
      place++
      break
    }
    if (name === '--json') isJson = true
    else if (name === '--help' || name === '-h') isHelp = true
    else if (name === '--seconds') seconds = wholeOption(name, attached ?? line[++place], SECONDS_BOUNDS)
    else if (name === '--seed') seed = wholeOption(name, attached ?? line[++place], SEED_BOUNDS)
    else throw new UsageError(`unknown option ${name}: options of the grade come before the bot's command`)
  }
  return { command: line.slice(place), seconds, seed, isJson, isHelp }
}
