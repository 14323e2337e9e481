/**
 * A few runs of the simulator with fixed seeds, and each of its scenarios once; fails at the first broken
 * rule.
 */
import { runCase } from '../../sim/crash-points/enumeration.ts'
import { SCENARIOS, type ScenarioName } from '../../sim/crash-points/scenarios.ts'
import { run } from '../../sim/simulation.ts'
import type { StageReport } from '../../sim/stage.ts'

const SEEDS = 12
const COMMANDS = 300

for (let seed = 1; seed <= SEEDS; seed++) judge(`seed ${seed}`, run({ seed, commands: COMMANDS }))
for (const scenario of Object.keys(SCENARIOS) as ScenarioName[]) {
  judge(`scenario ${scenario}`, runCase({ scenario, point: undefined, loss: 'KILL' }))
}

function judge(what: string, { violation }: StageReport): void {
  if (violation === undefined) return
  process.stdout.write(`${what}: ${violation.message}\n`)
  process.exit(1)
}
