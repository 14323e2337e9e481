/** Ids of requests: in a header of the answer, and in the log lines about the request. */

/** The answer's header. */
export const REQUEST_ID_HEADER = 'X-Request-Id'

const BASE = 36
const RUN_CHARACTERS = 8

/**
 * Creates ids that no other run of this or another node creates: `run` differs from run to run. They are
 * cheap, and not secret.
 */
export function requestIds(run: string): () => string {
  const prefix = `${run}-`
  let last = 0
  return () => prefix + (++last).toString(BASE)
}

/** A part that distinguishes this run from every other. */
export function newRun(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, RUN_CHARACTERS)
}
