/**
 * `npm run sim -- <seed>`: one run, with its figures. `npm run sim:soak`: one after the other, until stopped or a rule
 * is broken. `npm run sim -- --crash-points`: every crash point of a scenario.
 */
import { CANARIES, type CanaryName } from './canary/canaries.ts'
import { type Canary, NO_CANARY } from './canary/canary.ts'
import { enumerate, LOSSES, type Loss, runCase } from './crash-points/enumeration.ts'
import { SCENARIOS, type ScenarioName } from './crash-points/scenarios.ts'
import { type RunResult, run } from './simulation.ts'
import type { StageReport } from './stage.ts'

/** Commands of a run, unless told otherwise. */
const COMMANDS = 10_000
const TRACE_LINES = 60
const PROGRESS_MS = 5_000

const HELP = `usage: npm run sim -- <seed> [--commands=${COMMANDS}] [--canary=<name>] [--trace=${TRACE_LINES}]
       npm run sim:soak -- [<first seed>] [--commands=${COMMANDS}] [--canary=<name>]
       npm run sim -- --crash-points [<scenario>|all] [--canary=<name>]
       npm run sim -- --crash-points <scenario> --point=<number> [--loss=${LOSSES.join('|')}] [--canary=<name>]
scenarios: ${Object.keys(SCENARIOS).join(', ')}
canaries: ${Object.keys(CANARIES).join(', ')}`

type Options = {
  seed: number | undefined
  mode: 'RUN' | 'SOAK' | 'CRASH_POINTS'
  commands: number
  traceLines: number
  canary: CanaryName | undefined
  /** Undefined: all of them. */
  scenario: ScenarioName | undefined
  point: number | undefined
  loss: Loss
}

function main(): void {
  const options = readOptions(Bun.argv.slice(2))
  if (options === undefined) {
    console.error(HELP)
    process.exit(2)
  }
  const isSound = options.mode === 'CRASH_POINTS' ? tryCrashPoints(options) : runSeeds(options)
  process.exit(isSound ? 0 : 1)
}

function runSeeds(options: Options): boolean {
  const seed = options.seed ?? freshSeed()
  if (options.mode === 'SOAK') return soak(options, seed)
  const result = runOne(options, seed)
  report(result)
  return result.violation === undefined
}

function runOne({ commands, traceLines, canary }: Options, seed: number): RunResult {
  return run({ seed, commands, traceLines, canary: canaryOf(canary) })
}

/** Runs until a rule is broken, or for ever. */
function soak(options: Options, first: number): boolean {
  const started = performance.now()
  let told = started
  let commands = 0
  for (let seed = first; ; seed++) {
    const result = runOne(options, seed)
    commands += result.commands
    if (result.violation !== undefined) {
      report(result)
      return false
    }
    if (performance.now() - told < PROGRESS_MS) continue
    told = performance.now()
    const seconds = Math.round((told - started) / 1000)
    console.log(`${seed - first + 1} seeds from ${first}, ${commands} commands, ${seconds} s, no rule broken`)
  }
}

function report(result: RunResult): void {
  const { seed, commands, steps, simulatedMs, digest, violation } = result
  if (violation === undefined) {
    for (const [cell, count] of result.coverage.entries()) console.log(`${cell}: ${count}`)
  }
  const figures = `${commands} commands, ${steps} steps, ${simulatedMs} simulated ms`
  const again = Bun.argv.slice(2).filter((arg) => arg.startsWith('--') && arg !== '--soak')
  reportBroken(result, [...again, String(seed)])
  console.log(`seed ${seed}: ${figures}, digest ${digest}`)
  if (violation === undefined) console.log('no rule was broken')
}

/** Where a rule was broken: what came before it, what it is, and how to see it again. */
function reportBroken({ violation, trace, steps }: StageReport, again: readonly string[]): void {
  if (violation === undefined) return
  for (const line of trace) console.log(line)
  console.log(`BROKEN at step ${steps}: ${violation.message}\nagain: npm run sim -- ${again.join(' ')}`)
}

function tryCrashPoints({ scenario, point, loss, canary }: Options): boolean {
  const bug = canary === undefined ? [] : [`--canary=${canary}`]
  if (scenario !== undefined && point !== undefined) {
    const result = runCase({ scenario, point, loss, canary: canaryOf(canary) })
    reportBroken(result, Bun.argv.slice(2))
    console.log(`${scenario}, point ${point} of ${result.points}, ${loss}: ${result.where ?? 'not reached'}`)
    return result.violation === undefined
  }
  const names = scenario === undefined ? (Object.keys(SCENARIOS) as ScenarioName[]) : [scenario]
  for (const name of names) {
    const { points, cases, broken } = enumerate(name, canaryOf(canary))
    console.log(`${name} (${SCENARIOS[name].stresses}): ${points} crash points, ${cases} cases tried`)
    if (broken === undefined) continue
    const at = broken.crashCase
    reportBroken(broken.result, ['--crash-points', name, `--point=${at.point}`, `--loss=${at.loss}`, ...bug])
    return false
  }
  console.log('no rule was broken')
  return true
}

function canaryOf(name: CanaryName | undefined): Canary {
  return name === undefined ? NO_CANARY : CANARIES[name].canary
}

function readOptions(args: readonly string[]): Options | undefined {
  const found: Options = {
    seed: undefined,
    mode: 'RUN',
    commands: COMMANDS,
    traceLines: TRACE_LINES,
    canary: undefined,
    scenario: 'trading',
    point: undefined,
    loss: 'NOTHING',
  }
  for (const arg of args) if (!readOption(found, arg)) return undefined
  return found
}

/** Takes one argument; false when it is none. */
function readOption(found: Options, arg: string): boolean {
  const [name, value = ''] = arg.split('=')
  const isNumber = /^\d+$/.test(value)
  if (/^\d+$/.test(arg)) found.seed = Number(arg)
  else if (arg === '--soak') found.mode = 'SOAK'
  else if (arg === '--crash-points') found.mode = 'CRASH_POINTS'
  else if (found.mode === 'CRASH_POINTS' && arg === 'all') found.scenario = undefined
  else if (found.mode === 'CRASH_POINTS' && arg in SCENARIOS) found.scenario = arg as ScenarioName
  else if (name === '--point' && isNumber) found.point = Number(value)
  else if (name === '--loss' && LOSSES.includes(value as Loss)) found.loss = value as Loss
  else if (name === '--commands' && isNumber) found.commands = Number(value)
  else if (name === '--trace' && isNumber) found.traceLines = Number(value)
  else if (name === '--canary' && value in CANARIES) found.canary = value as CanaryName
  else return false
  return true
}

function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number
}

main()
