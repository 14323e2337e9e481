/**
 * `npm run model -- [--steps N] [--seed S]`: as many random steps against the reference exchange as asked for, with
 * progress, and at the end how often each cell was reached.
 */
import { parseArgs } from 'node:util'
import { checkAgreement } from './agreement.ts'
import { Coverage } from './coverage.ts'

const { values } = parseArgs({ options: { steps: { type: 'string' }, seed: { type: 'string' } } })
const steps = wholeNumber('steps', values.steps, 1_000_000)
const seed = wholeNumber('seed', values.seed, Date.now() % 2 ** 31)
const coverage = new Coverage()
const started = performance.now()
let shown = started

process.stdout.write(`seed ${seed}, ${steps} steps\n`)
try {
  const taken = checkAgreement({ seed, steps, coverage, progress: tell })
  process.stdout.write(`${rate(taken)}: core and reference exchange agree\n`)
  for (const [cell, times] of coverage.cells())
    process.stdout.write(`${String(times).padStart(10)}  ${cell}\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function tell(taken: number): void {
  const now = performance.now()
  if (now - shown < 5_000) return
  shown = now
  process.stdout.write(`${rate(taken)}\n`)
}

function rate(taken: number): string {
  const seconds = (performance.now() - started) / 1000
  return `${taken} steps in ${seconds.toFixed(0)} s (${Math.round(taken / seconds)} a second)`
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  process.stderr.write(`--${name} must be a whole number, found ${text}\n`)
  process.exit(2)
}
