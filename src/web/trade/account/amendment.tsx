/** The dialog for a smaller quantity of an order; a refusal stays in it. */
import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'
import type { FieldProblem } from '../state/draft.ts'
import { refusedProblem, typedProblem } from '../state/field-problem.ts'
import { typedNumber } from '../state/number-field.ts'
import { orderPhrase } from '../state/order-phrase.ts'
import { amendedText } from '../state/outgoing-text.ts'
import type { Trader } from '../state/trader.ts'
import { Confirm } from '../view/confirm.tsx'
import { NumberInput } from '../view/number-input.tsx'

type AmendmentProps = {
  readonly desk: Desk
  readonly order: Order
  readonly trader: Trader
  readonly onDone: () => void
}

export function Amendment({ desk, order, trader, onDone }: AmendmentProps) {
  const { orders: words } = TEXTS
  const text = useSignal(order.quantity ?? '')
  const refused = useSignal<FieldProblem | undefined>(undefined)
  const isSending = useSignal(false)
  const typed = typedNumber(text.value)
  const send = async () => {
    if (isSending.value || typed.kind !== 'number' || !trader.account.isLive.value) return
    isSending.value = true
    try {
      const quantity = typed.value.toString()
      await trader.amend(order, quantity)
      desk.notifyOf(trader, () => amendedText(order, quantity), { orderId: order.id })
      onDone()
    } catch (error) {
      refused.value = refusedProblem(error)
    }
    isSending.value = false
  }
  return (
    <Confirm
      title={words.amendTitle(orderPhrase(order))}
      yes={words.amend}
      no={words.keep}
      onYes={() => void send()}
      onNo={onDone}
    >
      <p>{words.only}</p>
      <NumberInput
        label={words.quantity}
        value={text.value}
        problem={typedProblem(typed) ?? refused.value}
        onValue={(value) => {
          text.value = value
          refused.value = undefined
        }}
      />
      {!trader.account.isLive.value && <p class="trade-stale">{TEXTS.sending.waits.ACCOUNT}</p>}
    </Confirm>
  )
}
