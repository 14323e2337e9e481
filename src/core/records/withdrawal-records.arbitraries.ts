/**
 * Random withdrawals, and addresses of accounts, for suites of the code that carries them between threads.
 */
import * as fc from 'fast-check'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { APPROVABLE_KINDS, WITHDRAWAL_CANCELERS } from '../../units/operator-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { arbitraryText, arbitraryUint } from '../commands/command.arbitraries.ts'
import { arbitraryWithdrawal } from '../commands/operators.arbitraries.ts'
import type { AskedWithdrawal } from '../ledger/asked-withdrawals.ts'
import type { WithdrawalAddress } from '../ledger/withdrawal-addresses.ts'
import type { WithdrawalHandling } from '../questions/view.ts'

const accountId = arbitraryUint as fc.Arbitrary<AccountId>
const assetId = arbitraryUint as fc.Arbitrary<AssetId>
const time = arbitraryUint as fc.Arbitrary<TimeMs>
const name = arbitraryText.filter((text) => text.length > 0 && text.length <= 200)

const visible = (minLength: number) =>
  fc.string({ minLength, maxLength: 40 }).map((text) => text.replaceAll(' ', '_'))
/** An address of an account. */
export const arbitraryAddress: fc.Arbitrary<WithdrawalAddress> = fc
  .record({
    accountId,
    assetId,
    address: visible(1),
    tag: visible(0),
    label: arbitraryText.filter((text) => text.length <= 200),
    addedAt: fc.nat() as fc.Arbitrary<TimeMs>,
    usableAt: fc.nat() as fc.Arbitrary<TimeMs>,
  })
  .map((address) => ({ ...address, usableAt: (address.addedAt + address.usableAt) as TimeMs }))
const arbitraryEnd = fc.oneof(
  fc.record({ at: time, canceledBy: fc.constant(undefined), reason: fc.constant('') }),
  fc.record({ at: time, canceledBy: fc.constantFrom(...WITHDRAWAL_CANCELERS), reason: name }),
)
/** A withdrawal requested by its trader. */
export const arbitraryAskedWithdrawal: fc.Arbitrary<AskedWithdrawal> = fc
  .tuple(
    arbitraryWithdrawal,
    fc.record({
      address: visible(1),
      tag: visible(0),
      withdrawOrderId: fc.option(fc.stringMatching(/^[A-Za-z0-9._:/-]{1,36}$/), { nil: undefined }),
      claimedAt: fc.option(time, { nil: undefined }),
      end: fc.option(arbitraryEnd, { nil: undefined }),
    }),
  )
  .map(([withdrawal, asked]) => ({ ...withdrawal, asked }))

const arbitraryRejection = fc.record({
  kind: fc.constantFrom(...APPROVABLE_KINDS),
  askedBy: arbitraryText,
  rejectedBy: arbitraryText,
  note: arbitraryText,
  at: time,
})
const claimed = { claimedBy: arbitraryText, approvedBy: fc.array(arbitraryText, { maxLength: 5 }) }
const unclaimed = { claimedBy: fc.constant(undefined), approvedBy: fc.constant([]) }
/** The claimant of a withdrawal, or its rejected request. */
export const arbitraryHandling: fc.Arbitrary<WithdrawalHandling> = fc.oneof(
  fc.record({
    reference: name,
    ...claimed,
    rejected: fc.option(arbitraryRejection, { nil: undefined }),
  }),
  fc.record({ reference: name, ...unclaimed, rejected: arbitraryRejection }),
)
