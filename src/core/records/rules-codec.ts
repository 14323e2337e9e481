/** The version of the rules in messages between processes. */
import { type ByteReader, BytesFault } from '../../units/bytes.ts'
import { own } from '../../units/shapes/shape.ts'
import { RULES_VERSION } from '../exchange/rules.ts'

/**
 * Throws `BytesFault` if the rules in force are newer than this program: later data may have an unknown form
 * or meaning, and a reader that continued would be wrong, or fail much later.
 */
export function readRulesVersion(r: ByteReader): number {
  const version = r.uint()
  if (version <= RULES_VERSION) return version
  throw new BytesFault(
    `rules ${version} are in force, but the newest rules of this program are ${RULES_VERSION}: start a newer version of the program`,
  )
}

/** The version of the rules in force. */
export const RULES_IN_FORCE = own<number>({ write: (w, version) => w.uint(version), read: readRulesVersion })
