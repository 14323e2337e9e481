/** Random records of operators: tokens and roles, bans, withdrawals, pending approvals. */
import * as fc from 'fast-check'
import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { ADMIN_ROLES, APPROVABLE_KINDS, WITHDRAWAL_STATES } from '../../units/operator-enums.ts'
import { amount as amountOf, type Rate, type TimeMs } from '../../units/quantities.ts'
import type { Withdrawal } from '../ledger/withdrawals.ts'
import type { Approval } from '../questions/view.ts'
import type {
  AddressBan,
  AdminToken,
  ApprovalsNeeded,
  FeeTier,
  OwnRole,
  RoleLimit,
} from '../registry/records.ts'
import { arbitraryBigint, arbitraryText, arbitraryUint } from './command.arbitraries.ts'

const accountId = arbitraryUint as fc.Arbitrary<AccountId>
const assetId = arbitraryUint as fc.Arbitrary<AssetId>
const time = arbitraryUint as fc.Arbitrary<TimeMs>
const amount = arbitraryBigint.map(amountOf)
const name = arbitraryText.filter((text) => text.length > 0 && text.length <= 200)
const positive = arbitraryUint.filter((value) => value > 0)
const someAmount = fc.bigInt({ min: 1n, max: 2n ** 70n }).map(amountOf)

/** A record with some, all or none of the fields that operators can change. */
export function amended<T extends object, Extras extends object>(
  record: fc.Arbitrary<T>,
  extras: { [Name in keyof Extras]: fc.Arbitrary<Extras[Name]> },
): fc.Arbitrary<T & Partial<Extras>> {
  return fc
    .tuple(record, fc.record(extras, { requiredKeys: [] }))
    .map(([whole, some]) => ({ ...whole, ...some }) as T & Partial<Extras>)
}

const tierName = fc.stringMatching(/^[a-zA-Z0-9._@-]{1,20}$/)
const share = fc.integer({ min: 0, max: 100_000_000 }) as fc.Arbitrary<Rate>
export const arbitraryFeeTier: fc.Arbitrary<FeeTier> = fc.record({
  name: tierName,
  makerShare: share,
  takerShare: share,
})
export const arbitraryToken: fc.Arbitrary<AdminToken> = amended(
  fc.record({
    name: tierName,
    role: fc.constantFrom(...ADMIN_ROLES, 'AUDITOR', 'deposits'),
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    createdAt: time,
    isRevoked: fc.boolean(),
  }),
  {
    expiresAt: positive as fc.Arbitrary<TimeMs>,
    addresses: fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 }),
  },
)
export const arbitraryRole: fc.Arbitrary<OwnRole> = fc.record({
  name: fc.stringMatching(/^harness[a-z0-9._@-]{0,20}$/),
  rights: fc.subarray([...ADMIN_RIGHTS]),
})
const limit = fc.bigInt({ min: 0n, max: 2n ** 62n }).map(amountOf)
const way = fc.record({ each: limit, day: limit, moved: limit })
export const arbitraryRoleLimit: fc.Arbitrary<RoleLimit> = fc.record({
  role: tierName,
  assetId,
  in: way,
  out: way,
  day: arbitraryUint,
})
export const arbitraryApprovalsNeeded: fc.Arbitrary<ApprovalsNeeded> = fc.record({
  asset: arbitraryText,
  needed: fc.integer({ min: 0, max: 5 }),
})
export const arbitraryBan: fc.Arbitrary<AddressBan> = fc.record({
  address: fc.ipV6(),
  until: positive as fc.Arbitrary<TimeMs>,
})
export const arbitraryWithdrawal: fc.Arbitrary<Withdrawal> = fc.record({
  reference: name,
  accountId,
  assetId,
  amount: someAmount,
  state: fc.constantFrom(...WITHDRAWAL_STATES),
  requestedAt: time,
})
export const arbitraryApproval: fc.Arbitrary<Approval> = fc
  .record({
    reference: arbitraryText,
    kind: fc.constantFrom(...APPROVABLE_KINDS),
    actor: arbitraryText,
    note: arbitraryText,
    accountId,
    assetId,
    amount,
    requestedAt: time,
    reason: arbitraryText,
  })
  .map(({ reason, ...approval }) =>
    approval.kind === 'RefuseWithdrawal' && reason !== '' ? { ...approval, reason } : approval,
  )

export const arbitraryGivenApproval = fc
  .tuple(arbitraryApproval, fc.uniqueArray(arbitraryText, { minLength: 1, maxLength: 4 }))
  .map(([approval, approvedBy]): Approval => ({ ...approval, approvedBy }))
