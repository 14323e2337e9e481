/** A time in a table: without the year if it is the current one. */
import { momentText, shortText } from './history/period.ts'

export function Time({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={momentText(at)}>
      {shortText(at, Date.now())}
    </time>
  )
}
