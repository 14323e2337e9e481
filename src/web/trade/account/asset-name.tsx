/** An asset in a table of holdings. */
import { TEXTS } from '../../shared/texts/texts.ts'

/** An asset; a click shows its market. */
export function AssetName({
  asset,
  market,
}: {
  readonly asset: string
  readonly market: string | undefined
}) {
  if (market === undefined) return <>{asset}</>
  return (
    <button
      type="button"
      class="sort"
      aria-label={TEXTS.account.worth.look(asset, market)}
      onClick={() => {
        // The page shows the market that its address names.
        location.hash = market
      }}
    >
      {asset}
    </button>
  )
}
