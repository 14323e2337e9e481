/** Every operation of the admin door by name. */
import type { AdminOperation, AdminRequests, AdminResults } from '../../wire/admin.ts'
import {
  addAccount,
  addKey,
  listAccounts,
  listBalances,
  listKeys,
  moveMoney,
  setKeyEnabled,
  transfer,
} from './accounts.ts'
import type { AdminContext } from './context.ts'
import { quarantined, readJournal } from './journal.ts'
import { addAsset, addSymbol, setAsset, setRates, setState } from './listing.ts'
import { adminAsset, adminSymbol } from './presentation.ts'

type Operations = {
  readonly [Operation in AdminOperation]: (
    context: AdminContext,
    request: AdminRequests[Operation],
  ) => Promise<AdminResults[Operation]>
}

export const OPERATIONS: Operations = {
  'node/status': status,
  'asset/list': async ({ registry }) => registry.assets().map(adminAsset),
  'asset/add': addAsset,
  'asset/set': setAsset,
  'symbol/list': async ({ registry }) => registry.symbols().map(adminSymbol),
  'symbol/add': addSymbol,
  'symbol/rates': setRates,
  'symbol/halt': setState('HALTED'),
  'symbol/resume': setState('TRADING'),
  'account/list': listAccounts,
  'account/add': addAccount,
  'key/list': listKeys,
  'key/add': addKey,
  'key/enable': setKeyEnabled(true),
  'key/disable': setKeyEnabled(false),
  'balance/list': listBalances,
  'journal/read': readJournal,
  'journal/quarantined': quarantined,
  'money/credit': transfer('Credit'),
  'money/debit': transfer('Debit'),
  'money/move': moveMoney,
}

async function status({
  registry,
  accounts,
  seq,
  version,
}: AdminContext): Promise<AdminResults['node/status']> {
  return {
    version,
    seq: seq(),
    assets: registry.assets().length,
    symbols: registry.symbols().length,
    accounts: accounts.accountCount,
    apiKeys: accounts.apiKeyCount,
  }
}
