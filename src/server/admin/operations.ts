/** Every operation of the admin server by name. */
import type {
  AdminOperation,
  AdminRequests,
  AdminResults,
  StreamedOperation,
} from '../../contract/admin/admin.ts'
import * as accounts from './accounts/accounts.ts'
import { addBan, liftBan, listBans } from './accounts/bans.ts'
import * as customerMarks from './accounts/customer-marks.ts'
import * as customers from './accounts/customers.ts'
import * as keys from './accounts/keys.ts'
import * as money from './accounts/money.ts'
import * as ownKeys from './accounts/own-keys.ts'
import * as sessions from './accounts/sessions.ts'
import * as withdrawals from './accounts/withdrawals.ts'
import type { AdminContext } from './context.ts'
import { listEvents } from './events/list-events.ts'
import * as phases from './markets/exchange-phases.ts'
import { setIncrements } from './markets/increments.ts'
import * as listing from './markets/listing.ts'
import { cancelAll } from './markets/orders.ts'
import { pageOf } from './page.ts'
import { adminAsset, adminSymbol } from './presentation.ts'
import * as archive from './records/archive.ts'
import { listActions } from './records/audit.ts'
import { findActions } from './records/audit-search.ts'
import { acceptClock, showClock } from './records/clock.ts'
import * as faults from './records/faults.ts'
import { quarantined, readJournal } from './records/journal.ts'
import { rotateMasterKey } from './records/master-key.ts'
import { showLiabilities, showReport } from './records/reports.ts'
import * as roles from './roles/roles-of-operators.ts'
import { addToken, listTokens, revokeToken, setToken } from './roles/tokens.ts'
import type { StreamedText } from './streamed-text.ts'
import { operatorOf, submit } from './submit.ts'
import { searchAccounts } from './support/account-search.ts'
import * as support from './support/accounts.ts'
import * as orders from './support/orders.ts'
import { accountStory } from './support/story.ts'
import { listEndedWithdrawals, showTransfer } from './support/transfers.ts'
import * as webhooks from './webhooks/operations.ts'

type Operations = {
  readonly [Operation in AdminOperation]: (
    context: AdminContext,
    request: AdminRequests[Operation],
  ) => Promise<AdminResults[Operation] | (Operation extends StreamedOperation ? StreamedText : never)>
}

export const OPERATIONS: Operations = {
  'node/status': status,
  'rules/set': setRules,
  'asset/list': async ({ registry }, request) =>
    pageOf(registry.assets(), request, ({ code }) => code).map(adminAsset),
  'asset/add': listing.addAsset,
  'asset/set': listing.setAsset,
  'asset/withdrawals': withdrawals.setWithdrawalTerms,
  'symbol/list': async ({ registry }, request) =>
    pageOf(registry.symbols(), request, ({ name }) => name).map(adminSymbol),
  'symbol/add': listing.addSymbol,
  'symbol/rates': listing.setRates,
  'symbol/set': listing.setSymbol,
  'symbol/increments': setIncrements,
  'symbol/halt': listing.setState('HALTED'),
  'symbol/resume': listing.setState('TRADING'),
  'symbol/cancel-only': listing.setState('CANCEL_ONLY'),
  'symbol/delist': listing.setState('DELISTED'),
  'exchange/show': phases.showExchange,
  'exchange/halt': phases.enterPhase('CANCEL_ONLY'),
  'exchange/close': phases.enterPhase('CLOSED'),
  'exchange/open': phases.enterPhase('TRADING'),
  'exchange/plan': phases.planPhases,
  'exchange/unplan': phases.unplanPhases,
  'tier/list': accounts.listTiers,
  'tier/set': accounts.setTier,
  'order/cancel-all': cancelAll,
  'order/cancel': orders.cancelOrder,
  'order/list': orders.listOrders,
  'order/show': orders.showOrder,
  'order/fills': orders.listFills,
  'account/list': accounts.listAccounts,
  'account/show': accounts.showAccount,
  'account/find': support.findAccount,
  'account/search': searchAccounts,
  'account/note': support.noteAccount,
  'account/terms': support.setTerms,
  'account/story': accountStory,
  'account/add': accounts.addAccount,
  'account/restrict': accounts.restrictAccount,
  'account/freeze': accounts.freezeAccount,
  'account/unfreeze': accounts.unfreezeAccount,
  'account/close': accounts.closeAccount,
  'account/set': accounts.setAccount,
  'key/list': keys.listKeys,
  'key/add': keys.addKey,
  'key/set': keys.setKey,
  'key/rotate': keys.rotateKey,
  'key/revoke': keys.revokeKey,
  'key/enable': keys.setKeyEnabled(true),
  'key/disable': keys.setKeyEnabled(false),
  'master-key/rotate': rotateMasterKey,
  'balance/list': money.listBalances,
  'journal/read': readJournal,
  'journal/quarantined': quarantined,
  'journal/archives': archive.listArchives,
  'archive/record': archive.recordArchive,
  'archive/trim': archive.trimArchived,
  'money/credit': money.transfer('Credit'),
  'money/debit': money.transfer('Debit'),
  'money/move': money.moveMoney,
  'savings/deposit': money.moveSavings(true),
  'savings/withdraw': money.moveSavings(false),
  'house/payout': money.payOut,
  'withdrawal/list': withdrawals.listWithdrawals,
  'withdrawal/ended': listEndedWithdrawals,
  'transfer/show': showTransfer,
  'withdrawal/hold': money.transfer('HoldWithdrawal'),
  'withdrawal/complete': money.endWithdrawal('CompleteWithdrawal'),
  'withdrawal/cancel': money.endWithdrawal('CancelWithdrawal'),
  'withdrawal/claim': withdrawals.handleWithdrawal('CLAIM'),
  'withdrawal/refuse': withdrawals.handleWithdrawal('REFUSE'),
  'address/list': withdrawals.listAddresses,
  'address/add': withdrawals.addAddress,
  'address/remove': withdrawals.removeAddress,
  'approval/list': money.listApprovals,
  'approval/approve': money.approve,
  'approval/reject': money.reject,
  'approval/show': roles.showApprovalRules,
  'approval/needed': roles.setApprovalsNeeded,
  'token/list': listTokens,
  'token/add': addToken,
  'token/set': setToken,
  'token/revoke': revokeToken,
  'role/list': roles.listRoles,
  'role/set': roles.setRole,
  'role/remove': roles.removeRole,
  'role/limit': roles.limitRole,
  'own-key/list': ownKeys.listOwnKeys,
  'own-key/add': ownKeys.addOwnKey,
  'own-key/end': ownKeys.endOwnKey,
  'own-key/addresses': ownKeys.nameAddresses,
  'session/open': sessions.openSessions,
  'session/end': sessions.endSessions,
  'session/list': sessions.listSessions,
  'mail/list': sessions.listMails,
  'customer/list': customers.listCustomers,
  'customer/find': customers.findCustomers,
  'customer/show': customers.showCustomer,
  'customer/events': customers.listEvents,
  'customer/approve': customers.approveCustomer,
  'customer/refuse': customers.refuseCustomer,
  'invitation/add': customers.addInvitation,
  'invitation/list': customers.listInvitations,
  'invitation/end': customers.endInvitation,
  'customer/unfreeze': customers.unfreezeCustomer,
  'customer/export': customers.exportCustomer,
  'customer/requests': customers.listRequests,
  'customer/reset': customers.resetCustomer,
  'customer/mail': customers.changeMail,
  'customer/restrict': customers.restrictCustomer,
  'customer/head': customerMarks.journalHead,
  'customer/trail': customers.checkTrail,
  'customer/raise': customerMarks.raiseEpoch,
  'customer/forget': customerMarks.forgetCustomer,
  'customer/newest-head': customerMarks.newestHead,
  'customer/marks': customerMarks.listMarks,
  'customer/freeze': customers.freezeCustomer,
  'customer/erase': customerMarks.eraseCustomer,
  'customer/check': customers.checkCustomers,
  'ban/list': listBans,
  'ban/add': addBan,
  'ban/lift': liftBan,
  'clock/show': showClock,
  'fault/list': faults.listFaults,
  'fault/add': faults.addFault,
  'fault/clear': faults.clearFaults,
  'metrics/show': ({ measures }) => measures.read(),
  'load/show': async ({ measures }, { after = 0 }) => measures.load(after),
  'clock/accept': acceptClock,
  'audit/list': listActions,
  'audit/find': findActions,
  'event/list': (context, request) => listEvents(context, request),
  'webhook/list': webhooks.listWebhooks,
  'webhook/show': webhooks.showWebhook,
  'webhook/add': webhooks.addWebhook,
  'webhook/pause': webhooks.pauseWebhook,
  'webhook/resume': webhooks.resumeWebhook,
  'webhook/remove': webhooks.removeWebhook,
  'webhook/test': webhooks.testWebhook,
  'webhook/retry': webhooks.retryDeadEvents,
  'dead-event/list': webhooks.listDeadEvents,
  'report/show': showReport,
  'liabilities/show': showLiabilities,
}

async function status({
  registry,
  accounts,
  seq,
  version,
  backOffice,
  measures,
}: AdminContext): Promise<AdminResults['node/status']> {
  return {
    version: version.number,
    commit: version.commit,
    commitDate: version.commitDate,
    orderStops: measures.orderStops,
    seq: seq(),
    rules: backOffice.rulesVersion,
    assets: registry.assets().length,
    symbols: registry.symbols().length,
    accounts: accounts.accountCount,
    apiKeys: accounts.apiKeyCount,
  }
}

/** Puts newer rules in force, permanently. */
async function setRules(
  context: AdminContext,
  request: AdminRequests['rules/set'],
): Promise<AdminResults['rules/set']> {
  const { version } = request
  await submit(context, { kind: 'SetRulesVersion', operator: operatorOf(context, request), version })
  return { version }
}
