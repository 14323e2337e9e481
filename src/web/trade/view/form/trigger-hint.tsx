/** In words: when a waiting order is triggered. */

import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Draft } from '../../state/draft/draft.ts'
import { triggerOf } from '../../state/draft/trigger.ts'

type HintProps = { readonly draft: Draft; readonly last: string | undefined }

export function TriggerHint({ draft, last }: HintProps) {
  const trigger = triggerOf(draft, last)
  if (trigger === undefined) return null
  const { direction, away } = trigger
  const words = TEXTS.trigger
  return (
    <p class="trade-hint">
      {words.when[direction]} {last === undefined ? words.noTrade : words.last(groupedText(last))}
      {away !== undefined && ' '}
      {away !== undefined && (away.isReached ? words.reached : words.away(away.percent))}
    </p>
  )
}
