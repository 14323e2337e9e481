/** The first line of what a person is told of a node: whether it takes orders at all. */
import { orderStopText } from '../../wire/order-stops.ts'

/** `words`: of `degraded` or `orderStops`; those that stop no orders are passed over. */
export function takenText(words: readonly string[] | undefined): string {
  const stops = (words ?? []).flatMap((word) => {
    const text = orderStopText(word)
    return text === undefined ? [] : [`${word}: ${text}`]
  })
  return stops.length === 0 ? 'taken' : `NONE ARE TAKEN. ${stops.join('; ')}`
}
