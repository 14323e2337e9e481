/**
 * The effect of a command before it is sent: the present state, and the state after the command, if the
 * node's answers suffice to show it. It is only a display: the node refuses an impossible command.
 */
import type { AdminCommand } from '../../../cli/admin/command.ts'
import type { AdminOperation, AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminApproval } from '../../../contract/admin/records.ts'
import { type FormValues, formFields } from './command-form.ts'
import { compareDecimals, isDecimal, sumOf } from './decimals.ts'

/** Undefined if the node did not answer, or this role may not ask. */
export type Ask = <Operation extends AdminOperation>(
  operation: Operation,
  request: AdminRequests[Operation],
) => Promise<AdminResults[Operation] | undefined>

export type Change = {
  /** Name of the field. */
  readonly field: string
  readonly now: unknown
  readonly after: unknown
  /** The balance is lower than the amount to be deducted: the command will be refused. */
  readonly isShort?: true
}

export type Preview = {
  /** The owner, such as `alice, BTC`; '' for the exchange. */
  readonly of: string
  readonly changes: readonly Change[]
  /** An amount above this one, such as `100 USDT`, is moved only after the approval of another person. */
  readonly approvalAbove?: string
}

export type Planned = {
  readonly command: AdminCommand
  readonly values: FormValues
  readonly cleared: ReadonlySet<string>
  /** The record that is already displayed. */
  readonly record: object | undefined
  /** The operator. */
  readonly who: string
}

type Rule = (planned: Planned, ask: Ask) => Promise<Preview | undefined>
type Bucket = 'free' | 'freeze' | 'savings'
type Moves = Partial<Readonly<Record<Bucket, 1 | -1>>>
type Fields = Readonly<Record<string, unknown>>

/** The account that earns commission. */
const FEES = 'fees'

/** Undefined if nothing is known, or too few fields are filled in. */
export async function previewOf(planned: Planned, ask: Ask): Promise<Preview | undefined> {
  const { operation, sets: record } = planned.command
  const rule = RULES[operation] ?? (record === undefined ? undefined : sets(record))
  return rule?.(planned, ask)
}

function moves(movesOf: (values: FormValues) => Moves | undefined, mayWait = false): Rule {
  return async ({ values }, ask) => {
    const { account = FEES, asset = '', amount = '' } = values
    const wanted = movesOf(values)
    if (wanted === undefined) return undefined
    return movedMoney({ account, asset, amount, moves: wanted }, ask, mayWait)
  }
}

type Moved = {
  readonly account: string
  readonly asset: string
  readonly amount: string
  readonly moves: Moves
}

async function movedMoney(
  { account, asset, amount, moves: wanted }: Moved,
  ask: Ask,
  mayWait: boolean,
): Promise<Preview | undefined> {
  if (account === '' || asset === '' || !isDecimal(amount)) return undefined
  const [balances, assets] = await Promise.all([
    ask('balance/list', { account }),
    mayWait ? ask('asset/list', {}) : undefined,
  ])
  const found = balances?.find((balance) => balance.asset === asset)
  if (balances === undefined) return undefined
  const changes = Object.entries(wanted).map(([bucket, sign]): Change => {
    const now = found?.[bucket as Bucket] ?? '0'
    const after = sumOf(now, sign > 0 ? amount : `-${amount}`)
    return { field: bucket, now, after, ...(after.startsWith('-') ? { isShort: true } : {}) }
  })
  const above = assets?.find(({ code }) => code === asset)?.approvalAbove ?? '0'
  const waits = above !== '0' && compareDecimals(amount, above) > 0
  return { of: `${account}, ${asset}`, changes, ...(waits ? { approvalAbove: `${above} ${asset}` } : {}) }
}

function ofWithdrawal(wanted: Moves): Rule {
  return async ({ values: { reference } }, ask) => {
    const found = (await ask('withdrawal/list', {}))?.find((one) => one.reference === reference)
    return found === undefined ? undefined : movedMoney({ ...found, moves: wanted }, ask, false)
  }
}

const claimed: Rule = async ({ values: { reference }, who }, ask) => {
  const found = (await ask('withdrawal/list', {}))?.find((one) => one.reference === reference)
  if (found === undefined) return undefined
  const { account, asset, amount, asked } = found
  const above = (await ask('asset/list', {}))?.find(({ code }) => code === asset)?.approvalAbove ?? '0'
  const waits = above !== '0' && compareDecimals(amount, above) > 0
  const change: Change = { field: 'claimedBy', now: asked?.claimedBy ?? null, after: who }
  return {
    of: `${account}, ${asset}`,
    changes: [change],
    ...(waits ? { approvalAbove: `${above} ${asset}` } : {}),
  }
}

const MOVES_BY_KIND: Readonly<Record<string, Moves>> = {
  Credit: { free: 1 },
  Debit: { free: -1 },
  PayOutCommission: { free: -1 },
  CompleteWithdrawal: { freeze: -1 },
  RefuseWithdrawal: { freeze: -1, free: 1 },
}

const approved: Rule = async ({ values: { reference }, who }, ask) => {
  const found = (await ask('approval/list', {}))?.find((one) => one.reference === reference)
  if (found === undefined) return undefined
  const { account, asset, approvedBy, needed, kind } = found
  const change: Change = { field: 'approvedBy', now: approvedBy, after: [...approvedBy, who] }
  const isLast = approvedBy.length + 1 >= needed
  const moved = isLast ? await approvedMoney(found, MOVES_BY_KIND[kind], ask) : undefined
  return { of: moved?.of ?? `${account}, ${asset}`, changes: [change, ...(moved?.changes ?? [])] }
}

async function approvedMoney({ account, asset, amount }: AdminApproval, wanted: Moves | undefined, ask: Ask) {
  if (wanted === undefined) return undefined
  return movedMoney({ account: account === '' ? FEES : account, asset, amount, moves: wanted }, ask, false)
}

type Load = (planned: Planned, ask: Ask) => Promise<object | undefined>

const RECORDS = {
  symbol: async ({ values }, ask) =>
    (await ask('symbol/list', {}))?.find(({ symbol }) => symbol === values.symbol),
  asset: async ({ values }, ask) => (await ask('asset/list', {}))?.find(({ code }) => code === values.code),
  account: async ({ values: { account = '' } }, ask) =>
    account === '' ? undefined : ask('account/show', { account }),
  tier: async ({ values }, ask) => (await ask('tier/list', {}))?.find(({ name }) => name === values.name),
  token: async ({ values }, ask) => (await ask('token/list', {}))?.find(({ name }) => name === values.name),
  exchange: (_, ask) => ask('exchange/show', {}),
  needed: (_, ask) => ask('approval/show', {}),
  clock: (_, ask) => ask('clock/show', {}),
  terms: async (planned, ask) => {
    const account = (await RECORDS.account(planned, ask)) as { readonly terms: object | null } | undefined
    return account?.terms ?? { makerRate: null, takerRate: null, openOrdersMax: null, orderRateTimes: null }
  },
  rules: async (_, ask) => {
    const status = await ask('node/status', {})
    return status === undefined ? undefined : { version: status.rules }
  },
  openOrders: async ({ values: { account = '', symbol = '' } }, ask) => {
    if (account === '' || symbol !== '') return undefined
    const story = await ask('account/story', { account })
    return story === undefined ? undefined : { openOrders: story.openOrders }
  },
  shown: async () => undefined,
} satisfies Readonly<Record<string, Load>>

/** `after`: the fields that the command sets by itself; without it, the fields that are filled in. */
function sets(kind: keyof typeof RECORDS, after?: Fields | ((record: Fields) => Fields)): Rule {
  return async (planned, ask) => {
    const record = (planned.record ?? (await RECORDS[kind](planned, ask))) as Fields | undefined
    if (record === undefined) return undefined
    const wanted = typeof after === 'function' ? after(record) : (after ?? filledIn(planned))
    const changes = Object.entries(wanted).flatMap(([field, value]): Change[] =>
      Object.hasOwn(record, field) ? [{ field, now: record[field], after: value }] : [],
    )
    return changes.length === 0 ? undefined : { of: nameOf(planned), changes }
  }
}

function nameOf({ values: { symbol, code, account, name, apiKey } }: Planned): string {
  return symbol ?? code ?? account ?? name ?? apiKey ?? ''
}

function filledIn({ command, values, cleared }: Planned): Fields {
  const filled = formFields(command).flatMap(({ field, kind, isNeeded, option }) => {
    const text = values[field] ?? ''
    const isIdentity =
      option === undefined && isNeeded && !['restrictions', 'needed', 'version'].includes(field)
    if (isIdentity || (text === '' && !cleared.has(field))) return []
    return [[field, typedValue(kind, text)] as const]
  })
  return Object.fromEntries(filled)
}

function typedValue(kind: string, text: string): unknown {
  if (kind === 'switch') return text === 'on'
  if (kind === 'list')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return kind === 'integer' && /^\d+$/.test(text) ? Number(text) : text
}

const EVERYTHING = ['TRADE', 'WITHDRAW', 'LOGIN']

/** Rules for operations whose row does not name the record that they set. */
const RULES: { readonly [Operation in AdminOperation]?: Rule } = {
  'money/credit': moves(() => ({ free: 1 }), true),
  'money/debit': moves(() => ({ free: -1 }), true),
  'money/move': moves(({ from = '', to = '' }) =>
    from === '' || to === '' || from === to ? undefined : { [from]: -1, [to]: 1 },
  ),
  'savings/deposit': moves(() => ({ free: -1, savings: 1 })),
  'savings/withdraw': moves(() => ({ savings: -1, free: 1 })),
  'house/payout': moves(() => ({ free: -1 }), true),
  'withdrawal/hold': moves(() => ({ free: -1, freeze: 1 })),
  'withdrawal/complete': ofWithdrawal({ freeze: -1 }),
  'withdrawal/cancel': ofWithdrawal({ freeze: -1, free: 1 }),
  'withdrawal/refuse': ofWithdrawal({ freeze: -1, free: 1 }),
  'withdrawal/claim': claimed,
  'approval/approve': approved,
  'approval/needed': sets('needed'),
  'symbol/halt': sets('symbol', { state: 'HALTED' }),
  'symbol/resume': sets('symbol', { state: 'TRADING' }),
  'symbol/cancel-only': sets('symbol', { state: 'CANCEL_ONLY' }),
  'symbol/delist': sets('symbol', { state: 'DELISTED' }),
  'exchange/halt': sets('exchange', { phase: 'CANCEL_ONLY', planned: [] }),
  'exchange/close': sets('exchange', { phase: 'CLOSED', planned: [] }),
  'exchange/open': sets('exchange', { phase: 'TRADING' }),
  'exchange/unplan': sets('exchange', { planned: [] }),
  'account/freeze': sets('account', { restrictions: EVERYTHING }),
  // Restrictions that the customer has set remain.
  'account/unfreeze': sets('account', ({ customerRestrictions }) => ({ restrictions: customerRestrictions })),
  'account/close': sets('account', { closed: true }),
  'account/terms': sets('terms'),
  'tier/set': sets('tier'),
  'order/cancel-all': sets('openOrders', { openOrders: 0 }),
  'key/enable': sets('shown', { enabled: true }),
  'key/disable': sets('shown', { enabled: false }),
  'key/revoke': sets('shown', { revoked: true }),
  'key/set': sets('shown'),
  'token/set': sets('token'),
  'token/revoke': sets('token', { revoked: true }),
  'clock/accept': sets('clock', { trusted: true }),
  'rules/set': sets('rules'),
}
