/** Balances with what they are worth at the last prices. */
import { useMemo } from 'preact/hooks'
import { groupedText } from '../../common/grouped-text.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { TradedMarket } from '../state/draft.ts'
import type { Trader } from '../state/trader.ts'
import { usePaced } from '../view/paced.ts'
import { AssetName } from './asset-name.tsx'
import { Cells, type Column, Heads } from './columns.tsx'
import { figureColumn } from './figure-column.tsx'
import { isFlag, KeptChoice } from './kept-choice.ts'
import { useLastPrices } from './last-prices.ts'
import { ScrollBox } from './scroll-box.tsx'
import { type Holdings, holdingsOf, isSmall, marketOf, PriceTable, type Valued, type Worth } from './worth.ts'

const DRAWN_EVERY_MS = 200

type BalancesProps = {
  readonly trader: Trader
  readonly quoteCode: string
  readonly markets: readonly TradedMarket[]
}

export function Balances({ trader, quoteCode, markets }: BalancesProps) {
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
        <p class="trade-none">{isLive ? words.none : TEXTS.account.loading}</p>
      ) : (
        <BalanceTable rows={rows} quoteCode={quoteCode} symbols={markets.map(({ name }) => name)} />
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
  const columns = balanceColumns({ rows, quoteCode, symbols })
  return (
    <ScrollBox>
      <table class="cards">
        <Heads columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.balance.asset} data-asset={row.balance.asset}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function balanceColumns({ rows, quoteCode, symbols }: TableProps): readonly Column<Valued>[] {
  const { balances: words } = TEXTS
  const { worth: more } = TEXTS.account
  // Their points stand below each other, though they are of different assets.
  const ofAll = { rows, unit: () => '' }
  const value = figureColumn({
    ...ofAll,
    head: words.value(quoteCode),
    figure: ({ worth }) => worth?.value.toString(),
  })
  const heads = { free: words.free, locked: words.locked, freeze: more.freeze, savings: more.savings }
  const buckets = (['free', 'locked', 'freeze', 'savings'] as const).filter(
    // What nobody has is no column.
    (name) => name === 'free' || name === 'locked' || rows.some(({ balance }) => balance[name] !== '0'),
  )
  return [
    {
      head: words.asset,
      cell: ({ balance: { asset } }) => (
        <AssetName asset={asset} market={marketOf(asset, quoteCode, symbols)} />
      ),
    },
    ...buckets.map((name) =>
      figureColumn({ ...ofAll, head: heads[name], figure: ({ balance }) => balance[name] }),
    ),
    figureColumn({ ...ofAll, head: more.whole, figure: ({ whole }) => whole.toString() }),
    {
      ...value,
      cell: (row) => (
        <>
          {row.worth?.isRounded === true && '≈ '}
          {value.cell(row)}
        </>
      ),
    },
  ]
}

function worthText({ value, isRounded }: Worth): string {
  return `${isRounded ? '≈ ' : ''}${groupedText(value.toString())}`
}
