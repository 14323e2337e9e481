/**
 * `npm run sim -- <seed>`: one run, with its figures. `npm run sim:soak`: runs one after the other, until
 * stopped or a rule is broken. `npm run sim -- --crash-points`: every crash point of a scenario.
 */
import { notUnderstood, readProgram } from '../tools/lib/program.mjs'
import { CANARIES, type CanaryName } from './canary/canaries.ts'
import { type Canary, NO_CANARY } from './canary/canary.ts'
import { enumerate, LOSSES, type Loss, runCase } from './crash-points/enumeration.ts'
import { SCENARIOS, type ScenarioName } from './crash-points/scenarios.ts'
import { type RunResult, run } from './simulation.ts'
import type { StageReport } from './stage.ts'

/** Number of commands of a run, unless an option specifies another number. */
const COMMANDS = 10_000
const TRACE_LINES = 60
const PROGRESS_MS = 5_000

const PROGRAM = {
  command: 'npm run sim --',
  about: `One run of the simulator, with its figures; or every crash point of a scenario.

  npm run sim -- [seed]                                                one run
  npm run sim:soak -- [first seed]                                     seed after seed, until a rule is broken
  npm run sim -- --crash-points [scenario|all]                         every crash point of a scenario (trading)
  npm run sim -- --crash-points <scenario> --point N [--loss TEXT]     one of them

Scenarios: ${Object.keys(SCENARIOS).join(', ')}`,
  words: '[seed|scenario]',
  options: {
    commands: { kind: 'whole', default: COMMANDS, help: 'commands of a run' },
    trace: { kind: 'whole', default: TRACE_LINES, help: 'newest lines of the trace that are shown' },
    canary: {
      kind: 'text',
      among: Object.keys(CANARIES) as CanaryName[],
      help: 'with this bug, which must be found',
    },
    soak: { kind: 'flag', help: 'seed after seed, until it is stopped or a rule is broken' },
    'crash-points': { kind: 'flag', help: 'every crash point of a scenario' },
    point: { kind: 'whole', help: 'only this crash point' },
    loss: { kind: 'text', among: LOSSES, default: 'NOTHING', help: 'what a power cut takes there' },
  },
} as const

type Options = {
  seed: number | undefined
  mode: 'RUN' | 'SOAK' | 'CRASH_POINTS'
  commands: number
  traceLines: number
  canary: CanaryName | undefined
  /** Undefined for all scenarios. */
  scenario: ScenarioName | undefined
  point: number | undefined
  loss: Loss
}

function main(): void {
  const options = readOptions()
  const isSound = options.mode === 'CRASH_POINTS' ? tryCrashPoints(options) : runSeeds(options)
  process.exit(isSound ? 0 : 1)
}

function runSeeds(options: Options): boolean {
  const seed = options.seed ?? freshSeed()
  if (options.mode === 'SOAK') return soak(options, seed)
  const result = runOne(options, seed)
  report(result, options)
  return result.violation === undefined
}

function runOne({ commands, traceLines, canary }: Options, seed: number): RunResult {
  return run({ seed, commands, traceLines, canary: canaryOf(canary) })
}

/** Runs until a rule is broken, or forever. */
function soak(options: Options, first: number): boolean {
  const started = performance.now()
  let printedAt = started
  let commands = 0
  for (let seed = first; ; seed++) {
    const result = runOne(options, seed)
    commands += result.commands
    if (result.violation !== undefined) {
      report(result, options)
      return false
    }
    if (performance.now() - printedAt < PROGRESS_MS) continue
    printedAt = performance.now()
    const seconds = Math.round((printedAt - started) / 1000)
    console.log(`${seed - first + 1} seeds from ${first}, ${commands} commands, ${seconds} s, no rule broken`)
  }
}

function report(result: RunResult, options: Options): void {
  const { seed, commands, steps, simulatedMs, digest, violation } = result
  if (violation === undefined) {
    for (const [cell, count] of result.coverage.entries()) console.log(`${cell}: ${count}`)
  }
  const figures = `${commands} commands, ${steps} steps, ${simulatedMs} simulated ms`
  const bug = options.canary === undefined ? [] : [`--canary=${options.canary}`]
  reportBroken(result, [`--commands=${options.commands}`, ...bug, String(seed)])
  console.log(`seed ${seed}: ${figures}, digest ${digest}`)
  if (violation === undefined) console.log('no rule was broken')
}

/** Prints the report of a violation: the trace before it, the rule, and the command that reproduces it. */
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

function readOptions(): Options {
  const { values, words } = readProgram(PROGRAM)
  const [word, ...more] = words
  const isSeed = word !== undefined && /^\d+$/.test(word)
  const isScenario = values['crash-points'] && word !== undefined && (word === 'all' || word in SCENARIOS)
  if (more.length > 0 || (word !== undefined && !isSeed && !isScenario)) {
    const scenario = values['crash-points'] ? ' or a scenario' : ''
    notUnderstood(PROGRAM.command, `expected one seed${scenario}, found ${words.join(' ')}`)
  }
  const mode = values.soak ? 'SOAK' : 'RUN'
  return {
    seed: isSeed ? Number(word) : undefined,
    mode: values['crash-points'] ? 'CRASH_POINTS' : mode,
    commands: values.commands,
    traceLines: values.trace,
    canary: values.canary as CanaryName | undefined,
    scenario: word === 'all' ? undefined : isScenario ? (word as ScenarioName) : 'trading',
    point: values.point,
    loss: values.loss as Loss,
  }
}

function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number
}

main()
