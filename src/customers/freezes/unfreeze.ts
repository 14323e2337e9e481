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
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { Person } from '../store/people.ts'
import type { TrailDetails } from '../store/records.ts'

/** The time for which withdrawals are blocked after a freeze. */
export const REST_MS = 24 * 3_600_000

/** Returns the same answer for every address. */
export function beginUnfreeze(
  { askedMails }: CustomersContext,
  _request: CustomerRequest,
  { mail }: AccountBody<'unfreeze/begin'>,
): undefined {
  askedMails.ask('UNFREEZE', mail)
  return undefined
}

/**
 * Lifts the freeze with the token from the email and a passkey of the account. Rejects with `ExchangeFault`.
 */
export async function confirmUnfreeze(
  context: CustomersContext,
  request: CustomerRequest,
  { token, assertion }: AccountBody<'unfreeze/confirm'>,
): Promise<undefined | AccountRefusal> {
  const { store, world } = context
  const person = await assertedPerson(context, request, assertion)
  if (person instanceof AccountRefusal) return person
  const { owner } = person
  const isTheirs = () => store.links.find(digestOf(token), 'UNFREEZE', world.now())?.owner === owner
  if (!isTheirs()) return refused('LINK_INVALID', {})
  const spent = context.dayLimits.take(owner, 'unfreezes')
  if (spent !== undefined) return spent
  return context.turns.take(owner, async () => {
    // A freeze that came first has ended the link.
    const isUsed = store.atOnce(() => {
      if (!isTheirs()) return false
      store.links.remove(owner, 'UNFREEZE')
      return true
    })
    if (!isUsed) return refused('LINK_INVALID', {})
    await lift(context, person, request.origin)
    return undefined
  })
}

/**
 * Lifts the freeze, in a turn of the person: the time until which withdrawals are blocked is stored first,
 * then journaled. A kill in between leaves the account frozen.
 */
export async function lift(context: CustomersContext, person: Person, details: TrailDetails): Promise<void> {
  const { store, world, exchange } = context
  const { owner, account } = person
  store.links.rest(owner, world.now() + REST_MS)
  await exchange.restrict(account, { added: ['WITHDRAW'], removed: ['TRADE', 'LOGIN'] })
  store.atOnce(() => {
    store.records.note(owner, 'UNFROZEN', details, world.now())
    addSecurityMail(context, person, 'UNFROZEN')
  })
}
