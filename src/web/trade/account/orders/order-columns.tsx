/** Columns common to open and past orders. */
import type { ComponentChildren } from 'preact'
import type { Order } from '../../../../client/interface/orders.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { codesOf } from '../../state/order-phrase.ts'
import type { Column } from '../columns.tsx'
import { figureColumn } from '../figure-column.tsx'
import { priceDecimals } from '../places.ts'
import { followText, triggerSign } from './order-table.ts'

/** `orders`: the rows of the table. */
export function triggerColumn(
  orders: readonly Order[],
  markets: readonly TradedMarket[],
  isOpen = false,
): Column<Order> {
  const prices = figureColumn({
    head: TEXTS.account.open.trigger,
    rows: orders,
    unit: (order: Order) => order.symbol,
    least: priceDecimals(markets),
    figure: (order) => order.stopPrice,
  })
  return { ...prices, cell: (order) => triggerCell(order, prices.cell(order), isOpen) }
}

function triggerCell(order: Order, price: ComponentChildren, isOpen: boolean): ComponentChildren {
  const sign = triggerSign(order)
  if (order.trailingDelta === undefined && sign === undefined) return '–'
  return (
    <>
      {isOpen && order.triggeredAt !== undefined && `(${TEXTS.account.open.triggered}) `}
      {order.trailingDelta === undefined ? (
        <>
          {sign} {price}
        </>
      ) : (
        <span class="wrapped">{followText(order, Date.now())}</span>
      )}
    </>
  )
}

/**
 * In the base asset, whose code `hasCode` adds; for an order with a total, the total with its own asset's
 * code.
 */
export function quantityColumn(orders: readonly Order[], hasCode = false): Column<Order> {
  const quantities = figureColumn({
    head: TEXTS.orders.quantity,
    rows: orders,
    unit: (order: Order) => order.symbol,
    figure: (order) => order.quantity,
    ...(hasCode ? { code: baseOf } : {}),
  })
  return {
    ...quantities,
    cell: (order) => (order.quantity === undefined ? sumText(order) : quantities.cell(order)),
  }
}

/** The base asset of the market of an order or a fill. */
export function baseOf({ symbol }: { readonly symbol: string }): string {
  return codesOf(symbol).base
}

/** The total of an order without a quantity. */
function sumText({ symbol, total }: Order): string {
  const { open } = TEXTS.account
  return total === undefined ? open.fromFirst : open.spends(`${groupedText(total)} ${codesOf(symbol).quote}`)
}
