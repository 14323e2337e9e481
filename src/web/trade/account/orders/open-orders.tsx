/**
 * The account's open orders: sorted, the orders of a list together, each with its edit and cancel buttons.
 */
import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { cancelAll, cancelList, cancelOrder } from '../../state/sending/cancels.ts'
import { Confirm } from '../../view/confirm.tsx'
import { usePaced } from '../../view/paced.ts'
import type { AccountProps } from '../account-props.ts'
import { isFlag, KeptChoice } from '../kept-choice.ts'
import { OrderEdit } from './order-edit.tsx'
import { OrderRows } from './order-rows.tsx'
import {
  groupsOf,
  type OrderColumn,
  type OrderSort,
  type OrderTablePage,
  pageOf,
  sortedBy,
  USUAL_SORT,
} from './order-table.ts'
import { SortPicker } from './sort-picker.tsx'

const DRAWN_EVERY_MS = 100

type Dialog =
  | { readonly kind: 'edit'; readonly order: Order }
  /** The orders of one market, or of all. */
  | { readonly kind: 'cancelAll'; readonly symbol: string | undefined }

export function OpenOrders(props: AccountProps) {
  const { trading, trader, market } = props
  const { orders: words } = TEXTS
  const all = usePaced(trader.account.orders, DRAWN_EVERY_MS)
  const isLive = trader.account.isLive.value
  const isHereOnly = useMemo(() => new KeptChoice('bourse-orders-here', false, isFlag), [])
  const sort = useSignal(USUAL_SORT)
  const number = useSignal(1)
  const dialog = useSignal<Dialog | undefined>(undefined)
  const section = useRef<HTMLElement>(null)
  const orders = isHereOnly.value ? all.filter(({ symbol }) => symbol === market.name) : all
  const groups = useMemo(() => groupsOf(orders, sort.value), [all, isHereOnly.value, market.name, sort.value])
  const page = pageOf(groups, number.value)
  const pressed = useKeptPlace(section, all)
  const close = () => {
    dialog.value = undefined
  }
  const hereCount = all.filter(({ symbol }) => symbol === market.name).length
  return (
    <section class="trade-orders" aria-label={words.title} ref={section} tabIndex={-1}>
      <Bar
        market={market.name}
        isHereOnly={isHereOnly}
        sort={sort}
        counts={isLive ? { here: hereCount, all: all.length } : undefined}
        onCancelAll={(symbol) => {
          dialog.value = { kind: 'cancelAll', symbol }
        }}
      />
      {orders.length === 0 ? (
        <p class="trade-none">{noneText(isLive, all.length > 0 ? market.name : undefined)}</p>
      ) : (
        <OrderRows
          groups={page.groups}
          markets={trading.markets.value}
          sort={sort.value}
          isLive={isLive}
          onSort={(column: OrderColumn) => {
            sort.value = sortedBy(sort.value, column)
          }}
          onEdit={(order) => {
            dialog.value = { kind: 'edit', order }
          }}
          onCancel={(order) => {
            pressed.current = order.id
            void cancelOrder(trading, order)
          }}
          onCancelList={(order) => {
            pressed.current = order.id
            void cancelList(trading, order)
          }}
        />
      )}
      <Pages
        page={page}
        count={orders.length}
        onPage={(wanted) => {
          number.value = wanted
        }}
      />
      {dialog.value !== undefined && (
        <OrderDialog {...props} dialog={dialog.value} count={all.length} here={hereCount} onDone={close} />
      )}
    </section>
  )
}

/** `hidesIn`: the only market that is shown, if there are orders in others. */
function noneText(isLive: boolean, hidesIn: string | undefined): string {
  if (!isLive) return TEXTS.account.loading
  return hidesIn === undefined ? TEXTS.orders.none : TEXTS.account.open.noneHere(hidesIn)
}

type BarProps = {
  readonly market: string
  readonly isHereOnly: KeptChoice<boolean>
  readonly sort: Signal<OrderSort>
  /** Number of orders that can be canceled; undefined if the displayed data may be outdated. */
  readonly counts: { readonly here: number; readonly all: number } | undefined
  readonly onCancelAll: (symbol: string | undefined) => void
}

function Bar({ market, isHereOnly, sort, counts, onCancelAll }: BarProps) {
  const { open } = TEXTS.account
  return (
    <div class="history-bar">
      <label class="trade-check">
        <input
          type="checkbox"
          checked={isHereOnly.value}
          onChange={({ currentTarget }) => {
            isHereOnly.value = currentTarget.checked
          }}
        />
        {open.hereOnly(market)}
      </label>
      <SortPicker sort={sort} />
      <p class="trade-row orders-cancel">
        <button type="button" disabled={counts?.here === 0} onClick={() => onCancelAll(market)}>
          {open.cancelHere(market)}
        </button>
        <button type="button" disabled={counts?.all === 0} onClick={() => onCancelAll(undefined)}>
          {TEXTS.orders.cancelAll}
        </button>
      </p>
    </div>
  )
}

type PagesProps = {
  readonly page: OrderTablePage
  readonly count: number
  readonly onPage: (number: number) => void
}

function Pages({ page, count, onPage }: PagesProps) {
  const { open } = TEXTS.account
  const { number, pages } = page
  if (pages <= 1) return null
  return (
    <p class="history-pages">
      <button type="button" disabled={number <= 1} onClick={() => onPage(number - 1)}>
        {open.previous}
      </button>
      <span role="status">{open.page(number, pages, count)}</span>
      <button type="button" disabled={number >= pages} onClick={() => onPage(number + 1)}>
        {open.next}
      </button>
    </p>
  )
}

type DialogProps = AccountProps & {
  readonly dialog: Dialog
  /** Number of open orders in all markets, and in the displayed market. */
  readonly count: number
  readonly here: number
  readonly onDone: () => void
}

function OrderDialog({ dialog, count, here, onDone, ...props }: DialogProps) {
  const { orders: words } = TEXTS
  const { open } = TEXTS.account
  const { trading, trader } = props
  switch (dialog.kind) {
    case 'edit':
      return <OrderEdit {...props} order={dialog.order} onDone={onDone} />
    case 'cancelAll': {
      const { symbol } = dialog
      const orders = trader.account.isLive.value ? { here, all: count } : undefined
      return (
        <Confirm
          title={cancelTitle(symbol, orders)}
          yes={symbol === undefined ? words.cancelAll : open.cancelHere(symbol)}
          no={words.keep}
          onYes={() => {
            onDone()
            void cancelAll(trading, symbol)
          }}
          onNo={onDone}
        />
      )
    }
  }
}

/** `orders`: their number; undefined if unknown. */
function cancelTitle(
  symbol: string | undefined,
  orders: { readonly here: number; readonly all: number } | undefined,
): string {
  const { open } = TEXTS.account
  if (symbol === undefined)
    return orders === undefined ? open.cancelAllUncounted : open.cancelAllTitle(orders.all)
  return orders === undefined ? open.cancelHereUncounted(symbol) : open.cancelHereTitle(orders.here, symbol)
}

/**
 * If the row of the pressed button has disappeared, the focus moves to the list, not to the top of the page.
 */
function useKeptPlace(section: { readonly current: HTMLElement | null }, orders: readonly Order[]) {
  const pressed = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (pressed.current === undefined || orders.some(({ id }) => id === pressed.current)) return
    pressed.current = undefined
    if (document.activeElement === document.body) section.current?.focus()
  }, [orders])
  return pressed
}
