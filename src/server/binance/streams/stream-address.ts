/** The paths that open a stream, and the subscriptions in them. */

export type StreamOpening = {
  /** Texts that may be names of streams. */
  readonly names: readonly string[]
  /** Whether messages include the name of their stream. */
  readonly isCombined: boolean
}

const RAW = '/ws'
const COMBINED = '/stream'
const STREAMS = 'streams='

/** `/ws`, `/ws/<stream>/<stream>`, `/stream?streams=<stream>/<stream>`; undefined for any other path. */
export function streamOpening(path: string, query: string): StreamOpening | undefined {
  if (path === RAW) return { names: [], isCombined: false }
  // Some clients join the two paths.
  if (path === COMBINED || path === `${RAW}${COMBINED}`) return { names: streamsIn(query), isCombined: true }
  if (!path.startsWith(`${RAW}/`)) return undefined
  return { names: namesIn(path.slice(RAW.length + 1)), isCombined: false }
}

function streamsIn(query: string): readonly string[] {
  const pair = query.split('&').find((each) => each.startsWith(STREAMS))
  return pair === undefined ? [] : namesIn(pair.slice(STREAMS.length))
}

function namesIn(text: string): readonly string[] {
  return text
    .replaceAll('%40', '@')
    .replaceAll('%2F', '/')
    .split('/')
    .filter((name) => name !== '')
}
