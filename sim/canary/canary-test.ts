/** Describes how a canary must be found: the rule and the runs. */
import type { ScenarioName } from '../crash-points/scenarios.ts'
import type { Canary } from './canary.ts'

/** A canary, with the rule and the runs that must find it. */
export type CanaryTest = {
  readonly canary: Canary
  readonly rule: string
  /** Largest number of random runs until it is found. */
  readonly seeds?: number
  /**
   * Scenario with a crash point at which the bug is found, for bugs that depend on one exact time: random
   * runs would take too long.
   */
  readonly scenario?: ScenarioName
}
