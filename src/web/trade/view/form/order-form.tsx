/** The form that places an order, or a list of orders. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import { fieldsOf, numberIn, type TradedMarket } from '../../state/draft/draft.ts'
import type { ListTicket } from '../../state/draft/list-ticket.ts'
import type { Ticket } from '../../state/draft/ticket.ts'
import { amountText } from '../../state/order-phrase.ts'
import type { Dispatch } from '../../state/sending/dispatch.ts'
import type { TradingState } from '../../state/trading-state.ts'
import { ListFields } from './list-fields.tsx'
import { OrderFields } from './order-fields.tsx'
import { SidePicker, TypePicker } from './order-pickers.tsx'
import { SendButton } from './send-button.tsx'

type FormProps = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  readonly listTicket: ListTicket
  readonly market: TradedMarket
}

export function OrderForm({ trading, dispatch, ticket, listTicket, market }: FormProps) {
  const list = trading.list.value
  return (
    <form
      class="trade-form"
      autocomplete="off"
      onKeyDown={(event) => {
        // A key that is held down sends only once.
        if (event.key === 'Enter' && event.repeat) event.preventDefault()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void (list === undefined ? ticket : listTicket).submit()
      }}
    >
      <SidePicker trading={trading} />
      <TypePicker trading={trading} />
      {list === undefined ? (
        <OrderFields trading={trading} ticket={ticket} market={market} />
      ) : (
        <ListFields trading={trading} ticket={listTicket} market={market} list={list} />
      )}
      <SendButton
        dispatch={dispatch}
        side={trading.draft.value.side}
        what={whatIsSent(trading, market, ticket, listTicket)}
      />
    </form>
  )
}

/**
 * The amount in the form and its asset: the total, for an order with a total; only the asset while there is
 * no valid figure.
 */
function whatIsSent(
  trading: TradingState,
  { baseCode, quoteCode }: TradedMarket,
  ticket: Ticket,
  listTicket: ListTicket,
): string {
  const [draft, list] = [trading.draft.value, trading.list.value]
  const isForSum = list === undefined && !fieldsOf(draft).includes('quantity')
  const amount = numberIn(isForSum ? draft.total : (list?.quantity ?? draft.quantity))
  const problems = ticket.problems.value
  const single = isForSum ? problems.total : problems.quantity
  const problem = list === undefined ? single : listTicket.quantityProblem
  if (amount === undefined || amount.compare('0') === 0 || problem !== undefined) return baseCode
  if (!isForSum) return amountText(amount, baseCode)
  return TEXTS.orderPhrase.forTotal(baseCode, amountText(amount, quoteCode))
}
