/**
 * An overview of an account on one screen: its state and balances, its recent operations, and their
 * operators. Each part is bounded.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { FactKind } from '../../../engine/history/numbered-events.ts'
import type { OperatorAction } from '../../../engine/port/ports.ts'
import type { AccountId } from '../../../units/ids.ts'
import { listKeys } from '../accounts/keys.ts'
import { listApprovals, listBalances } from '../accounts/money.ts'
import { listWithdrawals } from '../accounts/withdrawals.ts'
import { type AdminContext, knownAccount } from '../context.ts'
import { adminAccount } from '../presentation.ts'
import { adminActions } from '../records/audit.ts'
import { adminOrders } from './orders.ts'
import { adminFact } from './transfers.ts'

/** Maximum number of entries of each list. */
const SHOWN = 10

const MONEY_KINDS: readonly FactKind[] = [
  'CREDIT',
  'DEBIT',
  'WITHDRAWAL_ASKED',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_CANCELED',
  'APPROVAL_ASKED',
  'APPROVAL_REFUSED',
  'APPROVAL_LAPSED',
  'APPROVAL_ADDED',
  'SAVINGS_DEPOSIT',
  'SAVINGS_WITHDRAWAL',
  'BALANCE_MOVED',
]

export async function accountStory(
  context: AdminContext,
  request: AdminRequests['account/story'],
): Promise<AdminResults['account/story']> {
  const account = knownAccount(context, 'account', request.account)
  const { id: accountId, name } = account
  const [balances, open, placed, restricting, actions, money] = await Promise.all([
    listBalances(context, { account: name }),
    context.engine.ask('openOrders', { accountId, symbolId: undefined, after: undefined }),
    newestOrders(context, accountId),
    restrictionsSetBy(context, accountId),
    newestActions(context, accountId),
    newestMoney(context, accountId),
  ])
  return {
    account: adminAccount(account, context.now()),
    restrictedBy: adminActions(context, restricting)[0] ?? null,
    balances: balances.filter(({ asset: _, ...buckets }) =>
      Object.values(buckets).some((held) => held !== '0'),
    ),
    keys: await listKeys(context, { account: name }),
    openOrders: open.total,
    orders: await adminOrders(context, accountId, placed),
    withdrawalsWaiting: (await listWithdrawals(context, { account: name })).slice(-SHOWN).reverse(),
    approvalsWaiting: (await listApprovals(context, {}))
      .filter((one) => one.account === name)
      .slice(-SHOWN)
      .reverse(),
    money: money.map(adminFact),
    actions: adminActions(context, actions),
  }
}

async function newestOrders(context: AdminContext, accountId: AccountId) {
  const anyTime = { symbolId: undefined, from: undefined, to: undefined, before: undefined }
  const query = { accountId, ...anyTime, limit: SHOWN, atLeast: context.seq() }
  return (await context.history.orders(query)).orders
}

async function newestMoney(context: AdminContext, accountId: AccountId) {
  const query = { accountId, before: undefined, kinds: MONEY_KINDS, limit: SHOWN, atLeast: context.seq() }
  return (await context.history.pastEvents(query)).events
}

/** The command that set its current restrictions; refused commands do not count. */
async function restrictionsSetBy(context: AdminContext, accountId: AccountId): Promise<OperatorAction[]> {
  const kinds = ['SetAccountRestrictions', 'ChangeRestrictions'] as const
  const asked = kinds.map((kind) => askActions(context, { accountId, kind, limit: SHOWN }))
  const set = (await Promise.all(asked)).flat().sort((a, b) => b.seq - a.seq)
  return set.filter(({ reply }) => reply.kind === 'Done').slice(0, 1)
}

function newestActions(context: AdminContext, accountId: AccountId) {
  return askActions(context, { accountId, kind: undefined, limit: SHOWN })
}

function askActions(
  { history, seq }: AdminContext,
  asked: Pick<Parameters<AdminContext['history']['operatorActions']>[0], 'accountId' | 'kind' | 'limit'>,
): Promise<readonly OperatorAction[]> {
  return history.operatorActions({ before: undefined, actor: undefined, ...asked, atLeast: seq() })
}
