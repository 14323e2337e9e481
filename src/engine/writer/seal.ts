/**
 * A seal: the batch that ends a journal because the exchange continues elsewhere. It is copied last, so a
 * destination that has the seal has everything, and the source had it on its disk before. At the destination,
 * the first new batch follows the seal (docs/decisions/0029-moving-an-exchange.md).
 */
import { BytesFault } from '../../units/bytes.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import { type Batch, type Digest, following, JournalFault, type Tail } from '../port/journal.ts'
import { ownBatch, readOwn } from './own-batches.ts'

/** The home of a journal: a data directory of one machine, or the database of a cluster. */
export type JournalHome = 'DIRECTORY' | 'CLUSTER'

/** Stored codes; no number is ever used twice. */
const HOME_CODES: Readonly<Record<JournalHome, number>> = { DIRECTORY: 1, CLUSTER: 2 }

/** Maximum length of each text of a seal, in characters. */
export const SEAL_CHARACTERS_MAX = 200

export type Seal = {
  /** The place where the exchange continues. */
  readonly to: JournalHome
  /**
   * The destination for people: a directory, or the address of a database. Up to `SEAL_CHARACTERS_MAX`
   * characters.
   */
  readonly name: string
  /** The identity of the destination, needed to continue a move; at most as long as `name`. */
  readonly identity: string
  /** The operator who moves the exchange, for people; at most as long as `name`. */
  readonly by: string
  /** The time, by the clock of the moving process. */
  readonly time: TimeMs
}

/**
 * The batch that ends the journal after `tail`. It has the same time as the previous batch: only the engine
 * assigns new times.
 */
export function sealBatch(digest: Digest, tail: Tail, { to, name, identity, by, time }: Seal): Batch {
  return ownBatch(digest, tail, 'SEAL', following(tail), (writer) => {
    writer.u8(HOME_CODES[to])
    for (const text of [name, identity, by]) writer.text([...text].slice(0, SEAL_CHARACTERS_MAX).join(''))
    writer.uint(time)
  })
}

/** The content of `batch`, of kind `SEAL`. Throws `JournalFault`. */
export function sealOf(batch: Batch): Seal {
  return readOwn(batch, (reader) => ({
    to: homeOf(reader.u8()),
    name: reader.text(),
    identity: reader.text(),
    by: reader.text(),
    time: timeMs(reader.uint()),
  }))
}

/**
 * Whether `last`, the last batch of a journal in `home`, is a seal for another kind of home. Throws
 * `JournalFault`.
 */
export function isElsewhere(last: Batch, home: JournalHome): boolean {
  return last.kind === 'SEAL' && sealOf(last).to !== home
}

/**
 * The reason why a journal that ended with `batch` accepts nothing more: the operator, the time and the
 * destination of the move, and the remedy if it failed.
 */
export function sealedBy(batch: Batch): JournalFault {
  const { to, name, by, time } = sealOf(batch)
  const when = new Date(time).toISOString()
  const what = `the journal is sealed: ${by} moved the exchange to ${PLACES[to]} ${name} at ${when}`
  const where = `It ends with command ${batch.firstSeq}, and continues there. ${WAY_ON[to]}`
  return new JournalFault('SEALED', `${what}. ${where}`)
}

const PLACES: Readonly<Record<JournalHome, string>> = {
  DIRECTORY: 'the data directory',
  CLUSTER: 'the cluster on',
}

const WAY_ON: Readonly<Record<JournalHome, string>> = {
  DIRECTORY:
    'If the move was interrupted, finish it: bourse cluster export with the same file and directory continues where it stopped',
  CLUSTER:
    'If the move was interrupted, finish it: bourse cluster import with the same file and directory continues where it stopped',
}

function homeOf(code: number): JournalHome {
  for (const home of ['DIRECTORY', 'CLUSTER'] as const) if (HOME_CODES[home] === code) return home
  throw new BytesFault(`no destination has number ${code}`)
}
