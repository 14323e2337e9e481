/**
 * `npm run soak -- [--hours N | --minutes N]`: the real node at half load for as long as asked for, two minutes unless
 * told otherwise; a line for each window, and at the end whether memory, latency and disk were flat.
 */
import { parseArgs } from 'node:util'
import { mib, unevenness, type Window } from './flatness.ts'
import { soak } from './soak.ts'

const SECONDS = 120
const WINDOWS = 12
/** Long runs have a window for every ten minutes. */
const WINDOW_SECONDS_MAX = 600

const { values } = parseArgs({ options: { hours: { type: 'string' }, minutes: { type: 'string' } } })
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

function upTo1000(name: string, text: string | undefined): number {
  const value = Number(text ?? 0)
  if (value >= 0 && value <= 1_000) return value
  process.stderr.write(`--${name} must be a number from 0 to 1000, found ${text}\n`)
  process.exit(2)
}
