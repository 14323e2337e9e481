/** SHA-256 as the engine's `Digest`. */
import { createHash } from 'node:crypto'
import type { Digest } from '../engine/port/journal.ts'

export const sha256: Digest = (parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}
