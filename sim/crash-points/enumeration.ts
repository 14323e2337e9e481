/**
 * Tries every crash point of a scenario: the process ends there, and the unsynced data is kept, lost, or
 * partly lost. Then the exchange must start again, have everything that it acknowledged and nothing that it
 * refused, process new commands, and reach the same state in every replay.
 */
import { type Canary, NO_CANARY } from '../canary/canary.ts'
import { demand } from '../checkers/shadow-state.ts'
import { PATIENCE_MS } from '../clients/client.ts'
import { CALM_PROFILE } from '../profile.ts'
import { Stage, type StageReport } from '../stage.ts'
import type { PowerCut } from '../storage/disk.ts'
import { ALICE, BOB, Play } from './play.ts'
import { CrashPoints, CrashReachedError } from './points.ts'
import { SCENARIOS, type ScenarioName } from './scenarios.ts'

/** The outcome of unsynced data. `KILL`: only the process ends, and the system keeps all of the data. */
export const LOSSES = ['KILL', 'NOTHING', 'PREFIX', 'RANDOM'] as const
export type Loss = (typeof LOSSES)[number]

export type CrashCase = {
  readonly scenario: ScenarioName
  /** Counts from 1; undefined if there is no crash. */
  readonly point: number | undefined
  readonly loss: Loss
  readonly canary?: Canary
}

export type CaseResult = StageReport & {
  /** Number of points that the scenario has passed. */
  readonly points: number
  /** The event at the chosen point. */
  readonly where: string | undefined
  /** Whether a power cut at the point could lose anything. */
  readonly hadUnsynced: boolean
}

/** Every run of a scenario is the same, up to its crash. */
const SEED = 1
const TRACE_LINES = 60

export function runCase({ scenario, point, loss, canary = NO_CANARY }: CrashCase): CaseResult {
  const { play, profile } = SCENARIOS[scenario]
  let hadUnsynced = false
  const cut: PowerCut | undefined = loss === 'KILL' ? undefined : loss
  const look = (): void => {
    hadUnsynced = stage.supervisor.disk.hasUnsynced || stage.supervisor.medium.hasUnflushed
  }
  const points = new CrashPoints(point, () => {
    look()
    stage.supervisor.crash('between two events', cut)
  })
  const stage: Stage = new Stage({
    seed: SEED,
    profile: { ...CALM_PROFILE, ...profile },
    canary,
    traceLines: TRACE_LINES,
    probe: (kind, file) => {
      const outcome = points.probe(kind, file)
      // The operation itself may be the unsynced data: a superfluous case with one more loss does no harm.
      if (outcome !== undefined) hadUnsynced = true
      return outcome
    },
    // A crash caused by the script itself is a kill.
    cut: () => (points.where === undefined ? undefined : cut),
    lossSeed: point ?? 0,
    onStep: points.between,
  })
  stage.play(() => {
    const script = new Play(stage)
    try {
      play(script)
    } catch (error) {
      if (!(error instanceof CrashReachedError)) throw error
    }
    points.end()
    checkAfter(stage, script)
  })
  return { ...stage.report(), points: points.count, where: points.where, hadUnsynced }
}

/**
 * Checks that everything works from now on: the exchange starts, has all acknowledged data, processes
 * commands, stops, and starts with the same state.
 */
function checkAfter(stage: Stage, script: Play): void {
  stage.faults.end()
  stage.untilUp('the exchange starts after the crash')
  // Requests in flight arrive or are abandoned.
  script.rest(2 * PATIENCE_MS)
  stage.untilUp('the exchange serves')
  stage.audit()
  const answer = script.send(script.account('after the crash'))
  demand(
    answer.kind === 'ANSWERED' && answer.reply?.kind === 'AccountOpened',
    () => `after a crash commands are taken again, found ${answer.kind}`,
  )
  script.send(script.credit(ALICE, 'AAA', 7n))
  script.send(script.order(ALICE, 'SELL', 90, 2))
  script.send(script.order(BOB, 'BUY', 95, 3))
  stage.audit()
  stage.stopAndCheck()
  stage.audit()
}

export type EnumerationReport = {
  readonly points: number
  readonly cases: number
  /** The first case that broke a rule. */
  readonly broken: { readonly crashCase: CrashCase; readonly result: CaseResult } | undefined
}

/** Tries all points of a scenario with all losses, until a rule is broken. */
export function enumerate(scenario: ScenarioName, canary: Canary = NO_CANARY): EnumerationReport {
  const whole: CrashCase = { scenario, point: undefined, loss: 'KILL', canary }
  const dry = runCase(whole)
  const { points } = dry
  if (dry.violation !== undefined) return { points, cases: 1, broken: { crashCase: whole, result: dry } }
  let cases = 1
  for (let point = 1; point <= points; point++) {
    for (const loss of LOSSES) {
      const crashCase: CrashCase = { scenario, point, loss, canary }
      const result = runCase(crashCase)
      cases++
      if (result.violation !== undefined) return { points, cases, broken: { crashCase, result } }
      // If everything is synced, all losses are the same.
      if (!result.hadUnsynced) break
    }
  }
  return { points, cases, broken: undefined }
}
