/** The account's open orders, each to be amended or canceled. */
import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import { type Desk, messageOf } from '../state/desk.ts'
import { type FieldProblem, hasPrice } from '../state/draft.ts'
import { typedNumber } from '../state/number-field.ts'
import type { Trader } from '../state/trader.ts'
import { Confirm } from '../view/confirm.tsx'
import { NumberInput } from '../view/number-input.tsx'
import { ScrollBox } from './scroll-box.tsx'

const { orders: WORDS } = TEXTS

export function OpenOrders({ desk, trader }: { readonly desk: Desk; readonly trader: Trader }) {
  const orders = trader.account.orders.value
  const isAsking = useSignal(false)
  const amended = useSignal<Order | undefined>(undefined)
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      desk.tell(messageOf(error), true)
    }
  }
  const isLive = trader.account.isLive.value
  return (
    <section class="trade-orders" aria-label={WORDS.title}>
      <div class="trade-row">
        <h3>
          {WORDS.title} ({orders.length})
        </h3>
        <button
          type="button"
          disabled={orders.length === 0 || !isLive}
          onClick={() => {
            isAsking.value = true
          }}
        >
          {WORDS.cancelAll}
        </button>
      </div>
      {orders.length === 0 ? (
        <p class="trade-none">{isLive ? WORDS.none : '…'}</p>
      ) : (
        <OrderTable
          orders={orders}
          isLive={isLive}
          onAmend={(order) => {
            amended.value = order
          }}
          onCancel={(order) => void attempt(() => trader.cancel(order))}
        />
      )}
      {isAsking.value && (
        <Confirm
          title={WORDS.cancelAllQuestion}
          yes={WORDS.cancelAll}
          no={WORDS.keep}
          onYes={() => {
            isAsking.value = false
            void attempt(() => trader.cancelAll(undefined))
          }}
          onNo={() => {
            isAsking.value = false
          }}
        />
      )}
      {amended.value !== undefined && (
        <Amendment
          order={amended.value}
          trader={trader}
          onDone={() => {
            amended.value = undefined
          }}
        />
      )}
    </section>
  )
}

type TableProps = {
  readonly orders: readonly Order[]
  readonly isLive: boolean
  readonly onAmend: (order: Order) => void
  readonly onCancel: (order: Order) => void
}

function OrderTable({ orders, isLive, onAmend, onCancel }: TableProps) {
  return (
    <ScrollBox>
      <table>
        <thead>
          <tr>
            {[WORDS.symbol, WORDS.side, WORDS.type, WORDS.price, WORDS.quantity, WORDS.filled].map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
            <th scope="col">
              <span class="unseen">{WORDS.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id} data-order={order.id}>
              <td>{order.symbol}</td>
              <td data-side={order.side}>{TEXTS.side[order.side]}</td>
              <td>{TEXTS.types[order.type]}</td>
              <td>{order.price ?? order.stopPrice ?? '–'}</td>
              <td>{order.quantity ?? order.total ?? '–'}</td>
              <td>{order.executedQuantity}</td>
              <td class="trade-actions">
                {order.quantity !== undefined && hasPrice(order.type) && (
                  <button
                    type="button"
                    disabled={!isLive}
                    aria-label={WORDS.amendThis(aboutOrder(order))}
                    onClick={() => onAmend(order)}
                  >
                    {WORDS.amend}
                  </button>
                )}
                <button
                  type="button"
                  disabled={!isLive}
                  aria-label={WORDS.cancelThis(aboutOrder(order))}
                  onClick={() => onCancel(order)}
                >
                  {WORDS.cancel}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function aboutOrder({ side, quantity, total, price, stopPrice }: Order): string {
  return WORDS.about(TEXTS.side[side], quantity ?? total ?? '', price ?? stopPrice ?? '')
}

type AmendmentProps = { readonly order: Order; readonly trader: Trader; readonly onDone: () => void }

/** The dialog for another quantity of an order; a refusal stays in it. */
function Amendment({ order, trader, onDone }: AmendmentProps) {
  const text = useSignal(order.quantity ?? '')
  const refused = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const typed = typedNumber(text.value)
  const send = async () => {
    if (isSending.value || typed.kind !== 'number') return
    isSending.value = true
    try {
      await trader.amend(order, typed.value.toString())
      onDone()
    } catch (error) {
      refused.value = messageOf(error)
    }
    isSending.value = false
  }
  return (
    <Confirm
      title={WORDS.amendTitle(aboutOrder(order))}
      yes={WORDS.amend}
      no={WORDS.keep}
      onYes={() => void send()}
      onNo={onDone}
    >
      <p>{WORDS.only}</p>
      <NumberInput
        label={WORDS.quantity}
        value={text.value}
        problem={problemOf(typed, refused.value)}
        onValue={(value) => {
          text.value = value
          refused.value = undefined
        }}
      />
    </Confirm>
  )
}

function problemOf(
  typed: ReturnType<typeof typedNumber>,
  refused: string | undefined,
): FieldProblem | undefined {
  if (typed.kind === 'refused') return { kind: 'UNREADABLE', offers: typed.readings }
  if (typed.kind === 'empty') return { kind: 'MISSING', offers: [] }
  return refused === undefined ? undefined : { kind: 'REFUSED', offers: [], message: refused }
}
