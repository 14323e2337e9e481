/** Random commands by which operators help one customer, in the whole range that their format can carry. */
import * as fc from 'fast-check'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import type { Rate, TimeMs } from '../../units/quantities.ts'
import type { CommandOf } from '../commands/command.ts'
import type { Operator } from '../commands/operator.ts'

/** Shared parts of the generators of all commands. */
export type SharedArbitraries = {
  readonly operator: fc.Arbitrary<Operator>
  readonly accountId: fc.Arbitrary<AccountId>
  readonly uint: fc.Arbitrary<number>
  readonly text: fc.Arbitrary<string>
}

type SupportKind = 'CancelAnyOrder' | 'SetAccountProfile' | 'SetSpecialTerms'

export function arbitrarySupport({ operator, accountId, uint, text }: SharedArbitraries): {
  readonly [K in SupportKind]: fc.Arbitrary<CommandOf<K>>
} {
  const time = uint as fc.Arbitrary<TimeMs>
  const rate = uint as fc.Arbitrary<Rate>
  return {
    CancelAnyOrder: fc.record({
      kind: fc.constant('CancelAnyOrder' as const),
      operator,
      orderNumber: uint as fc.Arbitrary<OrderNumber>,
      orderTime: time,
    }),
    SetAccountProfile: fc.record({
      kind: fc.constant('SetAccountProfile' as const),
      operator,
      accountId,
      customerId: text,
      labels: fc.array(text, { maxLength: 3 }),
      fields: fc.array(fc.record({ name: text, value: text }), { maxLength: 3 }),
      remark: text,
    }),
    SetSpecialTerms: fc.record(
      {
        kind: fc.constant('SetSpecialTerms' as const),
        operator,
        accountId,
        rates: fc.record({ makerRate: rate, takerRate: rate, until: time }),
        openOrders: fc.record({ max: uint, until: time }),
        orderRate: fc.record({ times: uint, until: time }),
      },
      { requiredKeys: ['kind', 'operator', 'accountId'] },
    ) as fc.Arbitrary<CommandOf<'SetSpecialTerms'>>,
  }
}
