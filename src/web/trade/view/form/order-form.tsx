/** The form that places orders: one, or a list of them. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Desk } from '../../state/desk.ts'
import { fieldsOf, numberIn, type TradedMarket } from '../../state/draft/draft.ts'
import type { ListTicket } from '../../state/draft/list-ticket.ts'
import type { Ticket } from '../../state/draft/ticket.ts'
import { amountText } from '../../state/order-phrase.ts'
import type { Dispatch } from '../../state/sending/dispatch.ts'
import { ListFields } from './list-fields.tsx'
import { OrderFields } from './order-fields.tsx'
import { SidePicker, TypePicker } from './order-pickers.tsx'
import { SendButton } from './send-button.tsx'

type FormProps = {
  readonly desk: Desk
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  readonly listTicket: ListTicket
  readonly market: TradedMarket
}

export function OrderForm({ desk, dispatch, ticket, listTicket, market }: FormProps) {
  const list = desk.list.value
  return (
    <form
      class="trade-form"
      autocomplete="off"
      onKeyDown={(event) => {
        // A key that is held down sends once.
        if (event.key === 'Enter' && event.repeat) event.preventDefault()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void (list === undefined ? ticket : listTicket).submit()
      }}
    >
      <SidePicker desk={desk} />
      <TypePicker desk={desk} />
      {list === undefined ? (
        <OrderFields desk={desk} ticket={ticket} market={market} />
      ) : (
        <ListFields desk={desk} ticket={listTicket} market={market} list={list} />
      )}
      <SendButton
        dispatch={dispatch}
        side={desk.draft.value.side}
        what={whatIsSent(desk, market, ticket, listTicket)}
      />
    </form>
  )
}

/** How much of which asset the form has: of an order for a sum the sum, and the asset alone while there is no figure that could be sent. */
function whatIsSent(
  desk: Desk,
  { baseCode, quoteCode }: TradedMarket,
  ticket: Ticket,
  listTicket: ListTicket,
): string {
  const [draft, list] = [desk.draft.value, desk.list.value]
  const isForSum = list === undefined && !fieldsOf(draft).includes('quantity')
  const amount = numberIn(isForSum ? draft.total : (list?.quantity ?? draft.quantity))
  const problems = ticket.problems.value
  const single = isForSum ? problems.total : problems.quantity
  const problem = list === undefined ? single : listTicket.quantityProblem
  if (amount === undefined || amount.compare('0') === 0 || problem !== undefined) return baseCode
  if (!isForSum) return amountText(amount, baseCode)
  return TEXTS.orderPhrase.forTotal(baseCode, amountText(amount, quoteCode))
}
