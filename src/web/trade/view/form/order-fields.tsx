/** The fields of a single order. */
import { Decimal } from '../../../../client/decimal.ts'
import type { SelfTradeMode } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { fieldsOf, type NumberFieldName, type TradedMarket } from '../../state/draft/draft.ts'
import type { Ticket } from '../../state/draft/ticket.ts'
import type { TradingState } from '../../state/trading-state.ts'
import { useElementId } from '../element-id.ts'
import { OrderForecast } from './forecast.tsx'
import { Free } from './free.tsx'
import { NumberInput } from './number-input.tsx'
import { Shares } from './shares.tsx'
import { TriggerHint } from './trigger-hint.tsx'

type FieldsProps = { readonly trading: TradingState; readonly ticket: Ticket; readonly market: TradedMarket }

/** Above the share of the balance: the first fields of every order. */
const FIRST: readonly NumberFieldName[] = ['stopPrice', 'price', 'quantity']

export function OrderFields({ trading, ticket, market }: FieldsProps) {
  const draft = trading.draft.value
  const given = draft.side === 'BUY' ? market.quoteCode : market.baseCode
  const unitOf = (field: NumberFieldName) => {
    if (field === 'minutes') return undefined
    if (field === 'trailingDelta') return '%'
    return field === 'quantity' || field === 'icebergQty' ? market.baseCode : market.quoteCode
  }
  const fields = fieldsOf(draft).filter((field) => field !== 'trailingDelta' || ticket.canTrail.value)
  const input = (field: NumberFieldName) => (
    <NumberInput
      key={field}
      name={field}
      label={field === 'stopPrice' && draft.trailingDelta !== '' ? TEXTS.trailing.from : TEXTS.fields[field]}
      unit={unitOf(field)}
      value={draft[field]}
      problem={ticket.problems.value[field]}
      onValue={(text) => ticket.set(field, text)}
    >
      {field === 'price' && <BestButtons trading={trading} />}
    </NumberInput>
  )
  return (
    <>
      <Free free={ticket.free} code={given} onAll={() => ticket.take(100)} />
      {fields.filter((field) => FIRST.includes(field)).map(input)}
      <Shares
        code={given}
        percent={ticket.share}
        isKnown={ticket.free !== undefined}
        onShare={(percent) => ticket.take(percent)}
      />
      {fields.filter((field) => !FIRST.includes(field) && field !== 'icebergQty').map(input)}
      <TriggerHint draft={draft} last={trading.lastPrice.value} trailingDelta={ticket.trailingDelta} />
      <details class="trade-limits" open={draft.icebergQty !== ''}>
        <summary>{TEXTS.selfTrade.title}</summary>
        {fields.filter((field) => field === 'icebergQty').map(input)}
        <SelfTrade trading={trading} />
      </details>
      <Fees ticket={ticket} />
      <OrderForecast ticket={ticket} />
    </>
  )
}

function BestButtons({ trading }: { readonly trading: TradingState }) {
  const { bid, ask } = trading.best.value
  return (
    <span class="trade-best">
      {(
        [
          ['bid', bid],
          ['ask', ask],
        ] as const
      ).map(([side, price]) => (
        <button
          type="button"
          key={side}
          aria-label={TEXTS.best[side]}
          disabled={price === undefined}
          onClick={() => price !== undefined && trading.takePrice(price)}
        >
          {TEXTS.best.short[side]}
        </button>
      ))}
    </span>
  )
}

function Fees({ ticket }: { readonly ticket: Ticket }) {
  const rates = ticket.commission.value?.commissionRates
  if (rates === undefined) return null
  const percent = (rate: string) => Decimal.from(rate).times('100').toString()
  return <p class="trade-hint">{TEXTS.fees(percent(rates.maker), percent(rates.taker))}</p>
}

/** The self-trade prevention of the order. */
function SelfTrade({ trading }: { readonly trading: TradingState }) {
  const id = useElementId()
  const draft = trading.draft.value
  const { label, modes, usual } = TEXTS.selfTrade
  return (
    <div class="trade-field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={draft.selfTradeMode ?? ''}
        onChange={({ currentTarget: { value } }) => {
          trading.draft.value = {
            ...draft,
            selfTradeMode: value === '' ? undefined : (value as SelfTradeMode),
          }
        }}
      >
        <option value="">{usual}</option>
        {Object.entries(modes).map(([mode, text]) => (
          <option key={mode} value={mode}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
