/** A few runs of the simulator with fixed seeds; fails at the first broken rule. */
import { run } from '../../sim/simulation.ts'

const SEEDS = 12
const COMMANDS = 300

for (let seed = 1; seed <= SEEDS; seed++) {
  const { violation } = run({ seed, commands: COMMANDS })
  if (violation === undefined) continue
  process.stdout.write(`seed ${seed}: ${violation.message}\n`)
  process.exit(1)
}
