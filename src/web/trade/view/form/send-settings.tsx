/** When the page asks before it sends. */

import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Desk } from '../../state/desk.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { unreadableProblem } from '../../state/draft/field-problem.ts'
import { typedNumber } from '../../state/draft/number-field.ts'
import type { Ticket } from '../../state/draft/ticket.ts'
import { NumberInput } from './number-input.tsx'

type SettingsProps = { readonly desk: Desk; readonly ticket: Ticket; readonly market: TradedMarket }

export function SendSettings({ desk, ticket, market }: SettingsProps) {
  const limits = ticket.limits.value
  const labels = { ...TEXTS.limits, value: TEXTS.limits.value(market.quoteCode) }
  return (
    <fieldset class="menu-limits">
      <legend>{labels.title}</legend>
      <label class="trade-check">
        <input
          type="checkbox"
          checked={desk.consent.asksAlways.value}
          onChange={({ currentTarget }) => desk.consent.setAsksAlways(currentTarget.checked)}
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
