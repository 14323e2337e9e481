/** Every order of the account, each with its story. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../texts/texts.ts'
import { orderPhrase } from '../../state/order-phrase.ts'
import type { AccountRequests } from '../../state/trader.ts'
import { Time } from '../time.tsx'
import { Choice, MarketAndSide, optionsOf } from './choice.tsx'
import type { HistoryProps } from './history-props.ts'
import { HistoryView } from './history-view.tsx'
import { OrderStory } from './order-story.tsx'

export function OrderHistory({ account, requests, histories, symbols }: HistoryProps) {
  const { orders: names, account: words } = TEXTS
  const history = histories.orders
  const filter = history.filter.value
  const heads = [
    words.history.time,
    names.symbol,
    names.side,
    names.type,
    names.price,
    names.quantity,
    names.filled,
    words.story.average,
    words.history.status,
    words.story.title,
  ]
  return (
    <HistoryView
      title={words.tabs.ORDERS}
      account={account}
      history={history}
      hasCards
      choices={
        <>
          <MarketAndSide
            filter={filter}
            symbols={symbols}
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
      heads={heads}
      row={(order) => (
        <OrderRow key={order.id} order={account.newest(order)} requests={requests} heads={heads} />
      )}
    />
  )
}

type RowProps = {
  readonly order: Order
  readonly requests: AccountRequests
  /** What the columns are called: a narrow screen says it beside each figure. */
  readonly heads: readonly string[]
}

function OrderRow({ order, requests, heads }: RowProps) {
  const { account: words } = TEXTS
  const isOpen = useSignal(false)
  const id = useId()
  return (
    <>
      <tr data-past-order={order.id}>
        <td data-label={heads[0]}>
          <Time at={order.createdAt} />
        </td>
        <td data-label={heads[1]}>{order.symbol}</td>
        <td data-label={heads[2]} data-side={order.side}>
          {TEXTS.side[order.side]}
        </td>
        <td data-label={heads[3]}>{TEXTS.types[order.type]}</td>
        <td data-label={heads[4]}>{order.price ?? order.stopPrice ?? '–'}</td>
        <td data-label={heads[5]}>{order.quantity ?? order.total ?? '–'}</td>
        <td data-label={heads[6]}>{order.executedQuantity}</td>
        <td data-label={heads[7]}>{order.averagePrice ?? '–'}</td>
        <td data-label={heads[8]}>{words.statuses[order.status]}</td>
        <td data-label={heads[9]}>
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
          <td colSpan={heads.length}>
            <OrderStory order={order} requests={requests} />
          </td>
        </tr>
      )}
    </>
  )
}
