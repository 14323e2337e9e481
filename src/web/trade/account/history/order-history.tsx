/** Every order of the account, each with its details. */
import { useSignal } from '@preact/signals'
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { zoneName } from '../../../shared/texts/time-zone.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { orderPhrase } from '../../state/order-phrase.ts'
import type { AccountRequests } from '../../state/trader.ts'
import { useElementId } from '../../view/element-id.ts'
import { Cells, type Column } from '../columns.tsx'
import { figureColumn } from '../figure-column.tsx'
import { baseOf, quantityColumn, triggerColumn } from '../orders/order-columns.tsx'
import { priceDecimals } from '../places.ts'
import { Time } from '../time.tsx'
import { Choice, MarketAndSide, optionsOf } from './choice.tsx'
import type { HistoryProps } from './history-props.ts'
import { HistoryView } from './history-view.tsx'
import { OrderStory } from './order-story.tsx'

export function OrderHistory({ account, requests, histories, markets }: HistoryProps) {
  const { account: words } = TEXTS
  const history = histories.orders
  const filter = history.filter.value
  return (
    <HistoryView
      title={words.tabs.ORDERS}
      none={words.history.none.ORDERS}
      account={account}
      history={history}
      choices={
        <>
          <MarketAndSide
            filter={filter}
            markets={markets}
            onFilter={(changed) => history.setFilter(changed)}
          />
          <Choice
            label={words.history.status}
            value={filter.status}
            options={optionsOf(words.history.all, words.statuses)}
            onChoice={(status) => history.setFilter({ ...filter, status })}
          />
        </>
      }
      columnsOf={(orders) => [
        ...orderColumns(
          orders.map((order) => account.newest(order)),
          markets,
        ),
        // On a narrow screen each row has its own button.
        { head: words.story.title, cell: () => null },
      ]}
      row={(order, columns) => (
        <OrderRow
          key={order.id}
          order={account.newest(order)}
          requests={requests}
          markets={markets}
          columns={columns.slice(0, -1)}
        />
      )}
    />
  )
}

function orderColumns(orders: readonly Order[], markets: readonly TradedMarket[]): readonly Column<Order>[] {
  const { orders: names, account: words } = TEXTS
  const ofMarket = { rows: orders, unit: (order: Order) => order.symbol }
  const ofPrices = { ...ofMarket, least: priceDecimals(markets) }
  return [
    { head: words.history.time(zoneName()), isWrapped: true, cell: (order) => <Time at={order.createdAt} /> },
    { head: names.symbol, cell: (order) => order.symbol },
    { head: names.side, cell: (order) => TEXTS.side[order.side], side: (order) => order.side },
    { head: names.type, isWrapped: true, cell: (order) => TEXTS.types[order.type] },
    figureColumn({ ...ofPrices, head: names.price, figure: (order) => order.price }),
    triggerColumn(orders, markets),
    quantityColumn(orders, true),
    figureColumn({
      ...ofMarket,
      head: names.filled,
      figure: (order) => order.executedQuantity,
      code: baseOf,
    }),
    figureColumn({ ...ofPrices, head: words.story.average, figure: (order) => order.averagePrice }),
    { head: words.history.status, cell: (order) => words.statuses[order.status] },
  ]
}

type RowProps = {
  readonly order: Order
  readonly requests: AccountRequests
  readonly markets: readonly TradedMarket[]
  /** All columns except the last one. */
  readonly columns: readonly Column<Order>[]
}

function OrderRow({ order, requests, markets, columns }: RowProps) {
  const { account: words } = TEXTS
  const isOpen = useSignal(false)
  const id = useElementId()
  return (
    <>
      <tr data-past-order={order.id}>
        <Cells columns={columns} row={order} />
        <td data-label={words.story.title}>
          <button
            type="button"
            aria-expanded={isOpen.value}
            aria-controls={isOpen.value ? id : undefined}
            aria-label={words.story.of(orderPhrase(order))}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {isOpen.value ? '▴' : '▾'}
          </button>
        </td>
      </tr>
      {isOpen.value && (
        <tr class="history-story" id={id}>
          <td colSpan={columns.length + 1}>
            <OrderStory order={order} requests={requests} markets={markets} />
          </td>
        </tr>
      )}
    </>
  )
}
