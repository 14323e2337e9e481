/** The life of one order: its placement, its fills, and its end. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Fill, Order, OrderList } from '../../../../client/interface/orders.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { percentOf } from '../../state/draft/trailing.ts'
import { orderPhrase } from '../../state/order-phrase.ts'
import type { AccountRequests } from '../../state/trader.ts'
import { messageOf } from '../../state/trading-state.ts'
import { Cells, Heads } from '../columns.tsx'
import { wordOf } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { fillColumns } from './fill-columns.tsx'
import { momentText } from './period.ts'

/** Number of fills shown here; the tab with fills shows all. */
const FILLS_SHOWN = 100

type StoryProps = {
  readonly order: Order
  readonly requests: AccountRequests
  readonly markets: readonly TradedMarket[]
}

type Read =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'read'
      readonly fills: readonly Fill[]
      readonly hasMore: boolean
      readonly list: OrderList | undefined
    }

export function OrderStory({ order, requests, markets }: StoryProps) {
  const read = useSignal<Read>({ kind: 'reading' })
  const { id, listId, executedQuantity } = order
  useEffect(() => {
    const stop = new AbortController()
    const options = { signal: stop.signal }
    const ask = async () => {
      const [{ fills, next }, list] = await Promise.all([
        requests.myTrades({ orderId: id, limit: FILLS_SHOWN }, options),
        listId === undefined ? undefined : requests.orderList({ listId }, options),
      ])
      return { kind: 'read', fills, hasMore: next !== undefined, list } as const
    }
    ask().then(
      (found) => {
        if (!stop.signal.aborted) read.value = found
      },
      (error: unknown) => {
        if (!stop.signal.aborted) read.value = { kind: 'failed', message: messageOf(error) }
      },
    )
    return () => stop.abort()
  }, [requests, id, listId, executedQuantity])
  return (
    <div class="story">
      <Facts order={order} />
      <StoryParts read={read.value} markets={markets} />
    </div>
  )
}

function Facts({ order }: { readonly order: Order }) {
  const { story: words, history, statuses, ends } = TEXTS.account
  const { endReason } = order
  const figure = (decimal: string | undefined) => (decimal === undefined ? undefined : groupedText(decimal))
  const facts: readonly (readonly [string, string | undefined, isCopied?: boolean])[] = [
    [words.id, order.id, true],
    [words.clientOrderId, order.clientOrderId, true],
    [words.listId, order.listId, true],
    [
      history.status,
      endReason === undefined
        ? statuses[order.status]
        : `${statuses[order.status]}: ${wordOf(ends, endReason)}`,
    ],
    [
      order.trailingDelta === undefined ? TEXTS.fields.stopPrice : TEXTS.trailing.from,
      figure(order.stopPrice),
    ],
    [
      TEXTS.trailing.distance,
      order.trailingDelta === undefined
        ? undefined
        : TEXTS.trailing.when[order.side](percentOf(order.trailingDelta)),
    ],
    [TEXTS.trailing.since, order.trailingTime === undefined ? undefined : momentText(order.trailingTime)],
    [words.visible, figure(order.visibleQuantity)],
    [words.average, figure(order.averagePrice)],
    [words.executedTotal, figure(order.executedTotal)],
    [TEXTS.fills.commission, `${figure(order.commission)} ${order.commissionAsset}`],
    [words.prevented, figure(order.preventedQuantity)],
    [TEXTS.timeInForce, order.timeInForce],
    [words.expires, order.expireTime === undefined ? undefined : momentText(order.expireTime)],
    [words.placed, momentText(order.createdAt)],
    [words.changed, momentText(order.updatedAt)],
  ]
  return (
    <dl class="story-facts">
      {facts.map(
        ([name, text, isCopied]) =>
          text !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {text} {isCopied === true && <CopyButton text={text} name={name} />}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

type PartsProps = { readonly read: Read; readonly markets: readonly TradedMarket[] }

function StoryParts({ read, markets }: PartsProps) {
  const { story: words } = TEXTS.account
  switch (read.kind) {
    case 'reading':
      return <p class="trade-none">{TEXTS.account.loading}</p>
    case 'failed':
      return <p class="trade-problem">{read.message}</p>
    case 'read':
      return (
        <>
          {read.list !== undefined && <Legs list={read.list} />}
          {read.fills.length === 0 ? (
            <p class="trade-none">{words.noFills}</p>
          ) : (
            <Fills fills={read.fills} hasMore={read.hasMore} markets={markets} />
          )}
        </>
      )
  }
}

function Legs({ list }: { readonly list: OrderList }) {
  const { story: words, statuses } = TEXTS.account
  return (
    <div>
      <h4>{words.list[list.contingencyType]}</h4>
      <ul>
        {list.orders.map((order) => (
          <li key={order.id}>
            {orderPhrase(order)}, {statuses[order.status]}
          </li>
        ))}
      </ul>
    </div>
  )
}

type FillsProps = {
  readonly fills: readonly Fill[]
  readonly hasMore: boolean
  readonly markets: readonly TradedMarket[]
}

function Fills({ fills, hasMore, markets }: FillsProps) {
  const { story: words } = TEXTS.account
  const { time, price, quantity, total, commission, role } = fillColumns(fills, markets)
  const columns = [time, price, quantity, total, commission, role]
  return (
    <>
      <table>
        <caption>{words.fills}</caption>
        <Heads columns={columns} />
        <tbody>
          {fills.map((fill) => (
            <tr key={fill.id}>
              <Cells columns={columns} row={fill} />
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore && <p>{words.moreFills(FILLS_SHOWN)}</p>}
    </>
  )
}
