/**
 * The shape of a run, drawn from its seed. Runs differ on purpose: a run with everything at once would
 * explore nothing in depth.
 */
import type { Random } from '../world/random.ts'
import { type Fault, LOSING_FAULTS, SAFE_FAULTS } from './plan.ts'

export type Shape = {
  readonly theme: Theme
  readonly engines: number
  readonly gateways: number
  /** Number of standbys that must have a commit. */
  readonly confirmations: number
  /** Each fault is one entry drawn from this list; some are listed twice. */
  readonly faults: readonly Fault[]
  /** Mean time between two faults. */
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

/** Faults that end commits without a usable answer. */
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
/** Faults that leave a leader with clients after another engine took over. */
const STALE: readonly Fault[] = [
  'cut leader and database',
  'cut leader and database',
  'kill gateway',
  'kill gateway',
  'cut gateway and engine',
  'pause leader',
]
/** Faults after which a process has more of the journal than the next leader. */
const LOSS: readonly Fault[] = [
  'cut engine and engine',
  'cut engine and engine',
  'cut engine and engine',
  'kill gateway',
  ...LOSING_FAULTS,
]

/**
 * Faults after which an engine of another version takes over. While it waits for the others, they return, or
 * gateways report positions.
 */
const SKEW: readonly Fault[] = [
  'kill leader',
  'kill leader',
  'stop leader',
  'pause leader',
  'cut leader and database',
]

/** `theme` replaces the drawn one. */
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
    // A leader that waits for its commit serves no readings.
    reads: isStale ? 0.85 : 0.2,
    thinkMsMax: isStale ? 150 : 400,
    timeoutMs: isStale ? 4_000 : random.pick([1_200, 4_000]),
    // After a loss all engines halt, and nothing more happens.
    durationMs: random.pick(theme === 'LOSS' ? [2_000, 4_000, 6_000] : [4_000, 8_000, 16_000]),
  }
}

function drawTheme(random: Random): Theme {
  return random.weighted({ MIXED: 40, DOUBT: 25, STALE: 12, LOSS: 13, SKEW: 10 })
}
