/** Balances with what they are worth at the last prices. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { PriceTicker } from '../../../client/interface/answers.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { Trader } from '../state/trader.ts'
import { usePaced } from '../view/paced.ts'
import { isFlag, KeptChoice } from './kept-choice.ts'
import { ScrollBox } from './scroll-box.tsx'
import { type Holdings, holdingsOf, isSmall, marketOf, PriceTable, type Valued, type Worth } from './worth.ts'

const PRICES_EVERY_MS = 10_000
const DRAWN_EVERY_MS = 200

type BalancesProps = {
  readonly trader: Trader
  readonly quoteCode: string
  readonly symbols: readonly string[]
}

export function Balances({ trader, quoteCode, symbols }: BalancesProps) {
  const { balances: words } = TEXTS
  const { worth: more } = TEXTS.account
  const prices = useLastPrices(trader)
  const isLive = trader.account.isLive.value
  const isSmallHidden = useMemo(() => new KeptChoice('bourse-balances-small', false, isFlag), [])
  const balances = usePaced(trader.account.balances, DRAWN_EVERY_MS)
  const table = useMemo(() => new PriceTable(prices), [prices])
  const holdings = holdingsOf(balances.values(), quoteCode, table)
  const rows = isSmallHidden.value ? holdings.rows.filter((row) => !isSmall(row, holdings)) : holdings.rows
  return (
    <section class="trade-balances" aria-label={words.title}>
      <div class="history-bar">
        <label class="trade-check">
          <input
            type="checkbox"
            checked={isSmallHidden.value}
            onChange={({ currentTarget }) => {
              isSmallHidden.value = currentTarget.checked
            }}
          />
          {more.hideSmall}
        </label>
        <p class="orders-cancel">
          <Total holdings={holdings} quoteCode={quoteCode} isKnown={prices.length > 0} />
        </p>
      </div>
      {rows.length === 0 ? (
        <p class="trade-none">{isLive ? words.none : '…'}</p>
      ) : (
        <BalanceTable rows={rows} quoteCode={quoteCode} symbols={symbols} />
      )}
    </section>
  )
}

type TotalProps = { readonly holdings: Holdings; readonly quoteCode: string; readonly isKnown: boolean }

function Total({ holdings, quoteCode, isKnown }: TotalProps) {
  const { worth: words } = TEXTS.account
  const { total, unknown } = holdings
  return (
    <>
      {words.total(quoteCode)} <output>{isKnown ? worthText(total) : '–'}</output>
      {isKnown && unknown.length > 0 && <span class="trade-none"> {words.without(unknown.join(', '))}</span>}
    </>
  )
}

type TableProps = {
  readonly rows: readonly Valued[]
  readonly quoteCode: string
  readonly symbols: readonly string[]
}

function BalanceTable({ rows, quoteCode, symbols }: TableProps) {
  const { balances: words } = TEXTS
  const { worth: more } = TEXTS.account
  // What nobody has is no column.
  const buckets = (['freeze', 'savings'] as const).filter((name) =>
    rows.some(({ balance }) => balance[name] !== '0'),
  )
  return (
    <ScrollBox>
      <table>
        <thead>
          <tr>
            {[
              words.asset,
              words.free,
              words.locked,
              ...buckets.map((name) => more[name]),
              more.whole,
              words.value(quoteCode),
            ].map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ balance, whole, worth }) => (
            <tr key={balance.asset} data-asset={balance.asset}>
              <td>
                <Asset asset={balance.asset} market={marketOf(balance.asset, quoteCode, symbols)} />
              </td>
              <td>{balance.free}</td>
              <td>{balance.locked}</td>
              {buckets.map((name) => (
                <td key={name}>{balance[name]}</td>
              ))}
              <td>{whole.toString()}</td>
              <td>{worth === undefined ? '–' : worthText(worth)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** An asset, which puts its market up. */
function Asset({ asset, market }: { readonly asset: string; readonly market: string | undefined }) {
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

/** None: not known, or not any more. */
function useLastPrices(trader: Trader): readonly PriceTicker[] {
  const prices = useSignal<readonly PriceTicker[]>([])
  const isLive = trader.account.isLive.value
  useEffect(() => {
    // What is not known now has no value: an old one is not shown as if it were.
    prices.value = []
    if (!isLive) return
    const stop = new AbortController()
    const ask = () => {
      trader.prices(stop.signal).then(
        (found) => {
          if (!stop.signal.aborted) prices.value = found
        },
        () => {
          if (!stop.signal.aborted) prices.value = []
        },
      )
    }
    ask()
    const timer = setInterval(ask, PRICES_EVERY_MS)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [trader, isLive])
  return prices.value
}

function worthText({ value, isRounded }: Worth): string {
  return `${isRounded ? '≈ ' : ''}${value}`
}
