/** Random replies, for suites of the code that carries them between threads. */
import * as fc from 'fast-check'
import type { AccountId, AssetId, ListNumber, OrderNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import { LIST_KINDS, ORDER_STATUSES } from '../../units/order-enums.ts'
import { type Lots, notional, type TimeMs } from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { arbitraryBigint, arbitraryText, arbitraryUint } from '../commands/command.arbitraries.ts'
import type { Reply } from './reply.ts'

const accountId = arbitraryUint as fc.Arbitrary<AccountId>
const assetId = arbitraryUint as fc.Arbitrary<AssetId>
const symbolId = arbitraryUint as fc.Arbitrary<SymbolId>
const orderNumber = arbitraryUint as fc.Arbitrary<OrderNumber>
const listNumber = arbitraryUint as fc.Arbitrary<ListNumber>
const time = arbitraryUint as fc.Arbitrary<TimeMs>
const lots = arbitraryUint as fc.Arbitrary<Lots>

function kind<K extends Reply['kind']>(name: K): fc.Arbitrary<K> {
  return fc.constant(name)
}

/** The reply to an accepted order. */
export const acceptance = {
  orderNumber,
  time,
  status: fc.constantFrom(...ORDER_STATUSES),
  executedQuantity: lots,
  executedNotional: arbitraryBigint.map(notional),
}

const listAcceptance = { listNumber, time, list: fc.constantFrom(...LIST_KINDS) }

/** One arbitrary per kind of reply: a new kind does not compile before it is here. */
export const arbitraryReplyByKind: {
  readonly [K in Reply['kind']]: fc.Arbitrary<Extract<Reply, { readonly kind: K }>>
} = {
  Refused: fc.record({ kind: kind('Refused'), reason: fc.constantFrom(...CORE_REASONS) }),
  OrderAccepted: fc.record({ kind: kind('OrderAccepted'), ...acceptance }),
  OrderRepeated: fc.record({ kind: kind('OrderRepeated'), ...acceptance }),
  OrderAmended: fc.record({ kind: kind('OrderAmended'), orderNumber, time }),
  OrderReplaced: fc.record({
    kind: kind('OrderReplaced'),
    cancelRefusal: fc.option(fc.constantFrom(...CORE_REASONS), { nil: undefined }),
    placed: fc.oneof(
      fc.record({ kind: kind('OrderAccepted'), ...acceptance }),
      fc.record({ kind: kind('Refused'), reason: fc.constantFrom(...CORE_REASONS) }),
    ),
    repeated: fc.boolean(),
  }),
  ListAccepted: fc.record({ kind: kind('ListAccepted'), ...listAcceptance }),
  ListRepeated: fc.record({ kind: kind('ListRepeated'), ...listAcceptance }),
  Done: fc.record({ kind: kind('Done'), repeated: fc.boolean() }),
  AssetListed: fc.record({ kind: kind('AssetListed'), assetId }),
  SymbolListed: fc.record({ kind: kind('SymbolListed'), symbolId }),
  AccountOpened: fc.record({ kind: kind('AccountOpened'), accountId }),
  OrdersCanceled: fc.record({
    kind: kind('OrdersCanceled'),
    canceled: arbitraryUint,
    left: arbitraryUint,
  }),
  CountdownSet: fc.record({
    kind: kind('CountdownSet'),
    triggerAt: fc.option(
      time.filter((at) => at > 0),
      { nil: undefined },
    ),
  }),
  SessionOpened: fc.record({
    kind: kind('SessionOpened'),
    sessionNumber: arbitraryUint as fc.Arbitrary<SessionNumber>,
    time,
    attachment: arbitraryUint,
  }),
  WithdrawalAsked: fc.record({
    kind: kind('WithdrawalAsked'),
    reference: arbitraryText,
    time,
    repeated: fc.boolean(),
  }),
  AddressAllowed: fc.record({ kind: kind('AddressAllowed'), usableAt: time, repeated: fc.boolean() }),
  ApprovalNeeded: fc.record({ kind: kind('ApprovalNeeded') }),
}

/** Any reply, each kind equally often. */
export const arbitraryReply: fc.Arbitrary<Reply> = fc.oneof(...Object.values(arbitraryReplyByKind))
