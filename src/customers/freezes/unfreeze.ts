/**
 * Lifting the person's own freeze: by a link to the confirmed address together with a passkey. Withdrawals
 * stay blocked for a day. Restrictions set by operators remain.
 */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import { digestOf } from '../names.ts'
import { assertedPerson } from '../people/passkeys.ts'
import type { Visit } from '../sessions/visit.ts'
import type { Person } from '../store/people.ts'
import type { OfOperator, TrailDetails } from '../store/records.ts'
import type { Origin } from '../store/sessions.ts'

/** The time for which withdrawals are blocked after a freeze. */
export const REST_MS = 24 * 3_600_000

/** The same answer for every address. */
export function beginUnfreeze(
  { askedMails }: CustomersContext,
  _visit: Visit,
  { mail }: AccountBody<'unfreeze/begin'>,
): undefined {
  askedMails.ask('UNFREEZE', mail)
  return undefined
}

/** With the token of the mail, and a passkey of the same account. Rejects with `ExchangeFault`. */
export async function confirmUnfreeze(
  context: CustomersContext,
  visit: Visit,
  { token, assertion }: AccountBody<'unfreeze/confirm'>,
): Promise<undefined | AccountRefusal> {
  const { store, world } = context
  const person = await assertedPerson(context, visit, assertion)
  if (person instanceof AccountRefusal) return person
  const link = store.links.find(digestOf(token), 'UNFREEZE', world.now())
  if (link?.owner !== person.owner) return refused('LINK_INVALID', {})
  const spent = context.dayLimits.take(person.owner, 'unfreezes')
  if (spent !== undefined) return spent
  store.links.remove(person.owner, 'UNFREEZE')
  await unfreeze(context, person, visit.origin)
  return undefined
}

/**
 * Lifts the freeze: the time until which withdrawals are blocked is stored first, then journaled. A kill in
 * between leaves the account frozen.
 */
export async function unfreeze(
  context: CustomersContext,
  person: Person,
  origin: Origin,
  operator?: OfOperator,
): Promise<void> {
  await context.turns.take(person.owner, () =>
    lift(context, person, operator === undefined ? origin : { ...origin, operator }),
  )
}

async function lift(context: CustomersContext, person: Person, details: TrailDetails): Promise<void> {
  const { store, world, exchange } = context
  const { owner, account } = person
  store.links.rest(owner, world.now() + REST_MS)
  await exchange.restrict(account, { added: ['WITHDRAW'], removed: ['TRADE', 'LOGIN'] })
  store.atOnce(() => {
    store.records.note(owner, 'UNFROZEN', details, world.now())
    addSecurityMail(context, person, 'UNFROZEN')
  })
}
