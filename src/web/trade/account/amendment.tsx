/** The dialog for a smaller quantity of an order; a refusal stays in it. */
import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { FieldProblem } from '../state/draft.ts'
import { refusedProblem, typedProblem } from '../state/field-problem.ts'
import { typedNumber } from '../state/number-field.ts'
import type { Trader } from '../state/trader.ts'
import { Confirm } from '../view/confirm.tsx'
import { NumberInput } from '../view/number-input.tsx'
import { aboutOrder } from './order-rows.tsx'

type AmendmentProps = { readonly order: Order; readonly trader: Trader; readonly onDone: () => void }

export function Amendment({ order, trader, onDone }: AmendmentProps) {
  const { orders: words } = TEXTS
  const text = useSignal(order.quantity ?? '')
  const refused = useSignal<FieldProblem | undefined>(undefined)
  const isSending = useSignal(false)
  const typed = typedNumber(text.value)
  const send = async () => {
    if (isSending.value || typed.kind !== 'number' || !trader.account.isLive.value) return
    isSending.value = true
    try {
      await trader.amend(order, typed.value.toString())
      onDone()
    } catch (error) {
      refused.value = refusedProblem(error)
    }
    isSending.value = false
  }
  return (
    <Confirm
      title={words.amendTitle(aboutOrder(order))}
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
