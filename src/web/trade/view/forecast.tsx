/** What would become of the order in the form, as the exchange says. */

import { TEXTS } from '../../texts/texts.ts'
import type { Ticket } from '../state/ticket.ts'
import { endReasonText } from './order-words.ts'

export function Forecast({ ticket }: { readonly ticket: Ticket }) {
  const forecast = ticket.forecast.value
  const refusal = ticket.refusal.value
  return (
    <div class="trade-forecast" role="status">
      {refusal !== undefined && <p class="trade-problem">{refusal}</p>}
      {forecast.kind === 'tested' && 'hold' in forecast.order && (
        <p>
          {TEXTS.forecast.title}{' '}
          {[
            ...(forecast.order.fillCount > 0
              ? [
                  TEXTS.forecast.fills(
                    forecast.order.executedQuantity,
                    forecast.order.averagePrice ?? forecast.order.fills[0]?.price ?? '',
                  ),
                  TEXTS.forecast.fee(`${forecast.order.commission} ${forecast.order.commissionAsset}`),
                ]
              : []),
            ...(forecast.order.status === 'NEW' || forecast.order.status === 'PARTIALLY_FILLED'
              ? [TEXTS.forecast.rests(`${forecast.order.hold} ${forecast.order.holdAsset}`)]
              : []),
            ...(forecast.order.status === 'CANCELED'
              ? [TEXTS.forecast.ends(endReasonText(forecast.order.endReason ?? ''))]
              : []),
          ].join(', ')}
          .
        </p>
      )}
    </div>
  )
}
