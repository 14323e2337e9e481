/** The version of the rules in what one process tells another. */
import { type ByteReader, BytesFault } from '../../../units/bytes.ts'
import { RULES_VERSION } from '../rules.ts'

/**
 * Throws `BytesFault` where the rules in force are newer than this program: whatever follows may have a form or a meaning that it does not know, and
 * whoever reads on would be wrong, or say so much later.
 */
export function readRulesVersion(r: ByteReader): number {
  const version = r.uint()
  if (version <= RULES_VERSION) return version
  throw new BytesFault(
    `rules ${version} are in force, the newest known here are ${RULES_VERSION}: start a newer version of the program`,
  )
}
