/** A share of the available balance, as a slider and as buttons. */
import { TEXTS } from '../../../shared/texts/texts.ts'

export const SHARES = [25, 50, 75, 100] as const

type SharesProps = {
  readonly code: string
  /** The share that the order takes now, from 0 to 100. */
  readonly percent: number
  readonly isKnown: boolean
  readonly onShare: (percent: number) => void
}

export function Shares({ code, percent, isKnown, onShare }: SharesProps) {
  return (
    <div class="trade-shares">
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={percent}
        disabled={!isKnown}
        aria-label={TEXTS.shareOf(code)}
        aria-valuetext={TEXTS.percent(`${percent}`)}
        onInput={({ currentTarget }) => onShare(Number(currentTarget.value))}
      />
      <p class="trade-row">
        {SHARES.map((share) => (
          <button
            type="button"
            key={share}
            aria-label={TEXTS.share(`${share}`, code)}
            onClick={() => onShare(share)}
          >
            {TEXTS.percent(`${share}`)}
          </button>
        ))}
      </p>
    </div>
  )
}
