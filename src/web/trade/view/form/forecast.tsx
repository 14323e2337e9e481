/** The exchange's forecast for the order in the form. */
import type { TestedOrder } from '../../../../client/interface/orders.ts'
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Forecast } from '../../state/draft/forecasts.ts'
import type { Ticket } from '../../state/draft/ticket.ts'
import { messageOf } from '../../state/trading-state.ts'
import { endReasonText } from './order-texts.ts'

export function OrderForecast({ ticket }: { readonly ticket: Ticket }) {
  const { forecast } = ticket
  const refusal = ticket.refusal.value
  return (
    <div class="trade-forecast" role="status">
      {refusal !== undefined && <p class="trade-problem">{refusal}</p>}
      {forecast.kind === 'tested' && 'hold' in forecast.order && <p>{forecastText(forecast.order)}</p>}
    </div>
  )
}

/** The forecast for an order of a list, or its refusal. */
export function ForecastText({ forecast }: { readonly forecast: Forecast | undefined }) {
  return (
    <div role="status">
      {forecast?.kind === 'refused' && <p class="trade-problem">{messageOf(forecast.error)}</p>}
      {forecast?.kind === 'tested' && 'hold' in forecast.order && (
        <p class="trade-hint">{forecastText(forecast.order)}</p>
      )}
    </div>
  )
}

function forecastText(order: TestedOrder): string {
  const words = TEXTS.forecast
  const parts = [
    ...(order.fillCount > 0
      ? [
          words.fills(
            groupedText(order.executedQuantity),
            groupedText(order.averagePrice ?? order.fills[0]?.price ?? ''),
          ),
          words.fee(`${groupedText(order.commission)} ${order.commissionAsset}`),
        ]
      : []),
    ...(order.status === 'NEW' || order.status === 'PARTIALLY_FILLED'
      ? [words.rests(`${groupedText(order.hold)} ${order.holdAsset}`)]
      : []),
    ...(order.status === 'CANCELED' ? [words.ends(endReasonText(order.endReason ?? ''))] : []),
  ]
  return `${words.title} ${parts.join(', ')}.`
}
