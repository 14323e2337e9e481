/** The table of open orders: a head that sorts, lists with their legs, and what can be done with each. */
import type { Order } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import { hasPrice } from '../state/draft.ts'
import { orderPhrase } from '../state/order-phrase.ts'
import { utcText } from './history/period.ts'
import {
  ORDER_COLUMNS,
  type OrderColumn,
  type OrderGroup,
  type OrderSort,
  triggerSign,
} from './order-table.ts'
import { ScrollBox } from './scroll-box.tsx'
import { Time } from './time.tsx'

export type RowActions = {
  readonly isLive: boolean
  readonly onAmend: (order: Order) => void
  readonly onReplace: (order: Order) => void
  readonly onCancel: (order: Order) => void
  /** All orders of the list that the order belongs to. */
  readonly onCancelList: (order: Order) => void
}

type RowsProps = RowActions & {
  readonly groups: readonly OrderGroup[]
  readonly sort: OrderSort
  readonly onSort: (column: OrderColumn) => void
}

export function OrderRows({ groups, sort, onSort, ...actions }: RowsProps) {
  const { orders: words } = TEXTS
  return (
    <ScrollBox>
      <table class="cards">
        <thead>
          <tr>
            {ORDER_COLUMNS.map((column) => (
              <th scope="col" key={column} aria-sort={sortWord(sort, column)}>
                <button type="button" class="sort" onClick={() => onSort(column)}>
                  {headOf(column)}
                  {sort.column === column && (
                    <span aria-hidden="true">{sort.isDescending ? ' ▾' : ' ▴'}</span>
                  )}
                </button>
              </th>
            ))}
            <th scope="col">
              <span class="unseen">{words.actions}</span>
            </th>
          </tr>
        </thead>
        {groups.map((group) => (
          <Group key={group.listId ?? group.orders[0]?.id} group={group} {...actions} />
        ))}
      </table>
    </ScrollBox>
  )
}

function Group({ group, ...actions }: RowActions & { readonly group: OrderGroup }) {
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
              disabled={!actions.isLive}
              aria-label={open.cancelListOf(first.symbol, utcText(first.createdAt))}
              onClick={() => actions.onCancelList(first)}
            >
              {open.cancelList}
            </button>
          </td>
        </tr>
      )}
      {group.orders.map((order) => (
        <OrderRow key={order.id} order={order} {...actions} />
      ))}
    </tbody>
  )
}

function OrderRow({ order, ...actions }: RowActions & { readonly order: Order }) {
  const { open } = TEXTS.account
  const sign = triggerSign(order)
  return (
    <tr data-order={order.id}>
      <td data-label={headOf('time')}>
        <Time at={order.createdAt} />
      </td>
      <td data-label={headOf('symbol')}>{order.symbol}</td>
      <td data-label={headOf('side')} data-side={order.side}>
        {TEXTS.side[order.side]}
      </td>
      <td data-label={headOf('type')}>{TEXTS.types[order.type]}</td>
      <td data-label={headOf('price')}>{order.price ?? '–'}</td>
      <td data-label={headOf('trigger')}>
        {sign === undefined ? '–' : `${sign} ${order.stopPrice}`}
        {order.triggeredAt !== undefined && ` (${open.triggered})`}
      </td>
      <td data-label={headOf('quantity')}>
        {order.quantity ?? (order.total === undefined ? open.fromFirst : open.spends(order.total))}
        {order.visibleQuantity !== undefined && ` (${open.shows(order.visibleQuantity)})`}
      </td>
      <td data-label={headOf('filled')}>{order.executedQuantity}</td>
      <td class="trade-actions">
        <RowButtons order={order} {...actions} />
      </td>
    </tr>
  )
}

function RowButtons({ order, isLive, onAmend, onReplace, onCancel }: RowActions & { readonly order: Order }) {
  const { orders: words } = TEXTS
  const { open } = TEXTS.account
  const about = orderPhrase(order)
  const isAlone = order.listId === undefined
  const buttons = [
    // The exchange amends what rests in the book, and no order of a list (docs/reference/order-changes.md#lower-the-quantity).
    ...(isAlone && order.isWorking === true && hasPrice(order.type) && order.quantity !== undefined
      ? [[words.amend, words.amendThis(about), onAmend] as const]
      : []),
    // A list would end with the order: its legs are for its placement to choose.
    ...(isAlone ? [[open.replace, open.replaceThis(about), onReplace] as const] : []),
    [words.cancel, words.cancelThis(about), onCancel] as const,
  ]
  return (
    <>
      {buttons.map(([text, name, act]) => (
        <button type="button" key={text} disabled={!isLive} aria-label={name} onClick={() => act(order)}>
          {text}
        </button>
      ))}
    </>
  )
}

function headOf(column: OrderColumn): string {
  switch (column) {
    case 'time':
      return TEXTS.account.history.time
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
