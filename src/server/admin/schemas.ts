/**
 * The shapes of the admin server's requests. Everything is strict: an unknown field is an error that names it.
 */
import { z } from 'zod'
import { TRIM_BATCHES_MAX } from '../../engine/archive/archived.ts'
import { EVENTS_MAX, OPERATOR_ACTIONS_MAX } from '../../engine/port/ports.ts'
import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import { EVENT_KINDS } from '../../units/event-words.ts'
import {
  ADDRESS_DELAY_MAX_MS,
  ADDRESSES_PER_KEY_MAX,
  APPROVERS_MAX,
  ASSET_CODE_MAX,
  NAME_MAX,
  ORDER_RATE_TIMES_MAX,
  PLANNED_PHASES_MAX,
  PROFILE_FIELDS_MAX,
  PROFILE_LABELS_MAX,
  TEXT_MAX,
} from '../../units/limits.ts'
import { nameProblem } from '../../units/names.ts'
import { meant } from '../../units/nearest.ts'
import { ACCOUNT_RESTRICTIONS } from '../../units/operator-words.ts'
import { PERMISSIONS, SELF_TRADE_MODES } from '../../units/order-words.ts'
import { hiddenCharacter } from '../../units/printable.ts'
import { DECIMALS_MAX } from '../../units/quantities.ts'
import type { AdminOperation, AdminRequests } from '../../wire/admin.ts'
import { EVENT_WAIT_MS_MAX } from '../../wire/admin-events.ts'
import {
  FAULT_CLOCK_MS_MAX,
  FAULT_KINDS,
  FAULT_LATENCY_MS_MAX,
  FAULT_RETRY_SECONDS_MAX,
  FAULT_SECONDS_MAX,
  FAULT_TIMES_MAX,
} from '../../wire/admin-faults.ts'
import { REPORT_NAMES } from '../../wire/admin-operations/reports.ts'
import { invalid } from './context.ts'
import { PAGE_MAX } from './page.ts'

/** Longest path of a file. */
const FILE_NAME_MAX = 4_096
/** Most bytes of batches in one answer, unless one batch alone is larger: the writer waits 7 ms at worst (measured). */
export const JOURNAL_BYTES_MAX = 64 * 1024

/** Most accounts in one answer. */
export const ACCOUNTS_PAGE_MAX = 1_000

/** Most orders, fills or withdrawals in one answer. */
export const SUPPORT_PAGE_MAX = 250

/** Most withdrawals in one answer. */
export const WITHDRAWALS_PAGE_MAX = 1_000

/** Longest time that a new address waits. */
const ADDRESS_DELAY_MINUTES_MAX = ADDRESS_DELAY_MAX_MS / 60_000

/** Longest time that a key's old secret opens beside the new one: 30 days. */
const OVERLAP_MINUTES_MAX = 30 * 24 * 60
/** Longest ban: ten years. */
const BAN_MINUTES_MAX = 10 * 366 * 24 * 60

/** Longest address of a webhook. */
const WEBHOOK_URL_MAX = 1_000

/** What is looked up among what there is: old names may have what no new text has. Half of a character has no UTF-8: no journal could keep it. */
const knownOrNone = z
  .string()
  .max(TEXT_MAX)
  .refine((value) => value.isWellFormed(), 'expected well-formed Unicode')
const known = knownOrNone.min(1)
/** What is kept, and shown to others later. */
const textOrNone = knownOrNone.refine((value) => hiddenCharacter(value) === undefined, {
  error: ({ input }) => `expected no control or format characters, found ${hiddenCharacter(String(input))}`,
})
const text = textOrNone.min(1)
const newName = text.refine((value) => nameProblem(value) === undefined, {
  error: ({ input }) => nameProblem(String(input)),
})
const accountName = newName.regex(/^[^:]+$/, "expected a name without a colon: those are the house's")
const audit = { actor: textOrNone.optional(), note: textOrNone.optional() }
const decimal = textOrNone
/** A zone names a network interface of one machine; a request that comes in has none to compare. */
const address = text.refine((value) => !value.includes('%'), 'expected an address without a zone (%...)')
const decimals = z.int().min(0).max(DECIMALS_MAX)
const count = z.int().min(1)
/** Position, number of a command, milliseconds, bytes. */
const place = z.int().min(0)
const flag = z.boolean().optional()
const flags = { isDeposit: flag, isWithdraw: flag, isTrade: flag, isSaving: flag }
const code = z
  .string()
  .regex(new RegExp(`^[A-Z0-9]{1,${ASSET_CODE_MAX}}$`), `expected 1 to ${ASSET_CODE_MAX} of A-Z and 0-9`)
const symbol = z.string().regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, 'expected <BASE>/<QUOTE>, for example BTC/USDT')
const day = z.string().refine(isDay, 'expected a UTC day like 2026-01-31')
const moment = z
  .string()
  .refine(isMoment, 'expected the number of a command or a time like 2026-01-31T23:59:59Z')
const nothing = z.strictObject({})
const page = { after: known.optional(), limit: z.int().min(1).max(PAGE_MAX).optional() }
const onSymbol = z.strictObject({ ...audit, symbol })
const onKey = z.strictObject({ ...audit, apiKey: known })
const onAccount = z.strictObject({ ...audit, account: known })
const onReference = z.strictObject({ ...audit, reference: known })
const plainName = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9._@-]{1,${NAME_MAX}}$`),
    `expected 1 to ${NAME_MAX} letters, digits or any of . _ @ -`,
  )
const keyTerms = {
  permissions: z.array(z.enum(PERMISSIONS)).min(1).max(PERMISSIONS.length).optional(),
  addresses: z.array(address).max(ADDRESSES_PER_KEY_MAX).optional(),
  expiresAt: textOrNone.optional(),
  strict: z.boolean().optional(),
}
const label = z
  .string()
  .regex(/^[a-z0-9._-]{1,32}$/, 'expected 1 to 32 small letters, digits or any of . _ -')
const customerId = z
  .string()
  .regex(/^[A-Za-z0-9._@:/+-]{0,64}$/, 'expected at most 64 letters, digits or any of . _ @ : / + -')
const profileField = text.regex(
  /^[a-z0-9._-]{1,32}=.+$/s,
  'expected name=value, the name of 1 to 32 small letters, digits or any of . _ -',
)
const supportLimit = z.int().min(1).max(SUPPORT_PAGE_MAX).optional()
const onWebhook = z.strictObject({ ...audit, name: plainName })
const eventKinds = z.array(z.enum(EVENT_KINDS)).min(1).max(EVENT_KINDS.length).optional()
/** An event of the feed, or the place behind one. */
const eventNumber = z.int().min(0)
const tokenTerms = {
  expiresAt: textOrNone.optional(),
  addresses: z.array(address).max(ADDRESSES_PER_KEY_MAX).optional(),
}
const ownRoleName = z
  .string()
  .regex(
    new RegExp(`^[a-z0-9._@-]{1,${NAME_MAX}}$`),
    `expected 1 to ${NAME_MAX} small letters, digits or any of . _ @ -`,
  )
const money = { ...audit, account: known, asset: code, amount: decimal, reference: text }
const destination = { ...audit, account: known, asset: code, address: text, tag: textOrNone.optional() }
const bucket = z.enum(['free', 'freeze', 'savings'])

/** What is repeated of what was sent. */
const PLAIN_WORD = /^[\w.@-]{1,64}$/

export const SCHEMAS = {
  'node/status': nothing,
  'rules/set': z.strictObject({ ...audit, version: count }),
  'asset/list': z.strictObject(page),
  'asset/add': z.strictObject({
    ...audit,
    ...flags,
    code,
    name: newName.optional(),
    fraction: decimals,
    supplyCap: decimal.optional(),
  }),
  'asset/set': z.strictObject({
    ...audit,
    ...flags,
    code,
    name: newName.optional(),
    supplyCap: decimal.optional(),
    creditMax: decimal.optional(),
    approvalAbove: decimal.optional(),
  }),
  'asset/withdrawals': z.strictObject({
    ...audit,
    code,
    withdrawMin: decimal.optional(),
    withdrawMax: decimal.optional(),
    addressDelayMinutes: z.int().min(0).max(ADDRESS_DELAY_MINUTES_MAX).optional(),
  }),
  'symbol/list': z.strictObject(page),
  'symbol/add': z.strictObject({
    ...audit,
    symbol,
    baseFraction: decimals,
    quoteFraction: decimals,
    takerRate: decimal.optional(),
    makerRate: decimal.optional(),
    minTotal: decimal.optional(),
    minQuantity: decimal.optional(),
    selfTradeMode: z.enum(SELF_TRADE_MODES).optional(),
    openOrdersMax: count.optional(),
    levelsMax: count.optional(),
  }),
  'symbol/rates': z.strictObject({
    ...audit,
    symbol,
    takerRate: decimal.optional(),
    makerRate: decimal.optional(),
  }),
  'symbol/halt': onSymbol,
  'symbol/resume': onSymbol,
  'symbol/cancel-only': onSymbol,
  'symbol/delist': onSymbol,
  'symbol/set': z.strictObject({
    ...audit,
    symbol,
    minTotal: decimal.optional(),
    minQuantity: decimal.optional(),
    selfTradeMode: z.enum(SELF_TRADE_MODES).optional(),
    openOrdersMax: count.optional(),
    levelsMax: count.optional(),
    minPrice: decimal.optional(),
    maxPrice: decimal.optional(),
  }),
  'symbol/increments': z.strictObject({
    ...audit,
    symbol,
    tickSize: decimal.optional(),
    stepSize: decimal.optional(),
  }),
  'exchange/show': nothing,
  'exchange/halt': z.strictObject(audit),
  'exchange/close': z.strictObject(audit),
  'exchange/open': z.strictObject(audit),
  'exchange/plan': z.strictObject({ ...audit, steps: z.array(text).min(1).max(PLANNED_PHASES_MAX) }),
  'exchange/unplan': z.strictObject(audit),
  'tier/list': z.strictObject(page),
  'tier/set': z.strictObject({ ...audit, name: plainName, makerShare: decimal, takerShare: decimal }),
  'order/cancel-all': z.strictObject({ ...audit, account: known.optional(), symbol: symbol.optional() }),
  'order/list': z.strictObject({
    account: known,
    symbol: symbol.optional(),
    all: flag,
    before: known.optional(),
    limit: supportLimit,
  }),
  'order/cancel': z.strictObject({ ...audit, order: known }),
  'order/show': z.strictObject({ order: known }),
  'order/fills': z.strictObject({ order: known, before: known.optional(), limit: supportLimit }),
  'account/story': z.strictObject({ account: known }),
  'account/list': z.strictObject({
    after: known.optional(),
    limit: z.int().min(1).max(ACCOUNTS_PAGE_MAX).optional(),
    label: label.optional(),
  }),
  'account/find': z.strictObject({ customerId: known }),
  'account/search': z.strictObject({
    text: known,
    after: known.optional(),
    limit: z.int().min(1).max(ACCOUNTS_PAGE_MAX).optional(),
  }),
  'account/note': z.strictObject({
    ...audit,
    account: known,
    customerId: customerId.optional(),
    labels: z.array(label).max(PROFILE_LABELS_MAX).optional(),
    fields: z.array(profileField).max(PROFILE_FIELDS_MAX).optional(),
    remark: textOrNone.optional(),
  }),
  'account/terms': z.strictObject({
    ...audit,
    account: known,
    makerRate: textOrNone.optional(),
    takerRate: textOrNone.optional(),
    openOrdersMax: z.int().min(0).optional(),
    orderRateTimes: z.int().min(0).max(ORDER_RATE_TIMES_MAX).optional(),
    until: text.optional(),
  }),
  'account/add': z.strictObject({ ...audit, name: accountName }),
  'account/show': z.strictObject({ account: known }),
  'account/restrict': z.strictObject({
    ...audit,
    account: known,
    restrictions: z.array(z.enum(ACCOUNT_RESTRICTIONS)).max(ACCOUNT_RESTRICTIONS.length),
  }),
  'account/freeze': onAccount,
  'account/unfreeze': onAccount,
  'account/close': onAccount,
  'account/set': z.strictObject({
    ...audit,
    account: known,
    feeTier: textOrNone.optional(),
    openOrdersMax: z.int().min(0).optional(),
  }),
  'key/list': z.strictObject({ ...page, account: known }),
  'key/add': z.strictObject({
    ...audit,
    account: known,
    label: textOrNone.optional(),
    ...keyTerms,
  }),
  'key/set': z.strictObject({ ...audit, apiKey: known, label: textOrNone.optional(), ...keyTerms }),
  'key/rotate': z.strictObject({
    ...audit,
    apiKey: known,
    overlapMinutes: z.int().min(0).max(OVERLAP_MINUTES_MAX).optional(),
  }),
  'key/revoke': onKey,
  'key/enable': onKey,
  'key/disable': onKey,
  'master-key/rotate': z.strictObject(audit),
  'balance/list': z.strictObject({ account: known }),
  'journal/read': z.strictObject({
    after: z.int().min(0),
    bytesMax: z.int().min(1).max(JOURNAL_BYTES_MAX).optional(),
  }),
  'journal/quarantined': nothing,
  'journal/archives': nothing,
  'archive/record': z.strictObject({
    ...{ afterPosition: place, afterSeq: place, position: place, epoch: place, seq: place, time: place },
    ...{ hash: text, firstHash: text, digest: text, bytes: place },
    file: z.string().min(1).max(FILE_NAME_MAX),
  }),
  'archive/trim': z.strictObject({ batchesMax: z.int().min(1).max(TRIM_BATCHES_MAX) }),
  'money/credit': z.strictObject(money),
  'money/debit': z.strictObject(money),
  'money/move': z.strictObject({ ...money, from: bucket, to: bucket }),
  'savings/deposit': z.strictObject(money),
  'savings/withdraw': z.strictObject(money),
  'house/payout': z.strictObject({ ...audit, asset: code, amount: decimal, reference: text }),
  'withdrawal/list': z.strictObject({
    account: known.optional(),
    after: known.optional(),
    limit: z.int().min(1).max(WITHDRAWALS_PAGE_MAX).optional(),
  }),
  'withdrawal/ended': z.strictObject({
    account: known.optional(),
    before: z.int().min(1).optional(),
    limit: supportLimit,
  }),
  'transfer/show': z.strictObject({ reference: known }),
  'withdrawal/hold': z.strictObject(money),
  'withdrawal/complete': onReference,
  'withdrawal/cancel': onReference,
  'withdrawal/claim': onReference,
  'withdrawal/refuse': z.strictObject({ ...audit, reference: known, reason: text }),
  'address/list': z.strictObject({ account: known }),
  'address/add': z.strictObject({
    ...destination,
    label: textOrNone.optional(),
    atOnce: z.boolean().optional(),
  }),
  'address/remove': z.strictObject(destination),
  'approval/list': z.strictObject(page),
  'approval/approve': onReference,
  'approval/reject': onReference,
  'approval/show': nothing,
  'approval/needed': z.strictObject({
    ...audit,
    needed: z.int().min(0).max(APPROVERS_MAX),
    asset: code.optional(),
  }),
  'token/list': z.strictObject(page),
  'token/add': z.strictObject({ ...audit, name: plainName, role: plainName, ...tokenTerms }),
  'token/set': z.strictObject({ ...audit, name: known, ...tokenTerms }),
  'token/revoke': z.strictObject({ ...audit, name: known }),
  'role/list': z.strictObject(page),
  'role/set': z.strictObject({
    ...audit,
    name: ownRoleName,
    rights: z.array(z.enum(ADMIN_RIGHTS)).min(1).max(ADMIN_RIGHTS.length),
  }),
  'role/remove': z.strictObject({ ...audit, name: known }),
  'role/limit': z.strictObject({
    ...audit,
    role: plainName,
    asset: code,
    inEach: decimal.optional(),
    inDay: decimal.optional(),
    outEach: decimal.optional(),
    outDay: decimal.optional(),
  }),
  'ban/list': z.strictObject(page),
  'ban/add': z.strictObject({ ...audit, address: text, minutes: z.int().min(1).max(BAN_MINUTES_MAX) }),
  'ban/lift': z.strictObject({ ...audit, address: text }),
  'clock/show': nothing,
  'fault/list': nothing,
  'fault/add': z.strictObject({
    ...audit,
    kind: z.enum(FAULT_KINDS),
    percent: z.int().min(1).max(100).optional(),
    seed: z.int().min(0).optional(),
    account: known.optional(),
    apiKey: known.optional(),
    endpoint: text.optional(),
    symbol: text.optional(),
    latencyMs: z.int().min(0).max(FAULT_LATENCY_MS_MAX).optional(),
    spreadMs: z.int().min(0).max(FAULT_LATENCY_MS_MAX).optional(),
    retryAfterSeconds: z.int().min(1).max(FAULT_RETRY_SECONDS_MAX).optional(),
    aheadMs: z.int().min(1).max(FAULT_CLOCK_MS_MAX).optional(),
    behindMs: z.int().min(1).max(FAULT_CLOCK_MS_MAX).optional(),
    seconds: z.int().min(1).max(FAULT_SECONDS_MAX).optional(),
    times: z.int().min(1).max(FAULT_TIMES_MAX).optional(),
  }),
  'fault/clear': z.strictObject({ ...audit, number: count.optional() }),
  'metrics/show': nothing,
  'load/show': z.strictObject({ after: place.optional() }),
  'clock/accept': z.strictObject(audit),
  'audit/list': z.strictObject({
    before: z.int().min(1).optional(),
    limit: z.int().min(1).max(OPERATOR_ACTIONS_MAX).optional(),
    actor: known.optional(),
    kind: known.optional(),
  }),
  'audit/find': z.strictObject({
    before: z.int().min(1).optional(),
    limit: z.int().min(1).max(OPERATOR_ACTIONS_MAX).optional(),
    actor: known.optional(),
    kind: known.optional(),
    account: known.optional(),
    from: text.optional(),
    to: text.optional(),
    text: known.optional(),
  }),
  'event/list': z.strictObject({
    after: eventNumber.optional(),
    limit: z.int().min(1).max(EVENTS_MAX).optional(),
    kinds: eventKinds,
    account: known.optional(),
    journal: known.optional(),
    wait: z.int().min(0).max(EVENT_WAIT_MS_MAX).optional(),
  }),
  'webhook/list': nothing,
  'webhook/show': z.strictObject({ name: plainName }),
  'webhook/add': z.strictObject({
    ...audit,
    name: plainName,
    url: z.string().min(1).max(WEBHOOK_URL_MAX),
    kinds: eventKinds,
    account: known.optional(),
    after: eventNumber.optional(),
  }),
  'webhook/pause': onWebhook,
  'webhook/resume': z.strictObject({ ...audit, name: plainName, after: eventNumber.optional() }),
  'webhook/remove': onWebhook,
  'webhook/test': onWebhook,
  'webhook/retry': z.strictObject({ ...audit, name: plainName, number: eventNumber.optional() }),
  'dead-event/list': z.strictObject({ name: plainName }),
  'report/show': z.strictObject({
    report: z.enum(REPORT_NAMES),
    from: day.optional(),
    to: day.optional(),
    at: moment.optional(),
    account: known.optional(),
    format: z.enum(['csv', 'json']).optional(),
  }),
  'liabilities/show': z.strictObject({ at: moment.optional(), account: known.optional() }),
} satisfies { readonly [Operation in AdminOperation]: z.ZodType<AdminRequests[Operation]> }

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A day of the calendar: what rolls over, as 2026-02-30 does, is none. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function isMoment(text: string): boolean {
  return /^\d{1,15}$/.test(text) || (TIME.test(text) && !Number.isNaN(Date.parse(text)))
}

export function isOperation(name: string): name is AdminOperation {
  return Object.hasOwn(SCHEMAS, name)
}

/** The checked body of a request; throws an `AdminRequestError` that names the field. */
export function parseRequest<Operation extends AdminOperation>(
  operation: Operation,
  body: unknown,
): AdminRequests[Operation] {
  const result = SCHEMAS[operation].safeParse(body, { error: inPlainWords })
  if (result.success) return result.data as AdminRequests[Operation]
  const issue = result.error.issues[0]
  if (issue === undefined) throw invalid('body', 'is not understood')
  if (issue.code === 'unrecognized_keys')
    throw invalid(issue.keys[0] ?? 'body', 'is not a field of this operation')
  throw invalid(issue.path.join('.') || 'body', issue.message)
}

/** What was expected, where the schema does not say it itself. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  const unit = 'origin' in issue && issue.origin === 'string' ? ' characters' : ''
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}${unit}`
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}${unit}`
  if (issue.code === 'invalid_value') return oneOfText(issue.values.map(String), issue.input)
  if (issue.code !== 'invalid_type') return undefined
  return issue.input === undefined ? 'is missing' : `expected ${issue.expected}`
}

/** What stands there instead is named where it is a word. */
function oneOfText(values: readonly string[], input: unknown): string {
  const expected = `expected one of ${values.join(', ')}`
  if (typeof input !== 'string' || !PLAIN_WORD.test(input)) return expected
  return `${expected}, found ${input}${meant(input, values)}`
}
