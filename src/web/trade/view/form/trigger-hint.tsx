/** A sentence about when a waiting order is triggered. */

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
  /** It is placed once the entry of its list is filled. */
  readonly isLater?: boolean
}

export function TriggerHint({ draft, last, trailingDelta, isLater = false }: HintProps) {
  const trigger = triggerOf(draft, last)
  if (trigger === undefined) return null
  const { direction, away } = trigger
  if (trailingDelta !== undefined) {
    const { when, begins, afterEntry } = TEXTS.trailing
    const note = isLater ? afterEntry : draft.stopPrice !== '' && away?.isReached && TEXTS.trigger.reached
    return (
      <p class="trade-hint">
        {when[draft.side](percentOf(trailingDelta))}{' '}
        {draft.stopPrice === '' ? begins.atOnce : begins[direction]} {note}
      </p>
    )
  }
  const words = TEXTS.trigger
  const reached = isLater ? words.reachedLater : words.reached
  return (
    <p class="trade-hint">
      {words.when[direction]} {last === undefined ? words.noTrade : words.last(groupedText(last))}
      {away !== undefined && ' '}
      {away !== undefined && (away.isReached ? reached : words.away(away.percent))}
    </p>
  )
}
