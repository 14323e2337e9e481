/**
 * A bit turns over in what is stored. A start on a copy of the disk must either refuse, or come to the very state
 * that everybody was told of.
 */
import type { Truth } from './checkers/truth.ts'
import type { Coverage } from './coverage.ts'
import type { Supervisor } from './node/supervisor.ts'
import type { Random } from './world/random.ts'

export type DamageParts = {
  readonly random: Random
  readonly supervisor: Supervisor
  readonly truth: Truth
  readonly coverage: Coverage
}

export function tryDamaged(_parts: DamageParts): void {}
