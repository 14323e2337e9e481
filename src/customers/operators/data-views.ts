/**
 * Access of operators to personal data: each access is recorded with its reason in the history of each person
 * seen, before anything is shown; the person sees the entry after at most 30 days.
 */
import type { AdminCustomerEvent, KnownCustomerDetails } from '../../contract/admin/customers.ts'
import { CUSTOMERS_FOUND_MAX, CUSTOMERS_PAGE } from '../../contract/admin/operations/people.ts'
import { EXPORTED_HISTORY_MAX } from '../../contract/customers/data.ts'
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import type { CustomersContext } from '../customers-context.ts'
import { dataOf } from '../people/own-data.ts'
import { NOWHERE } from '../sessions/origin.ts'
import type { Person } from '../store/people.ts'
import { knownCustomer } from './listing.ts'
import { isRefusal, type OperatorRefusal, personOf, refusedOperator } from './refusal.ts'

/** Maximum number of persons that one request compares: each one is unsealed. */
export const COMPARED_MAX = 20_000
/** Number of persons in one piece: between two pieces, other requests are processed. */
const PIECE = 250
const DAY_MS = 86_400_000
type Look = { readonly reason: string; readonly shownInDays?: number | undefined }

/** Persons with this text in their email address, ignoring letter case. */
export async function findCustomers(
  context: CustomersContext,
  { part, after = '', ...look }: QuestionRequest<'find'>,
  by: string,
): Promise<QuestionAnswer<'find'> | OperatorRefusal> {
  const wanted = part.normalize('NFC').toLowerCase()
  const customers: { account: string; state: Person['state']; mail: string }[] = []
  let last = after
  for (let compared = 0; compared < COMPARED_MAX; compared += PIECE) {
    const piece = context.store.people.after(last, PIECE)
    for (const person of piece) {
      if (customers.length >= CUSTOMERS_FOUND_MAX) return { customers, next: last }
      const mail = context.store.people.detailsOf(person)?.mail ?? ''
      if (mail.normalize('NFC').toLowerCase().includes(wanted)) {
        const refusal = noteLook(context, person, look, by)
        if (refusal !== undefined) return refusal
        customers.push({ account: person.account, state: person.state, mail })
      }
      last = person.account
    }
    if (piece.length < PIECE) return { customers }
    await new Promise(setImmediate)
  }
  return { customers, next: last }
}

export function showCustomer(
  context: CustomersContext,
  { account, ...look }: QuestionRequest<'show'>,
  by: string,
): KnownCustomerDetails | OperatorRefusal {
  const person = personOf(context, account)
  if (isRefusal(person)) return person
  const details = context.store.people.detailsOf(person)
  if (details === undefined)
    return refusedOperator('UNKNOWN_ACCOUNT', `account: ${account} was erased`, 'account')
  const refusal = noteLook(context, person, look, by)
  if (refusal !== undefined) return refusal
  const { mail, language, termsVersion } = details
  const sessions = context.store.sessions.of(person.owner)
  return {
    ...knownCustomer(context, person),
    ...{ mail, language, termsVersion },
    signedInFrom: sessions.map((session) => ({
      ...(context.store.sessions.originOf(session) ?? NOWHERE),
      lastUsedAt: isoTime(timeMs(session.last_ms)),
    })),
  }
}

export function listEvents(
  context: CustomersContext,
  { account, limit = CUSTOMERS_PAGE, ...look }: QuestionRequest<'events'>,
  by: string,
): readonly AdminCustomerEvent[] | OperatorRefusal {
  const person = personOf(context, account)
  if (isRefusal(person)) return person
  const refusal = noteLook(context, person, look, by)
  if (refusal !== undefined) return refusal
  return eventsOf(context, person, limit)
}

function eventsOf(
  { store }: CustomersContext,
  { owner }: Person,
  limit: number,
): readonly AdminCustomerEvent[] {
  return store.records.historyOf(owner, limit).map(({ at_ms, kind, device, network, operator }) => ({
    ...{ at: isoTime(timeMs(at_ms)), kind, device, network },
    ...(operator === undefined ? {} : { by: operator.by, reason: operator.reason }),
    ...(operator === undefined || operator.shownMs <= at_ms
      ? {}
      : { shownAt: isoTime(timeMs(operator.shownMs)) }),
  }))
}

/** The person's whole export, and accesses by operators that the person cannot see yet. */
export function exportCustomer(
  context: CustomersContext,
  { account, ...look }: QuestionRequest<'export'>,
  by: string,
): QuestionAnswer<'export'> | OperatorRefusal {
  const person = personOf(context, account)
  if (isRefusal(person)) return person
  const data = dataOf(context, person)
  if (data === undefined)
    return refusedOperator('UNKNOWN_ACCOUNT', `account: ${account} was erased`, 'account')
  const refusal = noteLook(context, person, look, by)
  if (refusal !== undefined) return refusal
  const time = (ms: number) => isoTime(timeMs(ms))
  const { phrase, ...rest } = data
  return {
    ...rest,
    ...(phrase === undefined ? {} : { phrase }),
    createdAt: time(data.createdAt),
    passkeys: data.passkeys.map(({ createdAt, usedAt, label }) => ({
      ...{ label, createdAt: time(createdAt) },
      ...(usedAt === undefined ? {} : { usedAt: time(usedAt) }),
    })),
    sessions: data.sessions.map((each) => ({
      ...each,
      createdAt: time(each.createdAt),
      lastUsedAt: time(each.lastUsedAt),
    })),
    history: eventsOf(context, person, EXPORTED_HISTORY_MAX),
  }
}

/** Undefined if the access is recorded and the person may be shown. */
function noteLook(
  { store, world }: CustomersContext,
  { owner, account }: Person,
  { reason, shownInDays = 0 }: Look,
  by: string,
): OperatorRefusal | undefined {
  const nowMs = world.now()
  const operator = { by, reason, shownMs: nowMs + shownInDays * DAY_MS }
  if (store.records.note(owner, 'LOOKED_AT', { ...NOWHERE, operator }, nowMs)) return undefined
  return refusedOperator('TOO_MANY_LOOKS', `operators have viewed ${account} too often today`)
}
