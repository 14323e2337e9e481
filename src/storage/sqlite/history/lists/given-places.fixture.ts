/** Links given explicitly instead of by lists, for tests that store invalid data. */
import { type Linker, writeLink, writePartLink } from './blocks.ts'
import type { Place } from './record.ts'

export function givenPlaces(places: readonly Place[]): Linker {
  return {
    link: (number, _lists, writer) => {
      for (const { inAll, inPart } of places) {
        writeLink(writer, number, inAll.n, inAll.before)
        if (inPart !== undefined) writePartLink(writer, inAll.n - inPart.n, inAll.before - inPart.before)
      }
    },
  }
}
