/** The columns of fills: of all fills, and of those of one order. */
import type { Fill } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { zoneName } from '../../../shared/texts/time-zone.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { codesOf } from '../../state/order-phrase.ts'
import type { Column } from '../columns.tsx'
import { figureColumn } from '../figure-column.tsx'
import { baseOf } from '../orders/order-columns.tsx'
import { priceDecimals } from '../places.ts'
import { Time } from '../time.tsx'

export type FillColumn = 'time' | 'symbol' | 'side' | 'price' | 'quantity' | 'total' | 'commission' | 'role'

/** `fills`: the rows of the table. */
export function fillColumns(
  fills: readonly Fill[],
  markets: readonly TradedMarket[],
): { readonly [Name in FillColumn]: Column<Fill> } {
  const { orders: names, account: words } = TEXTS
  const ofMarket = { rows: fills, unit: (fill: Fill) => fill.symbol }
  const commission = figureColumn({
    head: TEXTS.fills.commission,
    rows: fills,
    unit: (fill) => fill.commissionAsset,
    figure: (fill) => fill.commission,
    code: (fill) => fill.commissionAsset,
  })
  return {
    time: { head: words.history.time(zoneName()), cell: (fill) => <Time at={fill.time} /> },
    symbol: { head: names.symbol, cell: (fill) => fill.symbol },
    side: { head: names.side, cell: (fill) => TEXTS.side[fill.side], side: (fill) => fill.side },
    price: figureColumn({
      ...ofMarket,
      head: names.price,
      figure: (fill) => fill.price,
      least: priceDecimals(markets),
    }),
    quantity: figureColumn({
      ...ofMarket,
      head: names.quantity,
      figure: (fill) => fill.quantity,
      code: baseOf,
    }),
    total: figureColumn({
      ...ofMarket,
      head: words.history.total,
      figure: (fill) => fill.total,
      code: (fill) => codesOf(fill.symbol).quote,
    }),
    commission,
    role: {
      head: words.history.role,
      cell: (fill) => (fill.isMaker ? words.history.maker : words.history.taker),
    },
  }
}
