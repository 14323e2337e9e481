/** The fields of linked orders: first the common ones, then those of each order. */
import type { OrderType, Side } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { hasTimeInForce, type NumberFieldName, type TradedMarket } from '../../state/draft/draft.ts'
import { LEG_TYPES, LEGS, type LegName, type ListDraft, withLeg } from '../../state/draft/list-draft.ts'
import type { ListTicket } from '../../state/draft/list-ticket.ts'
import type { TradingState } from '../../state/trading-state.ts'
import { useElementId } from '../element-id.ts'
import { ForecastText } from './forecast.tsx'
import { Free } from './free.tsx'
import { NumberInput } from './number-input.tsx'
import { Shares } from './shares.tsx'
import { TimePicker } from './time-picker.tsx'
import { TriggerHint } from './trigger-hint.tsx'

const TIMES = ['GTC', 'IOC', 'FOK'] as const

type ListProps = {
  readonly trading: TradingState
  readonly ticket: ListTicket
  readonly market: TradedMarket
  readonly list: ListDraft
}

export function ListFields({ trading, ticket, market, list }: ListProps) {
  const words = TEXTS.lists
  const given = list.side === 'BUY' ? market.quoteCode : market.baseCode
  const free = trading.freeFor(list.side)
  return (
    <>
      <Free free={free} code={given} onAll={() => ticket.take(100)} />
      <NumberInput
        name="quantity"
        label={TEXTS.fields.quantity}
        unit={market.baseCode}
        value={list.quantity}
        problem={ticket.quantityProblem}
        onValue={(quantity) => {
          trading.list.value = { ...list, quantity }
        }}
      />
      {LEGS[list.kind].map((leg) => (
        <LegFields key={leg} trading={trading} ticket={ticket} market={market} list={list} leg={leg} />
      ))}
      <Shares
        code={given}
        percent={ticket.share}
        isKnown={free !== undefined}
        onShare={(percent) => ticket.take(percent)}
      />
      <p class="trade-hint">
        {words.about[list.kind]} {words.together}
      </p>
      <div role="status">
        {ticket.refusal !== undefined && <p class="trade-problem">{ticket.refusal}</p>}
        <p class="trade-hint">{words.checked[list.kind]}</p>
      </div>
    </>
  )
}

function LegFields({ trading, ticket, market, list, leg }: ListProps & { readonly leg: LegName }) {
  const id = useElementId()
  const draft = list.legs[leg]
  const problems = ticket.problemsOf(leg)
  const unitOf = (field: NumberFieldName) => {
    if (field === 'trailingDelta') return '%'
    return field === 'quantity' ? market.baseCode : market.quoteCode
  }
  const labelOf = (field: NumberFieldName) => {
    if (field === 'quantity' && draft.side !== list.side) return quantity
    return field === 'stopPrice' && draft.trailingDelta !== '' ? TEXTS.trailing.from : TEXTS.fields[field]
  }
  const change = (changed: Partial<typeof draft>) => {
    trading.list.value = withLeg(list, leg, changed)
  }
  const fields = ticket.fieldsOf(list, leg)
  const { legs, receives, quantity, spends } = TEXTS.lists
  return (
    <fieldset class="trade-leg" data-leg={leg}>
      <legend>
        {legs[leg]} · {TEXTS.side[draft.side]}
      </legend>
      <div class="trade-row">
        <div class="trade-field trade-type">
          <label for={id}>{TEXTS.type}</label>
          <select
            id={id}
            value={draft.type}
            onChange={({ currentTarget }) => change({ type: currentTarget.value as OrderType })}
          >
            {LEG_TYPES[leg].map((type) => (
              <option key={type} value={type}>
                {TEXTS.types[type]}
              </option>
            ))}
          </select>
        </div>
        {leg === 'next' && <LegSide side={draft.side} onSide={(side) => change({ side })} />}
        {hasTimeInForce(draft.type) && (
          <TimePicker
            times={TIMES}
            time={draft.timeInForce}
            onTime={(timeInForce) => change({ timeInForce })}
          />
        )}
      </div>
      {fields.map((field) => (
        <NumberInput
          key={field}
          name={leg === LEGS[list.kind][0] ? field : undefined}
          label={labelOf(field)}
          unit={unitOf(field)}
          value={draft[field]}
          problem={problems[field]}
          onFocus={() => {
            if (field === 'price' || field === 'stopPrice') trading.listField = { leg, field }
          }}
          onValue={(text) => change({ [field]: text })}
        />
      ))}
      <TriggerHint
        draft={draft}
        last={trading.lastPrice.value}
        trailingDelta={ticket.trailingDeltaOf(list, leg)}
        isLater={list.kind !== 'OCO'}
      />
      {/* For a pair it is shown once. */}
      {(leg === 'next' || (leg === 'loss' && list.kind !== 'OCO')) && (
        <p class="trade-hint">{leg === 'next' && !fields.includes('quantity') ? spends : receives}</p>
      )}
      <ForecastText forecast={ticket.forecastOf(leg)} />
    </fieldset>
  )
}

function LegSide({ side, onSide }: { readonly side: Side; readonly onSide: (side: Side) => void }) {
  const id = useElementId()
  return (
    <div class="trade-field">
      <label for={id}>{TEXTS.lists.side}</label>
      <select id={id} value={side} onChange={({ currentTarget }) => onSide(currentTarget.value as Side)}>
        <option value="BUY">{TEXTS.side.BUY}</option>
        <option value="SELL">{TEXTS.side.SELL}</option>
      </select>
    </div>
  )
}
