/** Operations on accounts: opening, restricting, closing, terms, and the fee tiers to which terms refer. */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import { ACCOUNTS_PAGE_MAX } from '../../../contract/admin/operations/bounds.ts'
import type { AdminFeeTier } from '../../../contract/admin/records.ts'
import { KEY_RULES } from '../../../core/exchange/rules.ts'
import { restrictionsOf } from '../../../core/registry/records.ts'
import { alikeWarnings, LIKES_NAMED, nameWarnings } from '../../../units/names.ts'
import { ACCOUNT_RESTRICTIONS, type AccountRestriction } from '../../../units/operator-enums.ts'
import {
  type AdminContext,
  AdminRequestError,
  invalid,
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
import { countOfToday } from './count-of-today.ts'
import { isCustomerAccount, isOfCustomers } from './customer-accounts.ts'
import { personalWarnings } from './personal-text.ts'

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
  if (isCustomerAccount(name) !== isOfCustomers(context)) {
    throw invalid(
      'name',
      'names of c- followed by 26 characters of a-z and 2-7 belong to customers who signed up themselves',
    )
  }
  const known = context.accounts.accountByName(name)
  // A restart of the customers' process continues an earlier request.
  if (known !== undefined && isOfCustomers(context)) return openedForCustomer(context, name)
  if (known !== undefined) {
    const message = `name: an account ${name} already exists`
    throw new AdminRequestError('ACCOUNT_EXISTS', { field: 'name', message })
  }
  if (isOfCustomers(context)) countOfToday(context, 'accounts', 1)
  const kind = isOfCustomers(context) ? 'OpenCustomer' : 'CreateAccount'
  await submit(context, { kind, operator: operatorOf(context, request), name })
  if (isOfCustomers(context)) return openedForCustomer(context, name)
  const likes = context.accounts.namesLike(name, LIKES_NAMED)
  const warnings = [
    ...alikeWarnings('account', likes, mayRead(context, 'read.accounts')),
    ...nameWarnings(name),
    ...(context.customers === undefined ? [] : personalWarnings(name)),
  ]
  return { ...adminAccount(knownAccount(context, 'name', name), context.now()), warnings }
}

async function openedForCustomer(context: AdminContext, name: string): Result<'account/add'> {
  await context.customers?.onOpened(name)
  return { ...adminAccount(knownAccount(context, 'name', name), context.now()), warnings: [] }
}

/** Sets the restrictions of an account. Lifting one of them requires one more right. */
export async function restrictAccount(
  context: AdminContext,
  request: AdminRequests['account/restrict'],
): Result<'account/restrict'> {
  const account = traderAccount(context, 'account', request.account)
  const lifted = restrictionsOf(account, 'OPERATOR').filter((word) => !request.restrictions.includes(word))
  if (lifted.length > 0) requireRight(context, 'accounts.release', `lifting ${lifted.join(', ')}`)
  return setRestrictions(context, request, request.restrictions)
}

/** Forbids an account all activity: orders, withdrawals, its keys. Its open orders stay. */
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
  const account = traderAccount(context, 'account', request.account)
  const { id: accountId, name } = account
  const operator = operatorOf(context, request)
  if (context.backOffice.rulesVersion < KEY_RULES) {
    await submit(context, { kind: 'SetAccountRestrictions', operator, accountId, restrictions })
  } else {
    // Sends only the difference: changes made by another operator in between are kept.
    const removed = restrictionsOf(account, 'OPERATOR').filter((word) => !restrictions.includes(word))
    const change = { source: 'OPERATOR', added: restrictions, removed } as const
    await submit(context, { kind: 'ChangeRestrictions', operator, accountId, ...change })
  }
  return adminAccount(knownAccount(context, 'account', name), context.now())
}

/** Closes an account permanently; it must be empty. */
export async function closeAccount(
  context: AdminContext,
  request: AdminRequests['account/close'],
): Result<'account/close'> {
  const { id, name } = traderAccount(context, 'account', request.account)
  await submit(context, { kind: 'CloseAccount', operator: operatorOf(context, request), accountId: id })
  return adminAccount(knownAccount(context, 'account', name), context.now())
}

/** Sets the given fields of tier and limits; the others keep their values. */
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

/** Creates a tier, or changes it for all accounts that have it. */
export async function setTier(context: AdminContext, request: AdminRequests['tier/set']): Result<'tier/set'> {
  const { name } = request
  const makerShare = shareOf('makerShare', request.makerShare)
  const takerShare = shareOf('takerShare', request.takerShare)
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'SetFeeTier', operator, name, makerShare, takerShare })
  return { name, makerShare: rateText(makerShare), takerShare: rateText(takerShare) }
}
