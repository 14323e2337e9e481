/** Balances with their values at the last prices. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { groupedText } from '../../shared/grouped-text.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import type { TradedMarket } from '../state/draft/draft.ts'
import type { Trader } from '../state/trader.ts'
import { usePaced } from '../view/paced.ts'
import { AssetName } from './asset-name.tsx'
import { Cells, type Column, Heads } from './columns.tsx'
import { figureColumn } from './figure-column.tsx'
import { isFlag, KeptChoice } from './kept-choice.ts'
import { useLastPrices } from './last-prices.ts'
import { roundedText } from './profit.ts'
import { ScrollBox } from './scroll-box.tsx'
import {
  type AccountHoldings,
  holdingsOf,
  isSmall,
  isZero,
  marketOf,
  PriceTable,
  unitsOf,
  type Valued,
  valuePlaces,
  type Worth,
} from './worth.ts'

const DRAWN_EVERY_MS = 200

type BalancesProps = {
  readonly trader: Trader
  readonly quoteCode: string
  readonly markets: readonly TradedMarket[]
}

export function Balances({ trader, quoteCode: usualUnit, markets }: BalancesProps) {
  const { balances: words } = TEXTS
  const { worth: more } = TEXTS.account
  const prices = useLastPrices(trader)
  const isLive = trader.account.isLive.value
  const areZerosHidden = useMemo(() => new KeptChoice('bourse-balances-zeros', true, isFlag), [])
  const isSmallHidden = useMemo(() => new KeptChoice('bourse-balances-small', false, isFlag), [])
  const chosenUnit = useMemo(() => new KeptChoice('bourse-balances-unit', '', isUnit), [])
  const balances = usePaced(trader.account.balances, DRAWN_EVERY_MS)
  const table = useMemo(() => new PriceTable(prices), [prices])
  const units = unitsOf(markets)
  // An asset in which no balance can be valued any longer cannot be chosen.
  const quoteCode = units.includes(chosenUnit.value) ? chosenUnit.value : usualUnit
  const unit = { quoteCode, places: valuePlaces(quoteCode, markets) }
  const holdings = holdingsOf(balances.values(), quoteCode, table)
  const rows = holdings.rows.filter(
    (row) => !(areZerosHidden.value && isZero(row)) && !(isSmallHidden.value && isSmall(row, holdings)),
  )
  return (
    <section class="trade-balances" aria-label={words.title}>
      <div class="history-bar">
        <Switch choice={areZerosHidden}>{more.hideZeros}</Switch>
        <Switch choice={isSmallHidden}>{more.hideSmall}</Switch>
        <label class="balances-unit">
          {more.unit}{' '}
          <select
            value={quoteCode}
            onChange={({ currentTarget }) => {
              chosenUnit.value = currentTarget.value
            }}
          >
            {units.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </label>
        <p class="orders-cancel">
          <Total holdings={holdings} unit={unit} isKnown={prices.length > 0} />
        </p>
      </div>
      {rows.length === 0 ? (
        <p class="trade-none">{noneText(isLive, holdings)}</p>
      ) : (
        <BalanceTable rows={rows} unit={unit} symbols={markets.map(({ name }) => name)} />
      )}
    </section>
  )
}

function noneText(isLive: boolean, { rows }: AccountHoldings): string {
  if (!isLive) return TEXTS.account.loading
  return rows.every(isZero) ? TEXTS.balances.none : TEXTS.account.worth.allHidden
}

function isUnit(kept: unknown): kept is string {
  return typeof kept === 'string'
}

type SwitchProps = { readonly choice: KeptChoice<boolean>; readonly children: ComponentChildren }

function Switch({ choice, children }: SwitchProps) {
  return (
    <label class="trade-check">
      <input
        type="checkbox"
        checked={choice.value}
        onChange={({ currentTarget }) => {
          choice.value = currentTarget.checked
        }}
      />
      {children}
    </label>
  )
}

/** The asset in which values are shown, and its decimals. */
type Unit = { readonly quoteCode: string; readonly places: number }

type TotalProps = { readonly holdings: AccountHoldings; readonly unit: Unit; readonly isKnown: boolean }

function Total({ holdings, unit, isKnown }: TotalProps) {
  const { worth: words } = TEXTS.account
  const { total, unknown } = holdings
  return (
    <>
      {words.total(unit.quoteCode)}{' '}
      <output>{isKnown ? <Value worth={total} places={unit.places} /> : '–'}</output>
      {isKnown && unknown.length > 0 && <span class="trade-none"> {words.without(unknown.join(', '))}</span>}
    </>
  )
}

type TableProps = {
  readonly rows: readonly Valued[]
  readonly unit: Unit
  readonly symbols: readonly string[]
}

function BalanceTable({ rows, unit, symbols }: TableProps) {
  const columns = balanceColumns({ rows, unit, symbols })
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

function balanceColumns({ rows, unit, symbols }: TableProps): readonly Column<Valued>[] {
  const { balances: words } = TEXTS
  const { worth: more } = TEXTS.account
  // The decimal points are aligned, although the assets differ.
  const ofAll = { rows, unit: () => '' }
  const heads = { free: words.free, locked: words.locked, freeze: more.freeze, savings: more.savings }
  const buckets = (['free', 'locked', 'freeze', 'savings'] as const).filter(
    // A column without any amount is left out.
    (name) => name === 'free' || name === 'locked' || rows.some(({ balance }) => balance[name] !== '0'),
  )
  return [
    {
      head: words.asset,
      cell: ({ balance: { asset } }) => (
        <AssetName asset={asset} market={marketOf(asset, unit.quoteCode, symbols)} />
      ),
    },
    ...buckets.map((name) =>
      figureColumn({ ...ofAll, head: heads[name], figure: ({ balance }) => balance[name] }),
    ),
    figureColumn({ ...ofAll, head: more.whole, figure: ({ whole }) => whole.toString() }),
    {
      head: words.value(unit.quoteCode),
      isFigure: true,
      cell: ({ worth }) => (worth === undefined ? '–' : <Value worth={worth} places={unit.places} />),
    },
  ]
}

type ValueProps = { readonly worth: Worth; readonly places: number }

/** Rounded for display; the exact value is in its title. */
function Value({ worth: { value, isRounded }, places }: ValueProps) {
  const exact = value.toString()
  return (
    <span title={groupedText(exact)}>
      {isRounded && '≈ '}
      {groupedText(roundedText(exact, places))}
    </span>
  )
}
