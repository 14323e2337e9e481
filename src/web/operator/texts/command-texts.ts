/**
 * Names of commands, of their fields and of the fields of their answers, for people. English help texts and
 * summaries come from the rows of the operations.
 */
import type { AdminCommand } from '../../../cli/admin/command.ts'
import { translation } from './texts.ts'
import type { CommandTexts } from './translation.ts'

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
  addressDelayMinutes: 'Delay for a new address, minutes',
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
  orderRateTimes: 'Order rate, multiple of the usual',
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
