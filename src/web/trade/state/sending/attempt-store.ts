/**
 * Requests that were sent and whose outcome is unknown, as stored by this browser: their ids, the name of
 * their key, and nothing secret. Each has a separate entry, so that tabs never overwrite each other's.
 */
import type { Attempted } from '../../../../client/http/placements.ts'
import { membersOf, parsedJson } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'

export type KeptAttempt = Attempted & {
  readonly what: 'ORDER' | 'LIST'
  /** The API key with which it was sent. */
  readonly apiKey: string
}

export type AttemptStore = {
  readonly all: () => readonly KeptAttempt[]
  /** False if the browser does not store it. */
  readonly write: (attempt: KeptAttempt) => boolean
  readonly remove: (clientOrderId: string) => void
  /**
   * Calls the listener when another tab has written or removed one, until the returned function is called.
   */
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

/** Empty if it is damaged. */
function readAttempt(text: string | undefined, clientOrderId: string): readonly KeptAttempt[] {
  const { what, apiKey, deadline, firstAttempt } = membersOf(parsedJson(text))
  const isWhole = typeof deadline === 'number' && typeof firstAttempt === 'number'
  if (!isWhole || typeof apiKey !== 'string' || (what !== 'ORDER' && what !== 'LIST')) return []
  return [{ clientOrderId, what, apiKey, deadline, firstAttempt }]
}
