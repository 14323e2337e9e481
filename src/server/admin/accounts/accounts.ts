/** Operations on accounts: opening, restricting, closing, terms, and the fee tiers that terms name. */
import { LIKES_NAMED, lookWarnings, nameWarnings } from '../../../units/names.ts'
import { ACCOUNT_RESTRICTIONS, type AccountRestriction } from '../../../units/operator-words.ts'
import type { AdminRequests, AdminResults } from '../../../wire/admin.ts'
import { ACCOUNTS_PAGE_MAX } from '../../../wire/admin-operations/bounds.ts'
import type { AdminFeeTier } from '../../../wire/admin-records.ts'
import {
  type AdminContext,
  AdminRequestError,
  knownAccount,
  mayRead,
  requireRight,
  traderAccount,
  unknown,
} from '../context.ts'
import { shareOf } from '../markets/decimals.ts'
import { pageOf } from '../page.ts'
import { adminAccount, rateText } from '../presentation.ts'
import { operatorOf, submit } from '../submit.ts'

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listAccounts(
  context: AdminContext,
  request: AdminRequests['account/list'],
): Result<'account/list'> {
  const { after } = request
  const last = after === undefined ? undefined : knownAccount(context, 'after', after).id
  const { limit = ACCOUNTS_PAGE_MAX, label } = request
  const found =
    label === undefined
      ? context.accounts.accounts(limit, last)
      : context.accounts.labelledAccounts(label, limit, last)
  return found.map((account) => adminAccount(account, context.now()))
}

export async function showAccount(
  context: AdminContext,
  request: AdminRequests['account/show'],
): Result<'account/show'> {
  return adminAccount(knownAccount(context, 'account', request.account), context.now())
}

export async function addAccount(
  context: AdminContext,
  request: AdminRequests['account/add'],
): Result<'account/add'> {
  const { name } = request
  if (context.accounts.accountByName(name) !== undefined) {
    const message = `name: there is an account ${name} already`
    throw new AdminRequestError('ACCOUNT_EXISTS', { field: 'name', message })
  }
  await submit(context, { kind: 'CreateAccount', operator: operatorOf(context, request), name })
  const likes = context.accounts.namesLike(name, LIKES_NAMED)
  const warnings = [
    ...lookWarnings('account', likes, mayRead(context, 'read.accounts')),
    ...nameWarnings(name),
  ]
  return { ...adminAccount(knownAccount(context, 'name', name), context.now()), warnings }
}

/** Says what an account is forbidden. Lifting something of it takes one more right. */
export async function restrictAccount(
  context: AdminContext,
  request: AdminRequests['account/restrict'],
): Result<'account/restrict'> {
  const { restrictions = [] } = traderAccount(context, 'account', request.account)
  const lifted = restrictions.filter((word) => !request.restrictions.includes(word))
  if (lifted.length > 0) requireRight(context, 'accounts.release', `lifting ${lifted.join(', ')}`)
  return setRestrictions(context, request, request.restrictions)
}

/** Forbids an account everything: orders, withdrawals, its keys. Its open orders stay. */
export async function freezeAccount(
  context: AdminContext,
  request: AdminRequests['account/freeze'],
): Result<'account/freeze'> {
  return setRestrictions(context, request, ACCOUNT_RESTRICTIONS)
}

export async function unfreezeAccount(
  context: AdminContext,
  request: AdminRequests['account/unfreeze'],
): Result<'account/unfreeze'> {
  return setRestrictions(context, request, [])
}

async function setRestrictions(
  context: AdminContext,
  request: AdminRequests['account/freeze'],
  restrictions: readonly AccountRestriction[],
): Result<'account/restrict'> {
  const { id, name } = traderAccount(context, 'account', request.account)
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'SetAccountRestrictions', operator, accountId: id, restrictions })
  return adminAccount(knownAccount(context, 'account', name), context.now())
}

/** Closes an account for good; it must be empty. */
export async function closeAccount(
  context: AdminContext,
  request: AdminRequests['account/close'],
): Result<'account/close'> {
  const { id, name } = traderAccount(context, 'account', request.account)
  await submit(context, { kind: 'CloseAccount', operator: operatorOf(context, request), accountId: id })
  return adminAccount(knownAccount(context, 'account', name), context.now())
}

/** Sets what is named of tier and limits; the rest stays. */
export async function setAccount(
  context: AdminContext,
  request: AdminRequests['account/set'],
): Result<'account/set'> {
  const account = traderAccount(context, 'account', request.account)
  const feeTier = request.feeTier ?? account.feeTier ?? ''
  if (feeTier !== '' && !context.backOffice.feeTierByName.has(feeTier)) {
    const known = { right: 'read', names: () => [...context.backOffice.feeTierByName.keys()] } as const
    throw unknown(context, {
      reason: 'UNKNOWN_FEE_TIER',
      field: 'feeTier',
      what: 'fee tier',
      found: feeTier,
      known,
    })
  }
  await submit(context, {
    kind: 'SetAccountTerms',
    operator: operatorOf(context, request),
    accountId: account.id,
    feeTier,
    openOrdersMax: request.openOrdersMax ?? account.openOrdersMax ?? 0,
  })
  return adminAccount(knownAccount(context, 'account', account.name), context.now())
}

export async function listTiers(
  { backOffice }: AdminContext,
  request: AdminRequests['tier/list'],
): Result<'tier/list'> {
  return pageOf([...backOffice.feeTierByName.values()], request, ({ name }) => name).map(
    ({ name, makerShare, takerShare }): AdminFeeTier => ({
      name,
      makerShare: rateText(makerShare),
      takerShare: rateText(takerShare),
    }),
  )
}

/** Makes a tier, or changes it for all who have it. */
export async function setTier(context: AdminContext, request: AdminRequests['tier/set']): Result<'tier/set'> {
  const { name } = request
  const makerShare = shareOf('makerShare', request.makerShare)
  const takerShare = shareOf('takerShare', request.takerShare)
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'SetFeeTier', operator, name, makerShare, takerShare })
  return { name, makerShare: rateText(makerShare), takerShare: rateText(takerShare) }
}
