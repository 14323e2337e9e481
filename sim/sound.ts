/** A run of the simulator that must break no rule, for tests. */
import { type RunOptions, type RunResult, run } from './simulation.ts'

/** Runs a seed; a violation fails the test with everything needed to reproduce it. */
export function sound(options: RunOptions): RunResult {
  const result = run(options)
  if (result.violation !== undefined) {
    const again = `npm run sim -- ${options.seed} --commands=${options.commands}`
    throw new Error(
      `${result.violation.message}\n${result.trace.join('\n')}\nat step ${result.steps}; again: ${again}`,
    )
  }
  return result
}
