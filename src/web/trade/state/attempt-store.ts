/**
 * What was sent and is not known yet to be placed, as this browser keeps it: by what each can be asked for, under which key, and nothing secret. Each
 * has an entry of its own, so that tabs never write over each other's.
 */
import type { Attempted } from '../../../client/http/placements.ts'
import { type EntryPorts, membersOf } from './browser-entry.ts'

export type KeptAttempt = Attempted & {
  readonly what: 'ORDER' | 'LIST'
  /** The API key that it was sent with. */
  readonly apiKey: string
}

export type AttemptStore = {
  readonly all: () => readonly KeptAttempt[]
  readonly write: (attempt: KeptAttempt) => void
  readonly remove: (clientOrderId: string) => void
  /** Told when another tab has written or removed one. */
  readonly watch: (onChange: () => void) => void
}

const PREFIX = 'bourse-attempt-'

export function browserAttempts({ storage, onStorage }: EntryPorts): AttemptStore {
  const orNothing = <Result>(work: () => Result): Result | undefined => {
    try {
      return work()
    } catch {
      // A browser that keeps nothing: what is not known is known no longer than the tab lasts.
      return undefined
    }
  }
  return {
    all: () =>
      orNothing(() => {
        const kept = storage()
        const names = Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? '')
        return names
          .filter((name) => name.startsWith(PREFIX))
          .flatMap((name) => readAttempt(kept.getItem(name), name.slice(PREFIX.length)))
      }) ?? [],
    write: ({ clientOrderId, ...attempt }) =>
      orNothing(() => storage().setItem(PREFIX + clientOrderId, JSON.stringify(attempt))),
    remove: (clientOrderId) => orNothing(() => storage().removeItem(PREFIX + clientOrderId)),
    watch: (onChange) =>
      onStorage((name) => {
        if (name === null || name.startsWith(PREFIX)) onChange()
      }),
  }
}

/** None where it is damaged. */
function readAttempt(text: string | null, clientOrderId: string): readonly KeptAttempt[] {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? 'null')
  } catch {
    return []
  }
  const { what, apiKey, deadline, firstAttempt } = membersOf(kept)
  const isWhole = typeof deadline === 'number' && typeof firstAttempt === 'number'
  if (!isWhole || typeof apiKey !== 'string' || (what !== 'ORDER' && what !== 'LIST')) return []
  return [{ clientOrderId, what, apiKey, deadline, firstAttempt }]
}
