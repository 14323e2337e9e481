/**
 * Records with their optional fields: a presence bitmap after the record's own fields, then the present
 * fields, in the order of their bits. A later field is a new bit, and bits are never reused. Unknown bits are
 * refused, as is a value that would not have been written, so that each record has one form.
 */
import type { AccountRestriction } from '../../units/operator-enums.ts'
import { checked, type Fields, type OptionsOf, object } from '../../units/shapes/shape.ts'
import { isEmptyProfile, isValidProfile } from './account-profile.ts'
import { isValidBinanceName } from './binance-name.ts'
import { ACCOUNT_OPTIONS, ASSET_OPTIONS, KEY_OPTIONS, SYMBOL_OPTIONS, type SymbolOptions } from './records.ts'
import { areValidTerms, isWithoutTerms } from './special-terms.ts'

type AccountOptions = OptionsOf<typeof ACCOUNT_OPTIONS>
type KeyOptions = OptionsOf<typeof KEY_OPTIONS>

export const assetWith = <const Of extends Fields>(fields: Of) => object(fields, ASSET_OPTIONS)

export const symbolWith = <const Of extends Fields>(fields: Of) =>
  checked(
    object(fields, SYMBOL_OPTIONS),
    ({ binanceName }: SymbolOptions) => binanceName === undefined || isValidBinanceName(binanceName),
    ({ binanceName }: SymbolOptions) => `the name ${binanceName} for clients of Binance is not valid`,
  )

export const accountWith = <const Of extends Fields>(fields: Of) =>
  checked(
    object(fields, ACCOUNT_OPTIONS),
    isPossibleAccount,
    () => 'the optional fields of an account are not valid',
  )

export const keyWith = <const Of extends Fields>(fields: Of) =>
  checked(
    object(fields, KEY_OPTIONS),
    ({ endedAt, isRevoked }: KeyOptions) => endedAt === undefined || isRevoked === true,
    () => 'a key that is not revoked has an end',
  )

function isPossibleAccount({
  profile,
  special,
  restrictions,
  restrictionsBySource,
}: AccountOptions): boolean {
  if (profile !== undefined && (!isValidProfile(profile) || isEmptyProfile(profile))) return false
  if (special !== undefined && (!areValidTerms(special) || isWithoutTerms(special))) return false
  return restrictionsBySource === undefined || areAll(restrictionsBySource, restrictions)
}

/** Whether the customer has set restrictions, and the account's are those of both sources together. */
function areAll(
  { OPERATOR, CUSTOMER }: NonNullable<AccountOptions['restrictionsBySource']>,
  all: readonly AccountRestriction[] = [],
): boolean {
  const either = new Set([...OPERATOR, ...CUSTOMER])
  return CUSTOMER.length > 0 && either.size === all.length && all.every((each) => either.has(each))
}

/** Whether the account was changed since it was opened. */
export function isAmendedAccount(account: AccountOptions): boolean {
  return !isPlainAccount(account) || (account.profile ?? account.customer) !== undefined
}

/** Whether an account has no restrictions and only the common terms; notes and customers do not matter. */
export function isPlainAccount(account: AccountOptions): boolean {
  const { restrictions, isClosed, feeTier, openOrdersMax, special } = account
  return (restrictions ?? isClosed ?? feeTier ?? openOrdersMax ?? special) === undefined
}
