/** Random queries to an engine and their answers. */
import * as fc from 'fast-check'
import {
  arbitraryCommandByKind,
  arbitraryText,
  arbitraryUint,
} from '../../core/commands/command.arbitraries.ts'
import { arbitraryWithdrawal } from '../../core/commands/operators.arbitraries.ts'
import {
  arbitraryBalance,
  arbitraryBootstrap,
  arbitraryClientOrderAnswer,
  arbitraryClientOrderQuery,
  arbitraryOpenOrder,
  arbitraryOpenOrdersPage,
  arbitraryOpenOrdersQuery,
  arbitraryTestedOrder,
} from '../../core/events/message.arbitraries.ts'
import {
  arbitraryAddress,
  arbitraryAskedWithdrawal,
} from '../../core/records/withdrawal-records.arbitraries.ts'
import type { AccountId, ListNumber, OrderNumber } from '../../units/ids.ts'
import { LIST_KINDS } from '../../units/order-enums.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import {
  type EngineQuery,
  QUERY_NAMES,
  type QueryAnswer,
  type QueryFields,
  type QueryName,
  type QueryValue,
} from './queries.ts'

/** By name: a new query does not compile before it is listed here. */
export const arbitraryByQuery: {
  readonly [Name in QueryName]: {
    readonly fields: fc.Arbitrary<QueryFields<Name>>
    readonly value: fc.Arbitrary<QueryValue<Name>>
  }
} = {
  openOrders: { fields: arbitraryOpenOrdersQuery, value: arbitraryOpenOrdersPage },
  balances: {
    fields: fc.record({ accountId: arbitraryUint as fc.Arbitrary<AccountId> }),
    value: fc.array(arbitraryBalance, { maxLength: 6 }),
  },
  accountState: {
    fields: fc.record({ accountId: arbitraryUint as fc.Arbitrary<AccountId> }),
    value: fc.record({
      seq: arbitraryUint as fc.Arbitrary<Seq>,
      balances: fc.array(arbitraryBalance, { maxLength: 6 }),
    }),
  },
  clientOrder: { fields: arbitraryClientOrderQuery, value: arbitraryClientOrderAnswer },
  clientList: {
    fields: fc.record({
      accountId: arbitraryUint as fc.Arbitrary<AccountId>,
      listClientOrderId: arbitraryText,
    }),
    value: fc.option(
      fc.record({
        listNumber: arbitraryUint as fc.Arbitrary<ListNumber>,
        time: arbitraryUint as fc.Arbitrary<TimeMs>,
        kind: fc.constantFrom(...LIST_KINDS),
      }),
      { nil: undefined },
    ),
  },
  ordersByNumber: {
    fields: fc.record({
      accountId: arbitraryUint as fc.Arbitrary<AccountId>,
      orderNumbers: fc.array(arbitraryUint as fc.Arbitrary<OrderNumber>, { maxLength: 6 }),
    }),
    value: fc.array(arbitraryOpenOrder, { maxLength: 6 }),
  },
  accountWithdrawals: {
    fields: fc.record({ accountId: arbitraryUint as fc.Arbitrary<AccountId> }),
    value: fc.record({
      addresses: fc.array(arbitraryAddress, { maxLength: 4 }),
      withdrawals: fc.array(arbitraryAskedWithdrawal, { maxLength: 4 }),
      held: fc.array(arbitraryWithdrawal, { maxLength: 4 }),
    }),
  },
  withdrawal: {
    fields: fc.record({ reference: arbitraryText }),
    value: fc.option(fc.oneof(arbitraryWithdrawal, arbitraryAskedWithdrawal), { nil: undefined }),
  },
  orderTest: { fields: arbitraryCommandByKind.PlaceOrder, value: arbitraryTestedOrder },
  bootstrap: { fields: fc.constant(undefined), value: arbitraryBootstrap },
}

/** Any query, each equally often. */
export const arbitraryQuery: fc.Arbitrary<EngineQuery> = fc
  .constantFrom(...QUERY_NAMES)
  .chain((name) => arbitraryByQuery[name].fields.map((fields) => ({ name, fields }) as EngineQuery))

/** Any answer, to each query equally often. */
export const arbitraryQueryAnswer: fc.Arbitrary<QueryAnswer> = fc
  .constantFrom(...QUERY_NAMES)
  .chain((name) => arbitraryByQuery[name].value.map((value: unknown) => ({ name, value }) as QueryAnswer))
