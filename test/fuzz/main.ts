/**
 * `npm run fuzz -- [--target NAME] [--executions N] [--seed S] [--keep]`: one target, or all of them one
 * after the other, with progress. Without `--executions` each runs as often as in CI. With `--keep` the
 * shortest input of every outcome that the corpus lacks is added to it.
 */

import { invariant } from '../../src/units/invariant.ts'
import { readProgram } from '../../tools/lib/program.mjs'
import { growCorpus } from './corpus.ts'
import { fuzz } from './fuzz.ts'
import type { Input } from './target.ts'
import { TARGETS } from './targets/all.ts'

const { values } = readProgram({
  command: 'npm run fuzz --',
  about: 'Hostile bytes for every parser: one target, or all of them one after the other.',
  options: {
    target: { kind: 'text', among: Object.keys(TARGETS), help: 'only this one' },
    executions: { kind: 'whole', help: 'of each target; without it as many as in continuous integration' },
    seed: { kind: 'whole', help: 'repeats a run; without it another one each time' },
    keep: { kind: 'flag', help: 'adds the shortest input of every new outcome to the corpus' },
  },
})
const { seed = Date.now() % 2 ** 31, executions: wanted } = values
const names = values.target === undefined ? Object.keys(TARGETS) : [values.target]
process.stdout.write(`seed ${seed}\n`)
for (const name of names) await runTarget(name)
// Engine.IO's timers of closed sessions would keep the process running for most of a minute.
process.exit()

async function runTarget(name: string): Promise<void> {
  const make = TARGETS[name]
  invariant(make !== undefined, `the target ${name} is one of those listed`)
  const target = await make()
  const executions = wanted ?? target.executions
  const started = performance.now()
  let shown = started
  const seconds = () => ((performance.now() - started) / 1_000).toFixed(1)
  const progress = (done: number) => {
    if (performance.now() - shown < 5_000) return
    shown = performance.now()
    process.stdout.write(`${name}: ${done} of ${executions} in ${seconds()} s\n`)
  }
  const shortest = new Map<string, Input>()
  const watch = (input: Input, outcome: string) => {
    const least = shortest.get(outcome)
    if (least === undefined || input.length < least.length) shortest.set(outcome, input)
  }
  try {
    const outcomes = await fuzz(target, { seed, executions, progress, watch })
    if (values.keep) growCorpus(name, shortest)
    const list = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, times]) => `${outcome} ${times}`)
    process.stdout.write(`${name}: ${executions} in ${seconds()} s; ${list.join(', ')}\n`)
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  } finally {
    await target.close?.()
  }
}
