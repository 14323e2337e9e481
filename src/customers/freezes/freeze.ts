/**
 * A freeze by the person (docs/customers.md#freeze): no trading, no withdrawals, no keys, no sessions. The
 * restrictions of source CUSTOMER are journaled before anything changes here.
 */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import { ACCOUNT_RESTRICTIONS } from '../../units/operator-enums.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { addSecurityMail } from '../mail/security-mail.ts'
import { digestOf } from '../names.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import type { Origin } from '../store/sessions.ts'

/** Freezes the account from one of its sessions. Rejects with `ExchangeFault`; a repeat then continues. */
export async function freezeOwn(
  context: CustomersContext,
  request: CustomerRequest,
): Promise<undefined | AccountRefusal> {
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  await context.turns.take(person.owner, () => freeze(context, person, request.origin))
  request.end()
  return undefined
}

/**
 * Freezes the account with the link in an email. The link can freeze again until it expires, and gives no
 * access. Rejects like `freezeOwn`.
 */
export async function freezeByLink(
  context: CustomersContext,
  request: CustomerRequest,
  { token }: AccountBody<'freeze/link'>,
): Promise<undefined | AccountRefusal> {
  const { store, world } = context
  const link = store.links.find(digestOf(token), 'FREEZE', world.now())
  const person = link === undefined ? undefined : store.people.byOwner(link.owner)
  if (person === undefined) return refused('LINK_INVALID', {})
  const isDone = await context.turns.take(person.owner, () => freeze(context, person, request.origin))
  return isDone ? undefined : refused('LINK_INVALID', {})
}

async function freeze(context: CustomersContext, person: Person, origin: Origin): Promise<boolean> {
  // The person was erased in the meantime.
  if (context.store.people.byOwner(person.owner) === undefined) return false
  await context.exchange.restrict(person.account, { added: ACCOUNT_RESTRICTIONS, removed: [] })
  storeFreeze(context, person, origin)
  await context.announcer.announceEnded()
  return true
}

/**
 * Carries out a freeze that is in the journal. The start calls it too, in case the process was killed before
 * this was done.
 */
export function storeFreeze(
  { store, world }: Pick<CustomersContext, 'store' | 'world'>,
  person: Person,
  origin: Origin,
): void {
  const { owner } = person
  store.atOnce(() => {
    for (const session of store.sessions.of(owner)) store.sessions.end(session)
    store.links.remove(owner, 'UNFREEZE')
    // Only an unfreeze starts another period without withdrawals.
    store.links.endRest(owner)
    store.records.note(owner, 'FROZEN', origin, world.now())
    addSecurityMail({ store, world }, person, 'FROZEN')
  })
}
