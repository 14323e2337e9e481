/** The table of open orders: headings that sort, lists with their legs, and the actions for each order. */
import type { Order } from '../../../../client/interface/orders.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { zoneName } from '../../../shared/texts/time-zone.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { kindText } from '../../state/draft/order-leg.ts'
import { orderPhrase } from '../../state/order-phrase.ts'
import { alignment, Cells, type Column } from '../columns.tsx'
import { figureColumn } from '../figure-column.tsx'
import { momentText } from '../history/period.ts'
import { priceDecimals } from '../places.ts'
import { ScrollBox } from '../scroll-box.tsx'
import { Time } from '../time.tsx'
import { quantityColumn, triggerColumn } from './order-columns.tsx'
import { ORDER_COLUMNS, type OrderColumn, type OrderGroup, type OrderSort } from './order-table.ts'

export type RowActions = {
  readonly isLive: boolean
  readonly onEdit: (order: Order) => void
  readonly onCancel: (order: Order) => void
  /** Cancels all orders of the list to which the order belongs. */
  readonly onCancelList: (order: Order) => void
}

type RowsProps = RowActions & {
  readonly groups: readonly OrderGroup[]
  readonly markets: readonly TradedMarket[]
  readonly sort: OrderSort
  readonly onSort: (column: OrderColumn) => void
}

export function OrderRows({ groups, markets, sort, onSort, ...actions }: RowsProps) {
  const { orders: words } = TEXTS
  const columns = openColumns(
    groups.flatMap(({ orders }) => orders),
    markets,
  )
  return (
    <ScrollBox>
      <table class="cards">
        <thead>
          <tr>
            {columns.map(({ name, head, isFigure }) => (
              <th scope="col" key={name} class={alignment(isFigure)} aria-sort={sortWord(sort, name)}>
                <button type="button" class="sort" onClick={() => onSort(name)}>
                  {head}
                  {sort.column === name && <span aria-hidden="true">{sort.isDescending ? ' ▾' : ' ▴'}</span>}
                </button>
              </th>
            ))}
            <th scope="col">
              <span class="unseen">{words.actions}</span>
            </th>
          </tr>
        </thead>
        {groups.map((group) => (
          <Group key={group.listId ?? group.orders[0]?.id} group={group} columns={columns} {...actions} />
        ))}
      </table>
    </ScrollBox>
  )
}

type OpenColumn = Column<Order> & { readonly name: OrderColumn }

/** `orders`: the rows of the table. */
function openColumns(orders: readonly Order[], markets: readonly TradedMarket[]): readonly OpenColumn[] {
  return ORDER_COLUMNS.map((name) => ({ name, ...openColumn(name, orders, markets) }))
}

function openColumn(
  name: OrderColumn,
  orders: readonly Order[],
  markets: readonly TradedMarket[],
): Column<Order> {
  const head = headOf(name)
  const ofMarket = { head, rows: orders, unit: (order: Order) => order.symbol }
  const least = priceDecimals(markets)
  switch (name) {
    case 'time':
      return { head, isWrapped: true, cell: (order) => <Time at={order.createdAt} /> }
    case 'symbol':
      return { head, cell: (order) => order.symbol }
    case 'side':
      return { head, cell: (order) => TEXTS.side[order.side], side: (order) => order.side }
    case 'type':
      return { head, isWrapped: true, cell: (order) => typeText(order, orders) }
    case 'price':
      return figureColumn({ ...ofMarket, least, figure: (order) => order.price })
    case 'trigger':
      return triggerColumn(orders, markets, true)
    case 'quantity':
      return quantityColumn(orders)
    case 'filled':
      return figureColumn({ ...ofMarket, figure: (order) => order.executedQuantity })
  }
}

/**
 * Includes the displayed part of an iceberg order: in the column of quantities it would disturb the alignment
 * of the figures.
 */
function typeText(order: Order, orders: readonly Order[]): string {
  const { open } = TEXTS.account
  const { visibleQuantity } = order
  const shown = visibleQuantity === undefined ? '' : ` (${open.shows(groupedText(visibleQuantity))})`
  return kindText(order, orders) + shown
}

type GroupProps = RowActions & { readonly group: OrderGroup; readonly columns: readonly OpenColumn[] }

function Group({ group, columns, ...actions }: GroupProps) {
  const { open } = TEXTS.account
  const [first] = group.orders
  return (
    <tbody class={group.listId === undefined ? undefined : 'order-list'}>
      {group.listId !== undefined && first !== undefined && (
        <tr data-list={group.listId}>
          <th scope="rowgroup" colSpan={ORDER_COLUMNS.length}>
            {open.list(group.orders.length, first.symbol)}
          </th>
          <td class="trade-actions">
            <button
              type="button"
              aria-label={open.cancelListOf(first.symbol, momentText(first.createdAt))}
              onClick={() => actions.onCancelList(first)}
            >
              {open.cancelList}
            </button>
          </td>
        </tr>
      )}
      {group.orders.map((order) => (
        <OrderRow key={order.id} order={order} columns={columns} {...actions} />
      ))}
    </tbody>
  )
}

type RowProps = RowActions & { readonly order: Order; readonly columns: readonly OpenColumn[] }

function OrderRow({ order, columns, ...actions }: RowProps) {
  return (
    <tr data-order={order.id}>
      <Cells columns={columns} row={order} />
      <td class="trade-actions">
        <RowButtons order={order} {...actions} />
      </td>
    </tr>
  )
}

function RowButtons({ order, isLive, onEdit, onCancel }: RowActions & { readonly order: Order }) {
  const { orders: words } = TEXTS
  const { open } = TEXTS.account
  const about = orderPhrase(order)
  const isAlone = order.listId === undefined
  const buttons = [
    // Editing one order would end its list: its orders are set when the list is placed.
    ...(isAlone ? [[open.edit, open.editThis(about), onEdit, isLive] as const] : []),
    // A user who wants to cancel does not have to wait until the page is live.
    [words.cancel, words.cancelThis(about), onCancel, true] as const,
  ]
  return (
    <>
      {buttons.map(([text, name, act, isOffered]) => (
        <button type="button" key={text} disabled={!isOffered} aria-label={name} onClick={() => act(order)}>
          {text}
        </button>
      ))}
    </>
  )
}

/** The name of a column. */
export function headOf(column: OrderColumn): string {
  switch (column) {
    case 'time':
      return TEXTS.account.history.time(zoneName())
    case 'trigger':
      return TEXTS.account.open.trigger
    case 'symbol':
    case 'side':
    case 'type':
    case 'price':
    case 'quantity':
    case 'filled':
      return TEXTS.orders[column]
  }
}

function sortWord(sort: OrderSort, column: OrderColumn): 'ascending' | 'descending' | 'none' {
  if (sort.column !== column) return 'none'
  return sort.isDescending ? 'descending' : 'ascending'
}
