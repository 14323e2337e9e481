/**
 * Searches the accounts for a text: in names, in operators' notes and in keys. Exact matches are looked up
 * and come first. The other accounts are compared one after another, a limited number at a time and in
 * pieces, so no query delays orders.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminAccountFound, AdminFoundIn } from '../../../contract/admin/support.ts'
import type { Account } from '../../../core/registry/records.ts'
import { type AdminContext, knownAccount } from '../context.ts'
import { adminAccount } from '../presentation.ts'

/** Maximum number of accounts found if the request gives no limit. */
const FOUND_DEFAULT = 50
/** Number of accounts that one query compares. */
export const COMPARED_MAX = 100_000
/** Between two pieces other work gets a turn: a piece takes about a millisecond. */
const PIECE = 1_000

type Request = AdminRequests['account/search']
type Place = readonly [foundIn: AdminFoundIn, text: string]

export async function searchAccounts(
  context: AdminContext,
  { text, after, limit = FOUND_DEFAULT }: Request,
): Promise<AdminResults['account/search']> {
  const wanted = text.toLowerCase()
  let last = after === undefined ? undefined : knownAccount(context, 'after', after)
  const exact = exactOf(context, text)
  const accounts = after === undefined ? exact.map((found) => found.account) : []
  const isExact = new Set(exact.map(({ id }) => id))
  for (let compared = 0; compared < COMPARED_MAX; compared += PIECE) {
    const piece = context.accounts.accounts(PIECE, last?.id)
    for (const account of piece) {
      if (accounts.length >= limit) return { accounts, next: last?.name ?? null }
      last = account
      const place = isExact.has(account.id) ? undefined : placeOf(context, account, wanted)
      if (place !== undefined) accounts.push(shown(context, account, place))
    }
    if (piece.length < PIECE) return { accounts, next: null }
    await new Promise(setImmediate)
  }
  return { accounts, next: last?.name ?? null }
}

/** The accounts whose name, customer id or key is the text. They are found without examining others. */
function exactOf(context: AdminContext, text: string) {
  const { accounts, registry } = context
  const key = registry.apiKey(text)
  const byKey = key === undefined ? undefined : registry.account(key.accountId)
  const candidates = [
    ['NAME', accounts.accountByName(text)],
    ['CUSTOMER_ID', accounts.accountOfCustomer(text)],
    ['API_KEY', byKey],
  ] as const
  const found = candidates.flatMap(([foundIn, account]) =>
    account === undefined ? [] : [{ id: account.id, account: shown(context, account, [foundIn, text]) }],
  )
  return found.filter(({ id }, index) => found.findIndex((one) => one.id === id) === index)
}

/** The first part of an account in which the text occurs, in any letter case. */
function placeOf(
  context: Pick<AdminContext, 'accounts'>,
  account: Account,
  wanted: string,
): Place | undefined {
  const has = (text: string) => text.toLowerCase().includes(wanted)
  const { id, name, profile } = account
  if (has(name)) return ['NAME', name]
  const noted = profile === undefined ? undefined : notedOf(profile).find(([, text]) => has(text))
  if (noted !== undefined) return noted
  for (const { apiKey, label } of context.accounts.apiKeys(id)) {
    if (has(apiKey)) return ['API_KEY', apiKey]
    if (has(label)) return ['KEY_LABEL', label]
  }
  return undefined
}

function notedOf({ customerId, labels, fields, remark }: NonNullable<Account['profile']>): readonly Place[] {
  return [
    ['CUSTOMER_ID', customerId],
    ...labels.map((label) => ['LABEL', label] as const),
    ...fields.map(({ name, value }) => ['FIELD', `${name}=${value}`] as const),
    ['REMARK', remark],
  ]
}

function shown(context: AdminContext, account: Account, [foundIn, foundText]: Place): AdminAccountFound {
  return { ...adminAccount(account, context.now()), foundIn, foundText }
}
