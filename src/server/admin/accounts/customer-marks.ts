/**
 * Marks of customers in the journal, for the customers' process, which counts changes, journals erasures and
 * compares its store with the marks at each start
 * (docs/customers-operations.md#the-journal-and-the-store). Operators erase customers too.
 */
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminCustomerMark } from '../../../contract/admin/customers.ts'
import { type Account, type CustomerMark, restrictionsOf } from '../../../core/registry/records.ts'
import type { AccountId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { type AdminContext, knownAccount, unknown } from '../context.ts'
import { operatorOf, submit } from '../submit.ts'
import { countOfToday } from './count-of-today.ts'

/** The subject of the notes that contain heads. */
const TRAIL_SUBJECT = 'trail of customers'
/** Number of accounts that one request examines, and that are read at a time. */
const RECORDS_READ_MAX = 10_000
const PIECE = 1_000

type Result<Operation extends keyof AdminResults> = Promise<AdminResults[Operation]>

export async function raiseEpoch(
  context: AdminContext,
  request: AdminRequests['customer/raise'],
): Result<'customer/raise'> {
  const { account, mark } = customerOf(context, request.account)
  const { name } = account
  if (mark.isForgotten) throw unknownCustomer(context, name)
  if (mark.epoch >= request.epoch) return { account: name, epoch: mark.epoch }
  countOfToday(context, 'changes', 1)
  const operator = operatorOf(context, request)
  await submit(context, { kind: 'RaiseCustomerEpoch', operator, accountId: account.id })
  return { account: name, epoch: customerOf(context, name).mark.epoch }
}

export async function forgetCustomer(
  context: AdminContext,
  request: AdminRequests['customer/forget'],
): Result<'customer/forget'> {
  if (!customerOf(context, request.account).mark.isForgotten) countOfToday(context, 'changes', 1)
  return journalErasure(context, request)
}

/**
 * Journals the head as a note, a command that every rules version has; an auditor finds it by its subject.
 */
export async function journalHead(
  context: AdminContext,
  request: AdminRequests['customer/head'],
): Result<'customer/head'> {
  const { number, hash } = request
  countOfToday(context, 'heads', 1)
  const operator = operatorOf(context, request)
  const change = `entry ${number}: ${hash}`
  await submit(context, { kind: 'NoteChange', operator, subject: TRAIL_SUBJECT, change })
  return { number }
}

/**
 * Found in the history by the caller's name: only the customers' process has this name, and it writes no
 * other notes.
 */
export async function newestHead({ history, caller, seq }: AdminContext): Result<'customer/newest-head'> {
  const asked = {
    before: undefined,
    limit: 1,
    actor: caller.token,
    kind: 'NoteChange',
    atLeast: seq(),
  } as const
  const [action] = await history.operatorActions(asked)
  if (action === undefined) return { head: null }
  const { command } = action
  const text = command.kind === 'NoteChange' && command.subject === TRAIL_SUBJECT ? command.change : ''
  const [, number, hash] = /^entry (\d+): ([0-9a-f]{64})$/.exec(text) ?? []
  invariant(hash !== undefined, `expected a head of the trail in command ${action.seq}, found "${text}"`)
  return { head: { number: Number(number), hash } }
}

/**
 * Journaled first: even if this process fails, the next start of the customers' process erases the person.
 */
export async function eraseCustomer(
  context: AdminContext,
  request: AdminRequests['customer/erase'],
): Result<'customer/erase'> {
  const { account } = await journalErasure(context, request)
  const by = operatorOf(context, request).actor
  const erased = await context.customers?.ask('erased', { by, request: { account } })
  return { account, erased: erased?.ok === true }
}

/** Journaled once: a repeat journals nothing. */
async function journalErasure(
  context: AdminContext,
  request: AdminRequests['customer/erase' | 'customer/forget'],
): Promise<{ readonly account: string }> {
  const { account, mark } = customerOf(context, request.account)
  const operator = operatorOf(context, request)
  if (!mark.isForgotten) await submit(context, { kind: 'ForgetCustomer', operator, accountId: account.id })
  return { account: account.name }
}

export async function listMarks(
  { accounts }: AdminContext,
  { after }: AdminRequests['customer/marks'],
): Result<'customer/marks'> {
  const marks: AdminCustomerMark[] = []
  let last = after as AccountId | undefined
  for (let lookedAt = 0; lookedAt < RECORDS_READ_MAX; lookedAt += PIECE) {
    const piece = accounts.accounts(PIECE, last)
    for (const account of piece) {
      const { name, customer } = account
      if (customer === undefined) continue
      const frozen = restrictionsOf(account, 'CUSTOMER').includes('LOGIN')
      marks.push({ account: name, epoch: customer.epoch, forgotten: customer.isForgotten, frozen })
    }
    last = piece.at(-1)?.id ?? last
    if (piece.length < PIECE) return { marks }
  }
  return last === undefined ? { marks } : { marks, next: last }
}

function customerOf(context: AdminContext, name: string): { account: Account; mark: CustomerMark } {
  const account = knownAccount(context, 'account', name)
  if (account.customer === undefined) throw unknownCustomer(context, name)
  return { account, mark: account.customer }
}

function unknownCustomer(context: AdminContext, name: string) {
  return unknown(context, { reason: 'UNKNOWN_ACCOUNT', field: 'account', what: 'account', found: name })
}
