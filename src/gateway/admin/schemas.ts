/**
 * The shapes of the admin door's requests. Everything is strict: an unknown field is an error that names it.
 */
import { z } from 'zod'
import { ADDRESSES_PER_KEY_MAX, ASSET_CODE_MAX, TEXT_MAX } from '../../units/limits.ts'
import { PERMISSIONS, SELF_TRADE_MODES } from '../../units/order-words.ts'
import { DECIMALS_MAX } from '../../units/quantities.ts'
import type { AdminOperation, AdminRequests } from '../../wire/admin.ts'
import { invalid } from './context.ts'

/** Most bytes of batches in one answer, unless one batch alone is larger: the writer waits 7 ms at worst (measured). */
export const JOURNAL_BYTES_MAX = 64 * 1024

/** Most accounts in one answer. */
export const ACCOUNTS_PAGE_MAX = 1_000

/** Half of a character has no UTF-8: the journal could not keep it. */
const textOrNone = z
  .string()
  .max(TEXT_MAX)
  .refine((value) => value.isWellFormed(), 'expected well-formed Unicode')
const text = textOrNone.min(1)
const accountName = text.regex(/^[^:]+$/, "expected a name without a colon: those are the house's")
const audit = { actor: textOrNone.optional(), note: textOrNone.optional() }
const decimal = textOrNone
/** A zone names a network interface of one machine; a request that comes in has none to compare. */
const address = text.refine((value) => !value.includes('%'), 'expected an address without a zone (%...)')
const decimals = z.int().min(0).max(DECIMALS_MAX)
const count = z.int().min(1)
const flag = z.boolean().optional()
const flags = { isDeposit: flag, isWithdraw: flag, isTrade: flag, isSaving: flag }
const code = z
  .string()
  .regex(new RegExp(`^[A-Z0-9]{1,${ASSET_CODE_MAX}}$`), `expected 1 to ${ASSET_CODE_MAX} of A-Z and 0-9`)
const symbol = z.string().regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, 'expected <BASE>/<QUOTE>, for example BTC/USDT')
const nothing = z.strictObject({})
const onSymbol = z.strictObject({ ...audit, symbol })
const onKey = z.strictObject({ ...audit, apiKey: text })
const money = { ...audit, account: text, asset: code, amount: decimal, reference: text }
const bucket = z.enum(['free', 'freeze', 'savings'])

const SCHEMAS = {
  'node/status': nothing,
  'asset/list': nothing,
  'asset/add': z.strictObject({
    ...audit,
    ...flags,
    code,
    name: text.optional(),
    fraction: decimals,
    supplyCap: decimal.optional(),
  }),
  'asset/set': z.strictObject({ ...audit, ...flags, code }),
  'symbol/list': nothing,
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
  'symbol/rates': z.strictObject({ ...audit, symbol, takerRate: decimal, makerRate: decimal }),
  'symbol/halt': onSymbol,
  'symbol/resume': onSymbol,
  'account/list': z.strictObject({
    after: text.optional(),
    limit: z.int().min(1).max(ACCOUNTS_PAGE_MAX).optional(),
  }),
  'account/add': z.strictObject({ ...audit, name: accountName }),
  'key/list': z.strictObject({ account: text }),
  'key/add': z.strictObject({
    ...audit,
    account: text,
    label: textOrNone.optional(),
    permissions: z.array(z.enum(PERMISSIONS)).min(1).max(PERMISSIONS.length).optional(),
    addresses: z.array(address).max(ADDRESSES_PER_KEY_MAX).optional(),
  }),
  'key/enable': onKey,
  'key/disable': onKey,
  'balance/list': z.strictObject({ account: text }),
  'journal/read': z.strictObject({
    after: z.int().min(0),
    bytesMax: z.int().min(1).max(JOURNAL_BYTES_MAX).optional(),
  }),
  'journal/quarantined': nothing,
  'money/credit': z.strictObject(money),
  'money/debit': z.strictObject(money),
  'money/move': z.strictObject({ ...money, from: bucket, to: bucket }),
} satisfies { readonly [Operation in AdminOperation]: z.ZodType<AdminRequests[Operation]> }

export function isOperation(name: string): name is AdminOperation {
  return Object.hasOwn(SCHEMAS, name)
}

/** The checked body of a request; throws an `AdminRefusal` that names the field. */
export function parseRequest<Operation extends AdminOperation>(
  operation: Operation,
  body: unknown,
): AdminRequests[Operation] {
  const result = SCHEMAS[operation].safeParse(body)
  if (result.success) return result.data as AdminRequests[Operation]
  const issue = result.error.issues[0]
  if (issue === undefined) throw invalid('body', 'is not understood')
  if (issue.code === 'unrecognized_keys')
    throw invalid(issue.keys[0] ?? 'body', 'is not a field of this operation')
  throw invalid(issue.path.join('.') || 'body', issue.message)
}
