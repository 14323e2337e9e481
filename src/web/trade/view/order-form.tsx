/** The form that places orders. */
import { useId } from 'preact/hooks'
import { Decimal } from '../../../client/decimal.ts'
import type { OrderType, TimeInForce } from '../../../client/interface/words.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { Desk } from '../state/desk.ts'
import type { Dispatch } from '../state/dispatch.ts'
import {
  fieldsOf,
  hasPrice,
  hasTimeInForce,
  type NumberFieldName,
  type TradedMarket,
} from '../state/draft.ts'
import type { Side } from '../state/sums.ts'
import type { Ticket } from '../state/ticket.ts'
import { Forecast } from './forecast.tsx'
import { NumberInput } from './number-input.tsx'
import { SendButton } from './send-button.tsx'
import { SendQuestion } from './send-question.tsx'
import { SendSettings } from './send-settings.tsx'

const SIDES: readonly Side[] = ['BUY', 'SELL']
const SHARES = [25, 50, 75, 100]

type FormProps = {
  readonly desk: Desk
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  readonly market: TradedMarket
}

export function OrderForm({ desk, dispatch, ticket, market }: FormProps) {
  const draft = desk.draft.value
  const given = draft.side === 'BUY' ? market.quoteCode : market.baseCode
  const unitOf = (field: NumberFieldName) => {
    if (field === 'minutes') return undefined
    return field === 'quantity' || field === 'icebergQty' ? market.baseCode : market.quoteCode
  }
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
        void ticket.submit()
      }}
    >
      <SidePicker desk={desk} />
      <TypePicker desk={desk} />
      {fieldsOf(draft).map((field) => (
        <NumberInput
          key={field}
          label={TEXTS.fields[field]}
          unit={unitOf(field)}
          value={draft[field]}
          problem={ticket.problems.value[field]}
          onValue={(text) => ticket.set(field, text)}
        />
      ))}
      {hasPrice(draft.type) && <BestButtons desk={desk} />}
      <p class="trade-row trade-shares">
        {SHARES.map((percent) => (
          <button
            type="button"
            key={percent}
            aria-label={TEXTS.share(percent, given)}
            onClick={() => ticket.take(percent)}
          >
            {TEXTS.percent(percent)}
          </button>
        ))}
      </p>
      <p class="trade-facts">
        {TEXTS.free} <output>{ticket.free ?? '–'}</output> {given}
        <Fees ticket={ticket} />
      </p>
      <Forecast ticket={ticket} />
      <SendButton dispatch={dispatch} side={draft.side} baseCode={market.baseCode} />
      <SendSettings desk={desk} ticket={ticket} market={market} />
      <SendQuestion dispatch={dispatch} />
    </form>
  )
}

function SidePicker({ desk }: { readonly desk: Desk }) {
  const draft = desk.draft.value
  return (
    <div class="trade-row trade-sides">
      {SIDES.map((side) => (
        <button
          type="button"
          key={side}
          data-side={side}
          aria-pressed={draft.side === side}
          onClick={() => {
            desk.draft.value = { ...draft, side }
          }}
        >
          {TEXTS.side[side]}
        </button>
      ))}
    </div>
  )
}

function TypePicker({ desk }: { readonly desk: Desk }) {
  const ids = { type: useId(), time: useId() }
  const draft = desk.draft.value
  return (
    <div class="trade-row">
      <div class="trade-field">
        <label for={ids.type}>{TEXTS.type}</label>
        <select
          id={ids.type}
          value={draft.type}
          onChange={({ currentTarget }) => {
            desk.draft.value = { ...draft, type: currentTarget.value as OrderType }
          }}
        >
          {Object.entries(TEXTS.types).map(([type, text]) => (
            <option key={type} value={type}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {hasTimeInForce(draft.type) && (
        <div class="trade-field">
          <label for={ids.time}>{TEXTS.timeInForce}</label>
          <select
            id={ids.time}
            value={draft.timeInForce}
            onChange={({ currentTarget }) => {
              desk.draft.value = { ...draft, timeInForce: currentTarget.value as TimeInForce }
            }}
          >
            {Object.entries(TEXTS.timesInForce).map(([time, text]) => (
              <option key={time} value={time}>
                {time} · {text}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  )
}

function BestButtons({ desk }: { readonly desk: Desk }) {
  const { bid, ask } = desk.best.value
  return (
    <p class="trade-row trade-shares">
      {(
        [
          [TEXTS.best.bid, bid],
          [TEXTS.best.ask, ask],
        ] as const
      ).map(([text, price]) => (
        <button
          type="button"
          key={text}
          disabled={price === undefined}
          onClick={() => price !== undefined && desk.takePrice(price)}
        >
          {text}
        </button>
      ))}
    </p>
  )
}

function Fees({ ticket }: { readonly ticket: Ticket }) {
  const rates = ticket.commission.value?.commissionRates
  if (rates === undefined) return null
  const percent = (rate: string) => Decimal.from(rate).times('100').toString()
  return <span class="trade-fees">{TEXTS.fees(percent(rates.maker), percent(rates.taker))}</span>
}
