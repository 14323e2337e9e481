/**
 * `npm run soak -- [--hours N | --minutes N]`: the real node at half load for the given time, two minutes by
 * default; a line for each window, and at the end whether memory, latency and disk were flat.
 */
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { mib, unevenness, type Window } from './flatness.ts'
import { soak } from './soak.ts'

const SECONDS = 120
const WINDOWS = 12
/** Length of a window in long runs: ten minutes. */
const WINDOW_SECONDS_MAX = 600

const PROGRAM = {
  command: 'npm run soak --',
  about: 'A real node at half load; fails when memory, latency or disk are not flat. Two minutes by default.',
  options: {
    hours: { kind: 'number', default: 0, help: 'for so long, and' },
    minutes: { kind: 'number', default: 0, help: 'so much longer; at most 1000 of each' },
  },
} as const

const { values } = readProgram(PROGRAM)
const seconds = 3_600 * upTo1000('hours', values.hours) + 60 * upTo1000('minutes', values.minutes) || SECONDS
const windows = Math.max(WINDOWS, Math.ceil(seconds / WINDOW_SECONDS_MAX))

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`${windows} windows of ${(seconds / windows).toFixed(0)} s`)
let number = 0
const report = await soak({ seconds, windows, onWindow: (window) => print(lineOf(++number, window)) })
print(`saturation ${report.saturation.toFixed(0)} orders a second, offered ${report.rate}`)
print(`${report.messages} messages of the stream and ${report.answers} answers were read beside`)
const problems = unevenness(report.windows)
print(problems.length === 0 ? 'flat' : problems.join('\n'))
process.exit(problems.length === 0 ? 0 : 1)

function lineOf(nth: number, { rssBytes, p50Ms, p99Ms, accepted, refused, diskBytes }: Window): string {
  const orders = `${accepted} orders accepted, ${refused} not`
  const latency = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`
  return `${nth}: memory ${mib(rssBytes)} MiB, ${latency}, disk ${mib(diskBytes)} MiB, ${orders}`
}

function upTo1000(name: string, value: number): number {
  if (value <= 1_000) return value
  return notUnderstood(PROGRAM.command, `--${name} must be a number from 0 to 1000, found ${value}`)
}
