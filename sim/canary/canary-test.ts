/** How a canary must be found: by which rule, and within which runs. */
import type { ScenarioName } from '../crash-points/scenarios.ts'
import type { Canary } from './canary.ts'

/** A canary, and how it must be found. */
export type CanaryTest = {
  readonly canary: Canary
  readonly rule: string
  /** Within so many random runs. */
  readonly seeds?: number
  /** At a crash point of this scenario: chance is too slow where one moment matters. */
  readonly scenario?: ScenarioName
}
