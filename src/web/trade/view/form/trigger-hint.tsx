/** In words: when a waiting order is triggered. */

import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Draft } from '../../state/draft/draft.ts'
import { percentOf } from '../../state/draft/trailing.ts'
import { triggerOf } from '../../state/draft/trigger.ts'

type HintProps = {
  readonly draft: Draft
  readonly last: string | undefined
  /** In basis points, if the order follows the price. */
  readonly trailingDelta?: number | undefined
}

export function TriggerHint({ draft, last, trailingDelta }: HintProps) {
  const trigger = triggerOf(draft, last)
  if (trigger === undefined) return null
  const { direction, away } = trigger
  if (trailingDelta !== undefined) {
    const { when, begins } = TEXTS.trailing
    return (
      <p class="trade-hint">
        {when[draft.side](percentOf(trailingDelta))}{' '}
        {draft.stopPrice === '' ? begins.atOnce : begins[direction]}{' '}
        {draft.stopPrice !== '' && away?.isReached && TEXTS.trigger.reached}
      </p>
    )
  }
  const words = TEXTS.trigger
  return (
    <p class="trade-hint">
      {words.when[direction]} {last === undefined ? words.noTrade : words.last(groupedText(last))}
      {away !== undefined && ' '}
      {away !== undefined && (away.isReached ? words.reached : words.away(away.percent))}
    </p>
  )
}
