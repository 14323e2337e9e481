import { expect, test } from 'bun:test'
import { CANARIES } from '../canary/canaries.ts'
import type { CanaryTest } from '../canary/canary-test.ts'
import { type EnumerationReport, enumerate, runCase } from './enumeration.ts'
import { SCENARIOS, type ScenarioName } from './scenarios.ts'

const TIMEOUT_MS = 900_000

/** Fails with everything needed to reproduce a violation. */
function demandSound({ broken }: EnumerationReport): void {
  if (broken === undefined) return
  const { crashCase, result } = broken
  const again = `npm run sim -- --crash-points ${crashCase.scenario} --point=${crashCase.point} --loss=${crashCase.loss}`
  throw new Error(`${result.violation?.message}\n${result.trace.join('\n')}\nagain: ${again}`)
}

test(
  'no rule is broken wherever the process ends in a day of trading, and whatever unsynced data is lost',
  () => {
    const report = enumerate('trading')
    console.log(`simulator: ${report.points} crash points of one scenario, ${report.cases} cases`)
    demandSound(report)
    expect(report.points).toBeGreaterThan(400)
  },
  TIMEOUT_MS,
)

test(
  'each scenario runs to its end without a crash, and a requested crash happens where it was requested',
  () => {
    for (const scenario of Object.keys(SCENARIOS) as ScenarioName[]) {
      const whole = runCase({ scenario, point: undefined, loss: 'KILL' })
      expect([scenario, whole.violation]).toEqual([scenario, undefined])
      expect(runCase({ scenario, point: whole.points, loss: 'KILL' }).where).toBeDefined()
    }
  },
  TIMEOUT_MS,
)

for (const [name, { canary, rule, scenario }] of Object.entries<CanaryTest>(CANARIES)) {
  if (scenario === undefined) continue
  test(
    `a crash point of ${scenario} exposes the bug ${name}: ${rule}`,
    () => {
      expect(enumerate(scenario, canary).broken).toBeDefined()
    },
    TIMEOUT_MS,
  )
}
