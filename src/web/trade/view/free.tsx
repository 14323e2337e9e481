/** What is free of the asset that an order gives away; a press takes all of it. */
import type { ComponentChildren } from 'preact'
import { groupedText } from '../../common/grouped-text.ts'
import { TEXTS } from '../../texts/texts.ts'

type FreeProps = {
  /** Undefined: not known. */
  readonly free: string | undefined
  readonly code: string
  readonly onAll: () => void
  readonly children?: ComponentChildren
}

export function Free({ free, code, onAll, children }: FreeProps) {
  const amount = free === undefined ? '–' : groupedText(free)
  return (
    <p class="trade-facts">
      {TEXTS.free}{' '}
      <button
        type="button"
        class="trade-free"
        disabled={free === undefined}
        aria-label={TEXTS.takeAll(amount, code)}
        onClick={onAll}
      >
        {amount} {code}
      </button>
      {children}
    </p>
  )
}
