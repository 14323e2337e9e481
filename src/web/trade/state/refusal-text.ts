/**
 * The page's own texts for refusals: the exchange's messages name parameters, which the user does not see.
 * Messages that the exchange cannot serve any request now are written for people, and are used unchanged.
 */
import type { RefusedError } from '../../../client/errors.ts'
import { TEXTS } from '../../shared/texts/texts.ts'

/** The code of answers that mean "not now" (docs/reference/errors.md#codes-and-statuses). */
const NOT_NOW = '0014'

export function refusalText({
  reason,
  code,
  messages,
}: Pick<RefusedError, 'reason' | 'code' | 'messages'>): string {
  const words: Readonly<Record<string, string>> = TEXTS.refusals
  if (Object.hasOwn(words, reason)) return words[reason] ?? ''
  // The page has sent an invalid request; the message is for developers.
  return code === NOT_NOW ? messages.join(' ') : TEXTS.errors.USAGE(reason)
}
