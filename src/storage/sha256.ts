/** SHA-256 in the form that the engine requires. */
import { createHash } from 'node:crypto'
import type { Digest } from '../engine/port/journal.ts'

export const sha256: Digest = (parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}
