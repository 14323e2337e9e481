/** The bytes of texts that are hashed. */
import { invariant } from './invariant.ts'

const encoder = new TextEncoder()

/** UTF-8 of a well-formed text: different texts have different bytes. */
export function utf8(text: string): Uint8Array {
  invariant(text.isWellFormed(), 'text must be well-formed Unicode, found a lone surrogate')
  return encoder.encode(text)
}
