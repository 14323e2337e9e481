/** Work for several persons, each independent of the others. */
import { ExchangeFault } from './ports.ts'

/** The reason with which the exchange refuses every person until midnight. */
const REFUSED_TO_ALL = 'CUSTOMERS_DAY_LIMIT'

/**
 * Does the work for each person, including those after a person whom the exchange refuses. Rejects afterwards
 * with the first `ExchangeFault`, or at once with a fault that concerns all persons: no answer, or the daily
 * limit.
 */
export async function forEachPerson<Each>(
  persons: Iterable<Each>,
  work: (person: Each) => Promise<void>,
): Promise<void> {
  let fault: ExchangeFault | undefined
  for (const person of persons) {
    try {
      await work(person)
    } catch (cause) {
      if (!(cause instanceof ExchangeFault)) throw cause
      if (cause.refusal === undefined || cause.refusal === REFUSED_TO_ALL) throw cause
      fault ??= cause
    }
  }
  if (fault !== undefined) throw fault
}
