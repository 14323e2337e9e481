/**
 * Names of commands, of their fields and of the fields of their answers, for people. English help texts and
 * summaries come from the rows of the operations.
 */
import type { AdminCommand } from '../../../cli/admin/command.ts'
import { translation } from './texts.ts'
import type { CommandTexts } from './translation.ts'

/** The part of a help text that is true in a terminal only: a form has a box that removes the value. */
const EMPTY_TEXT = /; (?:both )?'' for \w+$/

/** Labels that differ from the name of the field. */
const LABELS: Readonly<Record<string, string>> = {
  isDeposit: 'Deposits',
  isWithdraw: 'Withdrawals',
  isTrade: 'Trading',
  isSaving: 'Savings allowed',
  fraction: 'Decimals',
  baseFraction: 'Quantity decimals',
  quoteFraction: 'Price decimals',
  supplyCap: 'Supply cap',
  creditMax: 'Maximum credit',
  approvalAbove: 'Approval needed above',
  withdrawMin: 'Minimum withdrawal',
  withdrawMax: 'Maximum withdrawal',
  addressDelayMinutes: 'Delay for a new address, minutes',
  minQuantity: 'Minimum quantity',
  minTotal: 'Minimum total',
  minPrice: 'Lowest price',
  maxPrice: 'Highest price',
  selfTradeMode: 'Self-trade prevention',
  openOrdersMax: 'Maximum open orders',
  levelsMax: 'Maximum price levels',
  binanceName: 'Name for Binance clients',
  openOrdersUntil: 'Open orders until',
  openOrdersInForce: 'Open orders in force',
  ratesInForce: 'Rates in force',
  orderRateTimes: 'Order rate, multiple of the usual',
  orderRateInForce: 'Order rate in force',
  apiKey: 'API key',
  apiKeys: 'API keys',
  secret: 'Secret',
  publicKey: 'Public key',
  wire: 'Interface',
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
  inEach: 'In, per command',
  inDay: 'In, per day',
  inLeft: 'In, left today',
  outEach: 'Out, per command',
  outDay: 'Out, per day',
  outLeft: 'Out, left today',
  dayEndsAt: 'Day ends',
  needed: 'Approvals needed',
  lagMs: 'Behind, ms',
  aheadMs: 'Ahead, ms',
  behindMs: 'Behind, ms',
  latencyMs: 'Latency, ms',
  spreadMs: 'Spread, ms',
  atMs: 'Time, ms since 1970',
  commitSeconds: 'Commit time, s',
  cpuSeconds: 'CPU time, s',
  retryAfterSeconds: 'Retry after, s',
  id: 'Id',
  part: 'Part of the email address',
  mail: 'Email address',
  usesMax: 'Maximum uses',
  isForOneAddress: 'For one address only',
  endsAt: 'Ends',
  shownInDays: 'Shown to the customer after, days',
  cpu: 'CPU',
  builtIn: 'Built in',
  steps: 'Phases',
  approvalsWaiting: 'Pending approvals',
  withdrawalsWaiting: 'Pending withdrawals',
  isMaker: 'Maker',
  left: 'Left',
  dead: 'Undelivered',
  lookedBackTo: 'Searched back to',
}

export function titleOf({ operation, title }: Pick<AdminCommand, 'operation' | 'title'>): string {
  return textOf('titles', operation) ?? title
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
  return textOf('helps', `${operation}.${field}`) ?? textOf('helps', field) ?? help.replace(EMPTY_TEXT, '')
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
