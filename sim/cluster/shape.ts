/** What one seed makes of a run. Runs differ on purpose: one that has everything at once never gets deep into anything. */
import type { Random } from '../world/random.ts'
import { type Fault, LOSING_FAULTS, SAFE_FAULTS } from './plan.ts'

export type Shape = {
  readonly theme: Theme
  readonly engines: number
  readonly gateways: number
  /** Standbys that must have a commit. */
  readonly confirmations: number
  /** One entry is drawn for each fault; some stand here twice. */
  readonly faults: readonly Fault[]
  /** Mean time between two of them. */
  readonly faultEveryMs: number
  /** Share of a client's actions that read. */
  readonly reads: number
  /** Longest pause of a client between two actions. */
  readonly thinkMsMax: number
  /** How long a statement may take. */
  readonly timeoutMs: number
  /** How long clients trade under faults, in simulated time. */
  readonly durationMs: number
}

export const THEMES = ['MIXED', 'DOUBT', 'STALE', 'LOSS', 'SKEW'] as const
export type Theme = (typeof THEMES)[number]

/** What has commits end without an answer that counts. */
const DOUBT: readonly Fault[] = [
  'cut leader and database',
  'cut primary and standby',
  'cut primary and standby',
  'frozen backend',
  'restart primary',
  'kill primary',
  'cancel wait',
  'empty standby names',
  'kill standby',
  'full disk',
]
/** What leaves a leader that others have followed with clients. */
const STALE: readonly Fault[] = [
  'cut leader and database',
  'cut leader and database',
  'kill gateway',
  'kill gateway',
  'cut gateway and engine',
  'pause leader',
]
/** What has somebody know more than those who lead next. */
const LOSS: readonly Fault[] = [
  'cut engine and engine',
  'cut engine and engine',
  'cut engine and engine',
  'kill gateway',
  ...LOSING_FAULTS,
]

/** What has an engine of another version take over. The others come back, or gateways tell, in the time that it waits for them. */
const SKEW: readonly Fault[] = [
  'kill leader',
  'kill leader',
  'stop leader',
  'pause leader',
  'cut leader and database',
]

/** `theme`: instead of the one that is drawn. */
export function drawShape(random: Random, theme = drawTheme(random)): Shape {
  const share = random.pick([0.2, 0.5, 1])
  const faults: Readonly<Record<Theme, readonly Fault[]>> = {
    MIXED: [...SAFE_FAULTS.filter(() => random.chance(share)), 'kill leader', 'stop leader'],
    DOUBT: [...DOUBT, 'kill leader'],
    STALE,
    LOSS,
    SKEW,
  }
  const isStale = theme === 'STALE'
  return {
    theme,
    engines: theme === 'LOSS' ? 2 : random.pick([2, 2, 3]),
    gateways: isStale ? 3 : 2,
    confirmations: random.pick([1, 1, 2]),
    faults: faults[theme],
    faultEveryMs: random.pick(theme === 'LOSS' ? [300, 600] : [300, 800, 2_500]),
    // A leader that waits for its commit reads for nobody.
    reads: isStale ? 0.85 : 0.2,
    thinkMsMax: isStale ? 150 : 400,
    timeoutMs: isStale ? 4_000 : random.pick([1_200, 4_000]),
    // Once something is lost, everybody halts, and nothing more happens.
    durationMs: random.pick(theme === 'LOSS' ? [2_000, 4_000, 6_000] : [4_000, 8_000, 16_000]),
  }
}

function drawTheme(random: Random): Theme {
  return random.weighted({ MIXED: 40, DOUBT: 25, STALE: 12, LOSS: 13, SKEW: 10 })
}
