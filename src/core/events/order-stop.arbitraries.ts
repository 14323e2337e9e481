/** Arbitrary triggers of open orders, over the whole range of their format. */
import * as fc from 'fast-check'
import { amount, type Price, type TimeMs } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { arbitraryBigint, arbitraryUint } from '../commands/command.arbitraries.ts'
import type { OpenOrder } from '../questions/view.ts'

const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined })
const time = arbitraryUint as fc.Arbitrary<TimeMs>

export const trailingDelta = arbitraryUint as fc.Arbitrary<TrailingDelta>

export const arbitraryStop: fc.Arbitrary<NonNullable<OpenOrder['stop']>> = fc
  .record({
    price: arbitraryUint.filter((at) => at > 0) as fc.Arbitrary<Price>,
    trailing: maybe(fc.record({ delta: trailingDelta, since: maybe(time) })),
    total: maybe(arbitraryBigint.map(amount)),
    triggeredAt: maybe(time),
    isFromNext: fc.boolean(),
  })
  .map(({ isFromNext, price, trailing, ...stop }) => {
    return { ...stop, trailing, price: isFromNext && trailing !== undefined ? undefined : price }
  })
