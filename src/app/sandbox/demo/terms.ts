/** The options of the demo market on the command line. */
import { UsageError } from '../../../cli/arguments.ts'
import { wholeOption } from '../whole-option.ts'

/** Smallest number of steps a second. */
export const PACE_MIN = 1
export const PACE_MAX = 50
export const PACE_DEFAULT = 8

export type DemoTerms = {
  /** 0 to 2^53-1 */
  readonly seed: number
  /** Steps a second, 1 to 50. */
  readonly pace: number
}

const BOUNDS = {
  '--seed': { least: 0, most: Number.MAX_SAFE_INTEGER },
  '--pace': { least: PACE_MIN, most: PACE_MAX },
} as const

/** The options of the demo market on a command line, and the rest of the line. Throws `UsageError`. */
export function demoTerms(line: readonly string[]): {
  readonly terms: Partial<DemoTerms>
  readonly others: readonly string[]
} {
  const others: string[] = []
  const terms: { seed?: number; pace?: number } = {}
  for (let i = 0; i < line.length; i++) {
    const item = line[i] as string
    const [name = '', attached] = item.split('=', 2)
    if (name !== '--seed' && name !== '--pace') {
      others.push(item)
      continue
    }
    const field = name === '--seed' ? 'seed' : 'pace'
    if (terms[field] !== undefined) throw new UsageError(`${name} is given twice`)
    terms[field] = wholeOption(name, attached ?? line[++i], BOUNDS[name])
  }
  return { terms, others }
}
