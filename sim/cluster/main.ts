/**
 * `npm run sim:cluster -- <seed>`: one run of the cluster, with its figures; with `--rounds`, seed after seed
 * until a rule is broken.
 */
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { Coverage } from '../coverage.ts'
import { CLUSTER_CANARIES, type ClusterCanary, type ClusterCanaryName } from './canaries.ts'
import { type ClusterResult, runCluster } from './cluster.ts'
import { THEMES, type Theme } from './shape.ts'

const TRACE_LINES = 60
const PROGRESS_MS = 5_000

const PROGRAM = {
  command: 'npm run sim:cluster --',
  about: `Runs of the simulated cluster: engines, gateways and a replicated database under faults.

  npm run sim:cluster -- [seed]                   one run, with its figures
  npm run sim:cluster -- [seed] --rounds 1000     seed after seed, until a rule is broken`,
  words: '[seed]',
  options: {
    rounds: { kind: 'whole', default: 1, help: 'seeds, from the one that is given on' },
    theme: { kind: 'text', among: THEMES, help: 'what the faults aim at, instead of what the seed draws' },
    trace: { kind: 'whole', default: TRACE_LINES, help: 'newest lines of the trace that are shown' },
    canary: {
      kind: 'text',
      among: Object.keys(CLUSTER_CANARIES) as ClusterCanaryName[],
      help: 'with this bug, which must be found',
    },
  },
} as const

type Options = {
  readonly seed: number
  readonly rounds: number
  readonly theme: Theme | undefined
  readonly traceLines: number
  readonly canary: ClusterCanaryName | undefined
}

function main(): void {
  const options = readOptions()
  const { seed, rounds, theme, traceLines, canary } = options
  const bug: ClusterCanary | undefined = canary && CLUSTER_CANARIES[canary]
  const coverage = new Coverage()
  const begun = performance.now()
  let printedAt = begun
  for (let i = 0; i < rounds; i++) {
    const result = runCluster({
      seed: seed + i,
      theme: theme ?? bug?.theme,
      traceLines,
      ...(bug && { guards: bug.guards }),
    })
    coverage.add(result.coverage)
    if (result.violation !== undefined) {
      reportBroken(result, options)
      process.exit(1)
    }
    if (rounds === 1) reportOne(result)
    if (performance.now() - printedAt < PROGRESS_MS) continue
    printedAt = performance.now()
    console.log(`${i + 1} seeds from ${seed}, ${Math.round((printedAt - begun) / 1000)} s, no rule broken`)
  }
  for (const [cell, count] of coverage.entries()) console.log(`${cell}: ${count}`)
  console.log(`${rounds} seeds from ${seed}: no rule was broken`)
}

function reportOne({ trace, seed, steps, simulatedMs, digest }: ClusterResult): void {
  for (const line of trace) console.log(line)
  console.log(`seed ${seed}: ${steps} steps, ${simulatedMs} simulated ms, digest ${digest}`)
}

function reportBroken({ trace, violation, seed, steps }: ClusterResult, { theme, canary }: Options): void {
  for (const line of trace) console.log(line)
  const bug = canary === undefined ? '' : ` --canary=${canary}`
  const aim = theme === undefined ? '' : ` --theme=${theme}`
  console.log(`BROKEN at step ${steps}: ${violation?.message}`)
  console.log(`again: npm run sim:cluster -- ${seed}${aim}${bug}`)
}

function readOptions(): Options {
  const { values, words } = readProgram(PROGRAM)
  const [word, ...more] = words
  if (more.length > 0 || (word !== undefined && !/^\d{1,15}$/.test(word))) {
    notUnderstood(PROGRAM.command, `expected one seed, found ${words.join(' ')}`)
  }
  return {
    seed: word === undefined ? (crypto.getRandomValues(new Uint32Array(1))[0] as number) : Number(word),
    rounds: values.rounds,
    theme: values.theme as Theme | undefined,
    traceLines: values.trace,
    canary: values.canary as ClusterCanaryName | undefined,
  }
}

main()
