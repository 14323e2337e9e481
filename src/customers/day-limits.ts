/**
 * Limits of a person in a day (UTC): a small part of the exchange's limits for all customers together
 * (docs/customers.md#daily-limits), so that one person cannot use up what is left for the others. Counted
 * before anything changes. The counts are in memory and start over with a restart, which no customer can
 * cause.
 *
 * Ending sessions and freezing are never refused, since they are bounded by the counted operations: a session
 * can be ended once, and a freeze changes restrictions only after an unfreeze.
 */
import { type AccountRefusal, refused } from './account-refusal.ts'
import type { World } from './ports.ts'

const DAY_MS = 86_400_000
/** Maximum number of persons counted at once; beyond it, the oldest count is dropped. */
const PERSONS_MAX = 200_000

export const PERSON_DAY_MAX = {
  /** Sign-ins with a correct credential: each creates a session key. */
  signIns: 100,
  /** Changes to the ways to sign in. */
  changes: 50,
  recoveries: 10,
  unfreezes: 20,
} as const
export type PersonDayKind = keyof typeof PERSON_DAY_MAX

type Counts = Partial<Record<PersonDayKind, number>>

export class DayLimits {
  readonly #world: Pick<World, 'now'>
  readonly #countsByOwner = new Map<string, Counts>()
  #day = 0

  constructor(world: Pick<World, 'now'>) {
    this.#world = world
  }

  /** Counts one operation; returns a refusal if the person has done this too often today. */
  take(owner: string, kind: PersonDayKind): AccountRefusal | undefined {
    const refusal = this.refusalOf(owner, kind)
    if (refusal !== undefined) return refusal
    const counts = this.#countsByOwner.get(owner) ?? {}
    counts[kind] = (counts[kind] ?? 0) + 1
    this.#countsByOwner.set(owner, counts)
    if (this.#countsByOwner.size > PERSONS_MAX)
      for (const first of this.#countsByOwner.keys()) {
        this.#countsByOwner.delete(first)
        break
      }
    return undefined
  }

  /** The refusal that `take` would return; counts nothing. */
  refusalOf(owner: string, kind: PersonDayKind): AccountRefusal | undefined {
    const day = Math.floor(this.#world.now() / DAY_MS)
    // The clock may have been set back: that does not start a new day.
    if (day > this.#day) {
      this.#day = day
      this.#countsByOwner.clear()
    }
    const max = PERSON_DAY_MAX[kind]
    const done = this.#countsByOwner.get(owner)?.[kind] ?? 0
    return done < max ? undefined : refused('DAY_LIMIT_REACHED', { max })
  }
}
