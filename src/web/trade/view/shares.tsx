/** Buttons for a share of what is free. */
import { TEXTS } from '../../texts/texts.ts'

export const SHARES = [25, 50, 75, 100] as const

type SharesProps = { readonly code: string; readonly onShare: (percent: number) => void }

export function Shares({ code, onShare }: SharesProps) {
  return (
    <p class="trade-row trade-shares">
      {SHARES.map((percent) => (
        <button
          type="button"
          key={percent}
          aria-label={TEXTS.share(percent, code)}
          onClick={() => onShare(percent)}
        >
          {TEXTS.percent(`${percent}`)}
        </button>
      ))}
    </p>
  )
}
