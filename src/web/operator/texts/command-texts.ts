/**
 * Names of commands, of their fields and of the fields of their answers, for people. English help texts and
 * summaries come from the rows of the operations.
 */
import type { AdminCommand } from '../../../cli/admin/command.ts'
import { translation } from './texts.ts'
import type { CommandTexts } from './translation.ts'

/** The titles of a button and of its dialog. */
export const TITLES: Readonly<Record<string, string>> = {
  'node/status': 'Node status',
  'rules/set': 'Put rules in force',
  'asset/list': 'Assets',
  'asset/add': 'Add asset',
  'asset/set': 'Change asset',
  'asset/withdrawals': 'Set withdrawal limits',
  'symbol/list': 'Symbols',
  'symbol/add': 'Add symbol',
  'symbol/rates': 'Set commission rates',
  'symbol/halt': 'Halt trading',
  'symbol/resume': 'Resume trading',
  'symbol/set': 'Change limits',
  'symbol/increments': 'Set tick and step',
  'symbol/cancel-only': 'Allow cancels only',
  'symbol/delist': 'Delist symbol',
  'exchange/show': 'Exchange phase',
  'exchange/halt': 'Halt all trading',
  'exchange/close': 'Close the exchange',
  'exchange/open': 'Open the exchange',
  'exchange/plan': 'Plan phases',
  'exchange/unplan': 'Cancel the plan',
  'account/list': 'Accounts',
  'account/add': 'Open account',
  'balance/list': 'Balances',
  'account/show': 'Account',
  'account/restrict': 'Restrict account',
  'account/freeze': 'Freeze account',
  'account/unfreeze': 'Unfreeze account',
  'account/close': 'Close account',
  'account/set': 'Set tier and limits',
  'tier/list': 'Fee tiers',
  'tier/set': 'Set fee tier',
  'order/cancel-all': 'Cancel all orders',
  'account/story': 'Account history',
  'account/find': 'Find by customer id',
  'account/search': 'Search accounts',
  'account/note': 'Edit notes',
  'account/terms': 'Set special terms',
  'order/cancel': 'Cancel order',
  'order/list': 'Orders',
  'order/show': 'Order',
  'order/fills': 'Fills of an order',
  'withdrawal/ended': 'Ended withdrawals',
  'transfer/show': 'Find transfer',
  'key/list': 'API keys',
  'session/list': 'Session keys',
  'mail/list': 'Emails to customers',
  'customer/list': 'Customers',
  'customer/find': 'Find customers',
  'customer/show': 'Customer',
  'customer/events': 'History of a customer',
  'customer/freeze': 'Freeze customer',
  'customer/erase': 'Erase customer',
  'customer/check': 'Check for personal data',
  'customer/unfreeze': 'Unfreeze customer',
  'customer/export': 'Export customer',
  'customer/trail': 'Check trail of customers',
  'customer/requests': 'Requested recoveries',
  'customer/reset': 'Reset customer',
  'customer/mail': 'Change email address',
  'customer/approve': 'Approve customer',
  'customer/refuse': 'Refuse customer',
  'invitation/add': 'Invite',
  'invitation/list': 'Invitations',
  'invitation/end': 'End invitation',
  'key/add': 'Create API key',
  'key/enable': 'Enable API key',
  'key/disable': 'Disable API key',
  'key/set': 'Change API key',
  'key/rotate': 'Replace secret',
  'key/revoke': 'Revoke API key',
  'master-key/rotate': 'Replace master key',
  'money/credit': 'Credit',
  'money/debit': 'Debit',
  'money/move': 'Move between balances',
  'savings/deposit': 'Move to savings',
  'savings/withdraw': 'Move from savings',
  'house/payout': 'Pay out commission',
  'withdrawal/list': 'Pending withdrawals',
  'withdrawal/hold': 'Hold withdrawal',
  'withdrawal/claim': 'Claim withdrawal',
  'withdrawal/complete': 'Complete withdrawal',
  'withdrawal/cancel': 'Cancel withdrawal',
  'withdrawal/refuse': 'Refuse withdrawal',
  'address/list': 'Withdrawal addresses',
  'address/add': 'Add withdrawal address',
  'address/remove': 'Remove withdrawal address',
  'token/list': 'Tokens',
  'token/add': 'Create token',
  'token/set': 'Change token',
  'token/revoke': 'Revoke token',
  'role/list': 'Roles',
  'role/set': 'Set role',
  'role/remove': 'Remove role',
  'role/limit': 'Limit role',
  'approval/show': 'Approvals needed',
  'approval/needed': 'Set approvals needed',
  'approval/list': 'Pending approvals',
  'approval/approve': 'Approve',
  'approval/reject': 'Reject',
  'ban/list': 'Bans',
  'ban/add': 'Ban address',
  'ban/lift': 'Lift ban',
  'metrics/show': 'Metrics',
  'load/show': 'Load',
  'clock/show': 'Clock',
  'clock/accept': 'Accept clock',
  'audit/find': 'Search audit trail',
  'audit/list': 'Audit trail',
  'event/list': 'Events',
  'webhook/list': 'Webhooks',
  'webhook/show': 'Webhook',
  'webhook/add': 'Add webhook',
  'webhook/pause': 'Pause webhook',
  'webhook/resume': 'Resume webhook',
  'webhook/remove': 'Remove webhook',
  'webhook/test': 'Send test',
  'dead-event/list': 'Events given up',
  'webhook/retry': 'Send again',
  'report/show': 'Report',
  'liabilities/show': 'Proof of liabilities',
  'fault/list': 'Simulated faults',
  'fault/add': 'Simulate a fault',
  'fault/clear': 'Clear faults',
}

/** Labels that differ from the name of the field. */
const LABELS: Readonly<Record<string, string>> = {
  isDeposit: 'Deposits',
  isWithdraw: 'Withdrawals',
  isTrade: 'Trading',
  isSaving: 'Savings allowed',
  fraction: 'Decimals',
  baseFraction: 'Decimals of a quantity',
  quoteFraction: 'Decimals of a price',
  supplyCap: 'Supply cap',
  creditMax: 'Largest credit',
  approvalAbove: 'Approval needed above',
  withdrawMin: 'Smallest withdrawal',
  withdrawMax: 'Largest withdrawal',
  addressDelayMinutes: 'Delay of a new address, minutes',
  minQuantity: 'Smallest quantity',
  minTotal: 'Smallest total',
  minPrice: 'Lowest price',
  maxPrice: 'Highest price',
  selfTradeMode: 'Self-trade prevention',
  openOrdersMax: 'Open orders, at most',
  levelsMax: 'Price levels, at most',
  binanceName: 'Name for Binance clients',
  openOrdersUntil: 'Open orders until',
  openOrdersInForce: 'Open orders in force',
  ratesInForce: 'Rates in force',
  orderRateTimes: 'Order rate, times the usual',
  orderRateInForce: 'Order rate in force',
  apiKey: 'API key',
  apiKeys: 'API keys',
  secret: 'Secret',
  publicKey: 'Public key',
  wire: 'Wire',
  strict: 'Strict signatures only',
  addresses: 'Allowed addresses',
  expiresAt: 'Expires',
  createdAt: 'Created',
  lastUsedAt: 'Last used',
  lastUsedFrom: 'Last used from',
  previousSecretUntil: 'Old secret valid until',
  keyName: 'Placed by',
  overlapMinutes: 'Old secret valid for, minutes',
  locked: 'In orders',
  freeze: 'Frozen',
  seq: 'Command',
  at: 'Time',
  by: 'By',
  note: 'Note',
  url: 'URL',
  inEach: 'In, each command',
  inDay: 'In, each day',
  inLeft: 'In, left today',
  outEach: 'Out, each command',
  outDay: 'Out, each day',
  outLeft: 'Out, left today',
  dayEndsAt: 'Day ends',
  needed: 'Approvals needed',
  lagMs: 'Behind, ms',
  aheadMs: 'Ahead, ms',
  behindMs: 'Behind, ms',
  latencyMs: 'Latency, ms',
  spreadMs: 'Spread, ms',
  atMs: 'Time',
  commitSeconds: 'Commit time, s',
  cpuSeconds: 'CPU time, s',
  retryAfterSeconds: 'Retry after, s',
  id: 'Order id',
  cpu: 'CPU',
  builtIn: 'Built in',
  isMaker: 'Maker',
  left: 'Left',
  dead: 'Given up',
  lookedBackTo: 'Searched back to',
}

export function titleOf({ operation, name }: Pick<AdminCommand, 'operation' | 'name'>): string {
  return textOf('titles', operation) ?? TITLES[operation] ?? name
}

export function summaryOf({ operation, summary }: Pick<AdminCommand, 'operation' | 'summary'>): string {
  return textOf('summaries', operation) ?? summary
}

/** The label of a field of a request or an answer. */
export function labelOf(field: string): string {
  return textOf('labels', field) ?? LABELS[field] ?? inWords(field)
}

export function helpOf(
  operation: string,
  { field, help }: { readonly field: string; readonly help: string },
): string {
  return textOf('helps', `${operation}.${field}`) ?? textOf('helps', field) ?? help
}

/** The question before the command is sent; undefined if there is none. */
export function questionOf(
  { operation, confirm }: Pick<AdminCommand, 'operation' | 'confirm'>,
  request: Readonly<Record<string, unknown>>,
): string | undefined {
  const question = confirm?.(request)
  const translated = textOf('questions', operation)
  if (question === undefined || translated === undefined) return question
  return translated.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, otherwise = '') =>
    String(request[name] ?? otherwise),
  )
}

function textOf(group: keyof CommandTexts, key: string): string | undefined {
  const rows = translation()?.commands[group]
  return rows !== undefined && Object.hasOwn(rows, key) ? rows[key] : undefined
}

/** Turns `feeTier` into "Fee tier". */
function inWords(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
