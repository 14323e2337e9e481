/**
 * `npm run model -- [--steps N] [--seed S]`: N random steps against the reference exchange, with progress,
 * and at the end the count of each cell.
 */

import { readProgram } from '../../tools/lib/program.mjs'
import { checkAgreement } from './agreement.ts'
import { Coverage } from './coverage.ts'

const { values } = readProgram({
  command: 'npm run model --',
  about:
    'Random commands against a second exchange in exact fractions; at the end, how often each case came up.',
  options: {
    steps: { kind: 'whole', default: 1_000_000, help: 'commands' },
    seed: { kind: 'whole', help: 'repeats a run; without it another one each time' },
  },
})
const { steps, seed = Date.now() % 2 ** 31 } = values
const coverage = new Coverage()
const started = performance.now()
let shown = started

process.stdout.write(`seed ${seed}, ${steps} steps\n`)
try {
  const taken = checkAgreement({ seed, steps, coverage, progress: printProgress })
  process.stdout.write(`${rate(taken)}: core and reference exchange agree\n`)
  for (const [cell, times] of [...coverage.pairs(), ...coverage.cells()])
    process.stdout.write(`${String(times).padStart(10)}  ${cell}\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function printProgress(taken: number): void {
  const now = performance.now()
  if (now - shown < 5_000) return
  shown = now
  process.stdout.write(`${rate(taken)}\n`)
}

function rate(taken: number): string {
  const seconds = (performance.now() - started) / 1000
  return `${taken} steps in ${seconds.toFixed(0)} s (${Math.round(taken / seconds)} a second)`
}
