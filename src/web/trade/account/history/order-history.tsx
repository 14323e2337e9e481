/** Every order of the account, each with its story. */
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../texts/texts.ts'
import type { AccountRequests } from '../../state/trader.ts'
import { Choice, marketOptions, optionsOf } from './choice.tsx'
import type { HistoryProps } from './history-props.ts'
import { HistoryView } from './history-view.tsx'
import { OrderStory } from './order-story.tsx'
import { utcText } from './period.ts'

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
      choices={
        <>
          <Choice
            label={names.symbol}
            value={filter.symbol}
            options={marketOptions(symbols)}
            onChoice={(symbol) => history.setFilter({ ...filter, symbol })}
          />
          <Choice
            label={names.side}
            value={filter.side}
            options={optionsOf(words.history.all, TEXTS.side)}
            onChoice={(side) => history.setFilter({ ...filter, side })}
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
        <OrderRow key={order.id} order={account.newest(order)} requests={requests} columns={heads.length} />
      )}
    />
  )
}

type RowProps = {
  readonly order: Order
  readonly requests: AccountRequests
  readonly columns: number
}

function OrderRow({ order, requests, columns }: RowProps) {
  const { account: words, orders: names } = TEXTS
  const isOpen = useSignal(false)
  const id = useId()
  return (
    <>
      <tr data-past-order={order.id}>
        <td>{utcText(order.createdAt)}</td>
        <td>{order.symbol}</td>
        <td data-side={order.side}>{TEXTS.side[order.side]}</td>
        <td>{TEXTS.types[order.type]}</td>
        <td>{order.price ?? order.stopPrice ?? '–'}</td>
        <td>{order.quantity ?? order.total ?? '–'}</td>
        <td>{order.executedQuantity}</td>
        <td>{order.averagePrice ?? '–'}</td>
        <td>{words.statuses[order.status]}</td>
        <td>
          <button
            type="button"
            aria-expanded={isOpen.value}
            aria-controls={isOpen.value ? id : undefined}
            aria-label={words.story.of(
              names.about(
                TEXTS.side[order.side],
                order.quantity ?? order.total ?? '',
                order.price ?? order.stopPrice ?? '–',
              ),
            )}
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
          <td colSpan={columns}>
            <OrderStory order={order} requests={requests} />
          </td>
        </tr>
      )}
    </>
  )
}
