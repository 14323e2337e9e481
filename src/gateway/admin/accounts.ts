/** Operations on accounts, their keys and their money. */
import { randomBytes } from 'node:crypto'
import type { Account, ApiKey } from '../../core/registry/records.ts'
import { invariant } from '../../units/invariant.ts'
import { PERMISSIONS } from '../../units/order-words.ts'
import type { AdminRequests, AdminResults } from '../../wire/admin.ts'
import { parseAddressRange } from '../auth/address.ts'
import { type AdminContext, AdminRefusal, invalid, knownAccount, knownAsset, unknown } from './context.ts'
import { amountOf } from './decimals.ts'
import { adminAccount, adminBalance, adminKey } from './presentation.ts'
import { ACCOUNTS_PAGE_MAX } from './schemas.ts'
import { operatorOf, submit } from './submit.ts'

/** Random bytes of a new API key and of its secret; each is twice as many hexadecimal digits. */
const CREDENTIAL_BYTES = 32

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function listAccounts(
  context: AdminContext,
  request: AdminRequests['account/list'],
): Result<'account/list'> {
  const { after } = request
  const last = after === undefined ? undefined : knownAccount(context, 'after', after).id
  return context.accounts.accounts(request.limit ?? ACCOUNTS_PAGE_MAX, last).map(adminAccount)
}

export async function addAccount(
  context: AdminContext,
  request: AdminRequests['account/add'],
): Result<'account/add'> {
  const { name } = request
  if (context.accounts.accountByName(name) !== undefined) {
    const message = `name: there is an account ${name} already`
    throw new AdminRefusal(409, { reason: 'ACCOUNT_EXISTS', field: 'name', message })
  }
  await submit(context, { kind: 'CreateAccount', operator: operatorOf(request), name })
  return adminAccount(knownAccount(context, 'name', name))
}

export async function listKeys(
  context: AdminContext,
  request: AdminRequests['key/list'],
): Result<'key/list'> {
  const account = knownAccount(context, 'account', request.account)
  return context.accounts
    .apiKeys(account.id)
    .map((apiKey) => adminKey(apiKey, account.name, context.lastUsed(apiKey.apiKey)))
}

/** Makes a key and its secret; the answer is the only place where the secret is ever shown. */
export async function addKey(context: AdminContext, request: AdminRequests['key/add']): Result<'key/add'> {
  const account = traderAccount(context, request.account)
  const addresses = request.addresses ?? []
  for (const [index, address] of addresses.entries()) {
    if (parseAddressRange(address) === undefined) {
      throw invalid(
        `addresses.${index}`,
        `expected an address or a range such as 10.0.0.0/8, found ${address}`,
      )
    }
  }
  const apiKey = randomBytes(CREDENTIAL_BYTES).toString('hex')
  const secret = randomBytes(CREDENTIAL_BYTES).toString('hex')
  await submit(context, {
    kind: 'CreateApiKey',
    operator: operatorOf(request),
    accountId: account.id,
    apiKey,
    sealedSecret: context.sealSecret(secret, apiKey),
    permissions: request.permissions ?? PERMISSIONS,
    addresses,
    label: request.label ?? '',
  })
  return { ...shownKey(context, apiKey), secret }
}

/** Enables or disables a key; doing it again is no error. */
export function setKeyEnabled(enabled: boolean) {
  return async (context: AdminContext, request: AdminRequests['key/enable']): Result<'key/enable'> => {
    const { apiKey } = request
    if (context.registry.apiKey(apiKey) === undefined)
      throw unknown('UNKNOWN_API_KEY', 'apiKey', 'key', apiKey)
    await submit(context, { kind: 'SetApiKeyEnabled', operator: operatorOf(request), apiKey, enabled })
    return shownKey(context, apiKey)
  }
}

export async function listBalances(
  context: AdminContext,
  request: AdminRequests['balance/list'],
): Result<'balance/list'> {
  const account = knownAccount(context, 'account', request.account)
  const balances = await context.engine.balances(account.id)
  return balances.map((balance) => {
    const asset = context.registry.asset(balance.assetId)
    invariant(asset !== undefined, () => `there is a balance in unknown asset ${balance.assetId}`)
    return adminBalance(balance, asset)
  })
}

/** Money in from or out to the outside world; its reference makes a repeat a no-op. */
export function transfer(kind: 'Credit' | 'Debit') {
  return async (context: AdminContext, request: AdminRequests['money/credit']): Result<'money/credit'> => {
    return transferred(await submit(context, { kind, ...moneyOf(context, request) }))
  }
}

/** Between free, freeze and savings of one account; its reference makes a repeat a no-op. */
export async function moveMoney(
  context: AdminContext,
  request: AdminRequests['money/move'],
): Result<'money/move'> {
  const { from, to } = request
  if (from === to) throw invalid('to', `expected another bucket than ${from}`)
  return transferred(
    await submit(context, { kind: 'MoveBetweenBuckets', ...moneyOf(context, request), from, to }),
  )
}

function transferred(reply: { readonly kind: string; readonly repeated?: boolean }): { repeated: boolean } {
  return { repeated: reply.repeated === true }
}

function moneyOf(context: AdminContext, request: AdminRequests['money/credit']) {
  const account = traderAccount(context, request.account)
  const asset = knownAsset(context, 'asset', request.asset)
  const amount = amountOf('amount', request.amount, asset)
  if (amount === 0n) throw invalid('amount', 'expected more than 0')
  const { reference } = request
  return { operator: operatorOf(request), accountId: account.id, asset: asset.code, amount, reference }
}

/** The house's own accounts have no keys and no deposits. */
function traderAccount(context: AdminContext, name: string): Account {
  const account = knownAccount(context, 'account', name)
  if (account.role === 'trader') return account
  throw invalid('account', `${name} belongs to the house (${account.role})`)
}

function shownKey(context: AdminContext, key: string): AdminResults['key/enable'] {
  const apiKey: ApiKey | undefined = context.registry.apiKey(key)
  if (apiKey === undefined) throw unknown('UNKNOWN_API_KEY', 'apiKey', 'key', key)
  const account = context.registry.account(apiKey.accountId)
  return adminKey(apiKey, account?.name ?? '', context.lastUsed(key))
}
