/** The first line about a node: whether it accepts orders at all. */
import { orderStopText } from '../../contract/api/order-stops.ts'

/** `words`: from `degraded` or `orderStops`; words that stop no orders are ignored. */
export function takenText(words: readonly string[] | undefined): string {
  const stops = (words ?? []).flatMap((word) => {
    const text = orderStopText(word)
    return text === undefined ? [] : [`${word}: ${text}`]
  })
  return stops.length === 0 ? 'accepted' : `NONE ARE ACCEPTED. ${stops.join('; ')}`
}
