/**
 * Runs a target: first the committed corpus, then the requested number of generated and mutated inputs, all
 * from one seed. An input with a new outcome becomes a starting point of mutation. A failing input is shrunk.
 */
import { RandomSource } from '../model/random-source.ts'
import { corpusLine, readCorpus } from './corpus.ts'
import { mutateBytes, mutateText } from './mutate.ts'
import { type AnyTarget, FindingError, type Input, type Target } from './target.ts'

/** An execution that takes longer than this at every attempt is a finding: a parser must not hang. */
const EXECUTION_MS_MAX = 1_000
/** Number of attempts of a slow execution: on a busy machine anything can be slow once. */
const SLOW_TRIES = 3
const POOL_MAX = 2_000

export type FuzzOptions = {
  readonly seed: number
  readonly executions: number
  /** Default: `EXECUTION_MS_MAX`. */
  readonly executionMsMax?: number
  /** Called from time to time with the number of executions. */
  readonly progress?: (executions: number) => void
  /** Called with every input and its outcome. */
  readonly watch?: (input: Input, outcome: string) => void
}

/** The count of each outcome. Throws a `FindingError` that states target, seed and shrunk input. */
export async function fuzz(target: AnyTarget, options: FuzzOptions): Promise<Map<string, number>> {
  const inputs = isText(target) ? fuzzText(target) : fuzzBytes(target)
  return run(target as unknown as Target<Input>, inputs, options)
}

type Draw = (random: RandomSource, pool: readonly Input[]) => Input

function isText(target: AnyTarget): target is Target<string> {
  return typeof target.samples[0] === 'string'
}

function fuzzText(target: Target<string>): Draw {
  return (random, pool) => {
    if (target.generate !== undefined && random.once(3)) return target.generate(random)
    const [input, other] = [random.pick(pool), random.pick(pool)] as [string, string]
    return mutateText(random, input, other, target.tokens)
  }
}

function fuzzBytes(target: Target<Uint8Array>): Draw {
  return (random, pool) => {
    if (target.generate !== undefined && random.once(3)) return target.generate(random)
    const [input, other] = [random.pick(pool), random.pick(pool)] as [Uint8Array, Uint8Array]
    return mutateBytes(random, input, other, target.tokens)
  }
}

async function run(target: Target<Input>, draw: Draw, options: FuzzOptions): Promise<Map<string, number>> {
  const { seed, executions, progress, watch, executionMsMax = EXECUTION_MS_MAX } = options
  const random = new RandomSource(seed)
  const pool: Input[] = [...readCorpus(target.name), ...target.samples]
  const timesByOutcome = new Map<string, number>()
  const known = pool.length
  for (let i = 0; i < executions; i++) {
    const input = i < known ? (pool[i] as Input) : draw(random, pool)
    const started = performance.now()
    let outcome: string
    try {
      const answer = target.check(input)
      outcome = typeof answer === 'string' ? answer : await answer
    } catch (error) {
      throw await findingOf(target, input, error, seed)
    }
    if (performance.now() - started > executionMsMax && (await isSlow(target, input, executionMsMax))) {
      throw await findingOf(target, input, new FindingError(`takes more than ${executionMsMax} ms`), seed)
    }
    watch?.(input, outcome)
    const times = timesByOutcome.get(outcome) ?? 0
    timesByOutcome.set(outcome, times + 1)
    if (times < 3 && pool.length < POOL_MAX) pool.push(input)
    if (progress !== undefined && i % 1_000 === 0) progress(i)
  }
  return timesByOutcome
}

async function isSlow(target: Target<Input>, input: Input, msMax: number): Promise<boolean> {
  for (let tries = 1; tries < SLOW_TRIES; tries++) {
    const started = performance.now()
    await target.check(input)
    if (performance.now() - started <= msMax) return false
  }
  return true
}

async function findingOf(
  target: Target<Input>,
  input: Input,
  error: unknown,
  seed: number,
): Promise<FindingError> {
  const least = await shrink(target, input)
  const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const again = `npm run fuzz -- --target ${target.name} --seed ${seed}`
  return new FindingError(
    `${target.name}: ${problem}\n  input, for corpus/${target.name}.txt: ${corpusLine(least)}\n  ${again}`,
    {
      cause: error,
    },
  )
}

/** Leaves out smaller and smaller pieces, as long as the rest still fails. */
async function shrink(target: Target<Input>, input: Input): Promise<Input> {
  let least = input
  for (let size = Math.ceil(least.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      const fewer = without(least, at, at + size)
      if (await fails(target, fewer)) least = fewer
      else at += size
    }
  }
  return least
}

function without(input: Input, start: number, end: number): Input {
  if (typeof input === 'string') return input.slice(0, start) + input.slice(end)
  return new Uint8Array(Buffer.concat([input.subarray(0, start), input.subarray(end)]))
}

async function fails(target: Target<Input>, input: Input): Promise<boolean> {
  try {
    await target.check(input)
    return false
  } catch {
    return true
  }
}
