/** The settings for questions before sending. */

import { TEXTS } from '../../../shared/texts/texts.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { unreadableProblem } from '../../state/draft/field-problem.ts'
import { typedNumber } from '../../state/draft/number-field.ts'
import type { Ticket } from '../../state/draft/ticket.ts'
import type { TradingState } from '../../state/trading-state.ts'
import { NumberInput } from './number-input.tsx'

type SettingsProps = {
  readonly trading: TradingState
  readonly ticket: Ticket
  readonly market: TradedMarket
}

export function SendSettings({ trading, ticket, market }: SettingsProps) {
  const limits = ticket.limits.value
  const labels = { ...TEXTS.limits, value: TEXTS.limits.value(market.quoteCode) }
  return (
    <fieldset class="menu-limits">
      <legend>{labels.title}</legend>
      <label class="trade-check">
        <input
          type="checkbox"
          checked={trading.consent.asksAlways.value}
          onChange={({ currentTarget }) => trading.consent.setAsksAlways(currentTarget.checked)}
        />
        {TEXTS.sending.asksAlways}
      </label>
      {(['pricePercent', 'balancePercent', 'value'] as const).map((name) => (
        <NumberInput
          key={name}
          label={labels[name]}
          value={limits[name]}
          problem={unreadableProblem(typedNumber(limits[name]))}
          onValue={(text) => ticket.setLimit(name, text)}
        />
      ))}
    </fieldset>
  )
}
