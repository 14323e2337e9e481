/**
 * `npm run sim -- <seed> [--commands=<count>] [--canary=<name>] [--trace=<lines>]`: one run, with its figures.
 * `npm run sim:soak -- [<first seed>]`: one run after the other, until stopped or a rule is broken.
 */
import { CANARIES, type CanaryName } from './canary.ts'
import { type RunResult, run } from './simulation.ts'

/** Commands of a run, unless told otherwise. */
const COMMANDS = 10_000
const TRACE_LINES = 60
const PROGRESS_MS = 5_000

const HELP = `usage: npm run sim -- <seed> [--commands=${COMMANDS}] [--canary=<name>] [--trace=${TRACE_LINES}]
       npm run sim:soak -- [<first seed>] [--commands=${COMMANDS}] [--canary=<name>]
canaries: ${Object.keys(CANARIES).join(', ')}`

type Options = {
  readonly seed: number | undefined
  readonly isSoak: boolean
  readonly commands: number
  readonly traceLines: number
  readonly canary: CanaryName | undefined
}

function main(): void {
  const options = readOptions(Bun.argv.slice(2))
  if (options === undefined) {
    console.error(HELP)
    process.exit(2)
  }
  if (options.isSoak) soak(options)
  else {
    const result = runOne(options, options.seed ?? freshSeed())
    report(result)
    process.exit(result.violation === undefined ? 0 : 1)
  }
}

function runOne({ commands, traceLines, canary }: Options, seed: number): RunResult {
  const bug = canary === undefined ? {} : { canary: CANARIES[canary].canary }
  return run({ seed, commands, traceLines, ...bug })
}

/** Runs until a rule is broken, or for ever. */
function soak(options: Options): void {
  const first = options.seed ?? freshSeed()
  const started = performance.now()
  let told = started
  let commands = 0
  for (let seed = first; ; seed++) {
    const result = runOne(options, seed)
    commands += result.commands
    if (result.violation !== undefined) {
      report(result)
      process.exit(1)
    }
    if (performance.now() - told < PROGRESS_MS) continue
    told = performance.now()
    const seconds = Math.round((told - started) / 1000)
    console.log(`${seed - first + 1} seeds from ${first}, ${commands} commands, ${seconds} s, no rule broken`)
  }
}

function report(result: RunResult): void {
  const { seed, commands, steps, simulatedMs, digest, violation, trace } = result
  if (violation === undefined)
    for (const [cell, count] of result.coverage.entries()) console.log(`${cell}: ${count}`)
  else for (const line of trace) console.log(line)
  const figures = `${commands} commands, ${steps} steps, ${simulatedMs} simulated ms`
  console.log(`seed ${seed}: ${figures}, digest ${digest}`)
  if (violation === undefined) console.log('no rule was broken')
  else
    console.log(
      `BROKEN at step ${steps}: ${violation.message}\nagain: npm run sim -- ${Bun.argv
        .slice(2)
        .filter((arg) => arg.startsWith('--') && arg !== '--soak')
        .concat(String(seed))
        .join(' ')}`,
    )
}

function readOptions(args: readonly string[]): Options | undefined {
  const options = {
    seed: undefined,
    isSoak: false,
    commands: COMMANDS,
    traceLines: TRACE_LINES,
    canary: undefined,
  }
  const found: { -readonly [Name in keyof Options]: Options[Name] } = options
  for (const arg of args) {
    const [name, value = ''] = arg.split('=')
    if (/^\d+$/.test(arg)) found.seed = Number(arg)
    else if (arg === '--soak') found.isSoak = true
    else if (name === '--commands' && /^\d+$/.test(value)) found.commands = Number(value)
    else if (name === '--trace' && /^\d+$/.test(value)) found.traceLines = Number(value)
    else if (name === '--canary' && value in CANARIES) found.canary = value as CanaryName
    else return undefined
  }
  return found
}

function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number
}

main()
