/** The name of a key: its account if known, else its first characters. */
import { TEXTS } from '../../shared/texts/texts.ts'
import type { KeptKey } from './key-store.ts'

const LETTERS = 8

export function keyName({ apiKey, account }: KeptKey): string {
  return account ?? TEXTS.key.held(`${apiKey.slice(0, LETTERS)}…`)
}
