/** The free balance of the asset that an order spends; a click takes all of it. */
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'

type FreeProps = {
  /** Undefined if unknown. */
  readonly free: string | undefined
  readonly code: string
  readonly onAll: () => void
}

export function Free({ free, code, onAll }: FreeProps) {
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
    </p>
  )
}
