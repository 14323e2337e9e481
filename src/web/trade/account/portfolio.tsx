/** The cost and the profit of each asset. */
import { useMemo } from 'preact/hooks'
import type { Position } from '../../../client/interface/positions.ts'
import { groupedText } from '../../shared/grouped-text.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { TradedMarket } from '../state/draft/draft.ts'
import type { Trader } from '../state/trader.ts'
import { AssetName } from './asset-name.tsx'
import { Cells, type Column, Heads } from './columns.tsx'
import { figureColumn } from './figure-column.tsx'
import { isFlag, KeptChoice } from './kept-choice.ts'
import { useLastPrices } from './last-prices.ts'
import { priceDecimals } from './places.ts'
import { usePositions } from './positions.ts'
import { percentOf, roundedText, totalsOf } from './profit.ts'
import { ScrollBox } from './scroll-box.tsx'
import { marketOf, PriceTable, type Worth } from './worth.ts'

type PortfolioProps = {
  readonly trader: Trader
  readonly market: TradedMarket
  readonly markets: readonly TradedMarket[]
}

export function Portfolio({ trader, market, markets }: PortfolioProps) {
  const { account: words } = TEXTS
  const { positions, problem } = usePositions(trader)
  const prices = useLastPrices(trader)
  const isSoldShown = useMemo(() => new KeptChoice('bourse-portfolio-sold', false, isFlag), [])
  const table = useMemo(() => new PriceTable(prices), [prices])
  if (problem !== undefined) return <p class="trade-problem">{words.history.notRead(problem)}</p>
  if (positions === undefined) return <p class="trade-none">{words.loading}</p>
  const rows = positions.filter((each) => isSoldShown.value || each.quantity !== '0')
  return (
    <section class="trade-balances" aria-label={words.tabs.PORTFOLIO}>
      <div class="history-bar">
        <label class="trade-check">
          <input
            type="checkbox"
            checked={isSoldShown.value}
            onChange={({ currentTarget }) => {
              isSoldShown.value = currentTarget.checked
            }}
          />
          {words.portfolio.sold}
        </label>
        {prices.length > 0 && <Totals positions={positions} market={market} table={table} />}
      </div>
      {rows.length === 0 ? (
        <p class="trade-none">{words.portfolio.none}</p>
      ) : (
        <PositionTable rows={rows} quoteCode={market.quoteCode} markets={markets} />
      )}
      {rows.some(isEstimated) && <p class="trade-none">{words.portfolio.estimated}</p>}
    </section>
  )
}

type TotalsProps = {
  readonly positions: readonly Position[]
  readonly market: TradedMarket
  readonly table: PriceTable
}

function Totals({ positions, market, table }: TotalsProps) {
  const { portfolio: words, worth } = TEXTS.account
  const { quoteCode, quoteFraction } = market
  const totals = totalsOf(positions, quoteCode, table)
  const text = ({ value, isRounded }: Worth) =>
    `${isRounded ? '≈ ' : ''}${groupedText(roundedText(value.toString(), Math.max(2, quoteFraction)))}`
  return (
    <p class="orders-cancel">
      {worth.total(quoteCode)} <output>{text(totals.value)}</output> · {words.unrealized}{' '}
      <output>{text(totals.unrealized)}</output> · {words.realized} <output>{text(totals.realized)}</output>
      {totals.unknown.length > 0 && (
        <span class="trade-none"> {worth.without(totals.unknown.join(', '))}</span>
      )}
    </p>
  )
}

type TableProps = {
  readonly rows: readonly Position[]
  readonly quoteCode: string
  readonly markets: readonly TradedMarket[]
}

function PositionTable(props: TableProps) {
  const columns = positionColumns(props)
  return (
    <ScrollBox>
      <table class="cards">
        <Heads columns={columns} />
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.asset} data-asset={row.asset}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function positionColumns({ rows, quoteCode, markets }: TableProps): readonly Column<Position>[] {
  const { portfolio: words } = TEXTS.account
  const symbols = markets.map(({ name }) => name)
  const decimals = priceDecimals(markets)
  const amount = ({ symbol = '', costAsset = '' }: Position, exact: string) =>
    `${groupedText(roundedText(exact, Math.max(2, decimals(symbol))))} ${costAsset}`
  const optional = (position: Position, exact: string | undefined) =>
    exact === undefined ? '–' : amount(position, exact)
  return [
    {
      head: TEXTS.balances.asset,
      cell: ({ asset }) => <AssetName asset={asset} market={marketOf(asset, quoteCode, symbols)} />,
    },
    figureColumn({
      rows,
      unit: ({ asset }) => asset,
      head: TEXTS.orders.quantity,
      figure: ({ quantity }) => quantity,
    }),
    {
      head: words.average,
      isFigure: true,
      cell: (position) => (
        <>
          {isEstimated(position) && '≈ '}
          {optional(position, position.averageCost)}
          {position.withoutCost !== undefined && (
            <small class="trade-none"> {words.withoutCost(groupedText(position.withoutCost))}</small>
          )}
        </>
      ),
    },
    { head: words.value, isFigure: true, cell: (position) => optional(position, position.value) },
    profitColumn(words.unrealized, amount, ({ unrealizedProfit, cost }) => [unrealizedProfit, cost]),
    profitColumn(words.realized, amount, ({ realizedProfit, soldCost }) => [realizedProfit, soldCost]),
  ]
}

function profitColumn(
  head: string,
  amount: (position: Position, exact: string) => string,
  figures: (position: Position) => readonly [profit: string | undefined, of: string | undefined],
): Column<Position> {
  return {
    head,
    isFigure: true,
    side: (position) => {
      const [profit = '0'] = figures(position)
      return profit === '0' ? '' : profit.startsWith('-') ? 'SELL' : 'BUY'
    },
    cell: (position) => {
      const [profit, of = '0'] = figures(position)
      if (profit === undefined) return '–'
      const percent = percentOf(profit, of)
      const sign = profit === '0' || profit.startsWith('-') ? '' : '+'
      return (
        <>
          {sign}
          {amount(position, profit)}
          {percent !== undefined && (
            <small> {TEXTS.percent(`${percent.isBelow ? '-' : sign}${percent.size}`)}</small>
          )}
        </>
      )
    },
  }
}

/** Whether part of the cost was not paid as a price. */
function isEstimated({ atLastPrice }: Position): boolean {
  return atLastPrice !== undefined
}
