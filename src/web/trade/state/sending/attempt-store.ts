/**
 * What was sent and is not known yet to be placed, as this browser keeps it: by what each can be asked for, under which key, and nothing secret. Each
 * has an entry of its own, so that tabs never write over each other's.
 */
import type { Attempted } from '../../../../client/http/placements.ts'
import { membersOf, parsedJson } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'

export type KeptAttempt = Attempted & {
  readonly what: 'ORDER' | 'LIST'
  /** The API key that it was sent with. */
  readonly apiKey: string
}

export type AttemptStore = {
  readonly all: () => readonly KeptAttempt[]
  /** False: the browser does not take it. */
  readonly write: (attempt: KeptAttempt) => boolean
  readonly remove: (clientOrderId: string) => void
  /** Called when another tab has written or removed one, until what this gives is called. */
  readonly watch: (onChange: () => void) => () => void
}

const PREFIX = 'bourse-attempt-'

export function browserAttempts(storage: BrowserStorage): AttemptStore {
  return {
    all: () =>
      storage
        .names()
        .filter((name) => name.startsWith(PREFIX))
        .flatMap((name) => readAttempt(storage.read(name), name.slice(PREFIX.length))),
    write: ({ clientOrderId, ...attempt }) => storage.write(PREFIX + clientOrderId, JSON.stringify(attempt)),
    remove: (clientOrderId) => storage.remove(PREFIX + clientOrderId),
    watch: (onChange) =>
      storage.watch((name) => {
        if (name === undefined || name.startsWith(PREFIX)) onChange()
      }),
  }
}

/** None where it is damaged. */
function readAttempt(text: string | undefined, clientOrderId: string): readonly KeptAttempt[] {
  const { what, apiKey, deadline, firstAttempt } = membersOf(parsedJson(text))
  const isWhole = typeof deadline === 'number' && typeof firstAttempt === 'number'
  if (!isWhole || typeof apiKey !== 'string' || (what !== 'ORDER' && what !== 'LIST')) return []
  return [{ clientOrderId, what, apiKey, deadline, firstAttempt }]
}
