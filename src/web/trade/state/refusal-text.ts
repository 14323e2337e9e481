/**
 * Why the exchange says no, in the words that the page has for it: those that the exchange sends name parameters, which a person does not see. What it cannot do
 * now, whatever was asked, it says for people.
 */
import type { RefusedError } from '../../../client/errors.ts'
import { TEXTS } from '../../shared/texts/texts.ts'

/** Of an answer that says: not now (docs/reference/errors.md#codes-and-statuses). */
const NOT_NOW = '0014'

export function refusalText({
  reason,
  code,
  messages,
}: Pick<RefusedError, 'reason' | 'code' | 'messages'>): string {
  const words: Readonly<Record<string, string>> = TEXTS.refusals
  if (Object.hasOwn(words, reason)) return words[reason] ?? ''
  // The page has asked for what it should not have: for whoever mends it.
  return code === NOT_NOW ? messages.join(' ') : TEXTS.errors.USAGE(reason)
}
