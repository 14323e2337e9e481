/** Times until which something applies, as operators write them. */
import type { TimeMs } from '../../units/quantities.ts'
import { type AdminContext, invalid } from './context.ts'

/** The time of the field `name`. It must be in the future. */
export function futureTime({ now }: AdminContext, name: string, text: string): TimeMs {
  const time = Date.parse(text)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(time))
    throw invalid(name, `expected a time such as 2027-01-31T00:00:00Z, found ${text}`)
  if (time <= now()) throw invalid(name, `expected a time in the future, found ${text}`)
  return time as TimeMs
}
