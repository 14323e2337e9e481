/**
 * Compares the store with the exchange's journal. A person's change is stored together with the number that
 * the journal is to reach, then journaled, then answered. At a start both are compared before any request is
 * answered: an erasure and a freeze are carried out, and where the journal has more changes than the store,
 * the store is an older copy, and that person's sessions, keys and passkeys are void.
 */
import type { CustomersContext } from '../customers-context.ts'
import { forEachPerson } from '../for-each-person.ts'
import { storeFreeze } from '../freezes/freeze.ts'
import type { CustomerMark } from '../ports.ts'
import { NOWHERE } from '../sessions/origin.ts'

type Parts = Pick<CustomersContext, 'store' | 'exchange'>
type Comparing = Parts & Pick<CustomersContext, 'world'>

/** Journals one person's stored changes. Rejects with `ExchangeFault`. */
export async function journalChanges({ store, exchange }: Parts, owner: string): Promise<void> {
  for (let [wanted] = store.marks.wanted(owner); wanted !== undefined; [wanted] = store.marks.wanted(owner))
    store.marks.reached(owner, await exchange.raiseEpoch(wanted.account, wanted.epoch + 1))
}

/** Journals the stored changes of all persons. Rejects like `forEachPerson`. */
export async function journalAllChanges(parts: Parts): Promise<void> {
  await forEachPerson(parts.store.marks.wanted(), ({ owner }) => journalChanges(parts, owner))
}

export type Compared = {
  /** Persons erased now because of the journal. */
  readonly erased: number
  /** Accounts whose data here is older than the journal. */
  readonly old: readonly string[]
  /** Accounts that are not in the store. */
  readonly unknown: readonly string[]
}

/** Called before any request is answered. Rejects with `ExchangeFault`. */
export async function compareWithJournal(context: Comparing): Promise<Compared> {
  const { store, exchange, world } = context
  const askedMs = world.now()
  const [old, unknown]: [string[], string[]] = [[], []]
  let erased = 0
  let after: number | undefined
  do {
    const { marks, next } = await exchange.marks(after)
    for (const mark of marks) {
      const outcome = compare(store, mark)
      if (outcome === 'SAME' && mark.isFrozen) finishFreeze(context, mark, askedMs)
      if (outcome === 'ERASED') erased++
      if (outcome === 'OLD') old.push(mark.account)
      if (outcome === 'UNKNOWN') unknown.push(mark.account)
    }
    after = next
  } while (after !== undefined)
  return { erased, old, unknown: await stillUnknown(context, unknown) }
}

function compare(
  store: CustomersContext['store'],
  { account, epoch, isForgotten }: CustomerMark,
): 'SAME' | 'ERASED' | 'OLD' | 'UNKNOWN' {
  if (isForgotten) return compareForgotten(store, account)
  return store.atOnce(() => compareNumber(store, { account, epoch }))
}

/** The persons whom no other process has erased since: an erasure would be in the journal by now. */
async function stillUnknown(
  { store, exchange }: Parts,
  accounts: readonly string[],
): Promise<readonly string[]> {
  if (accounts.length === 0) return accounts
  const unknown = new Set(accounts)
  let after: number | undefined
  do {
    const { marks, next } = await exchange.marks(after)
    for (const { account, isForgotten } of marks)
      if (isForgotten || store.people.byAccount(account) !== undefined) unknown.delete(account)
    after = next
  } while (after !== undefined)
  return [...unknown]
}

function compareForgotten(store: CustomersContext['store'], account: string): 'SAME' | 'ERASED' {
  const person = store.people.byAccount(account)
  if (person === undefined) return 'SAME'
  store.erase(person)
  return 'ERASED'
}

function compareNumber(
  store: CustomersContext['store'],
  { account, epoch }: Pick<CustomerMark, 'account' | 'epoch'>,
): 'SAME' | 'UNKNOWN' | 'OLD' {
  const person = store.people.byAccount(account)
  const mark = store.marks.of(account)
  if (person === undefined || mark === undefined) return 'UNKNOWN'
  if (epoch <= (mark.wanted_epoch ?? mark.epoch)) {
    // The answer to a change that is stored here was lost.
    if (epoch > mark.epoch) store.marks.reached(person.owner, epoch)
    return 'SAME'
  }
  store.marks.makeOld(person.owner)
  for (const session of store.sessions.of(person.owner)) store.sessions.end(session)
  return 'OLD'
}

/**
 * Completes a freeze when the process ended between the freeze in the journal and the end of the sessions.
 */
function finishFreeze(context: Comparing, { account }: CustomerMark, askedMs: number): void {
  const { store } = context
  const person = store.people.byAccount(account)
  if (person === undefined) return
  store.atOnce(() => {
    // Sessions that began later did so after another process had lifted the freeze.
    const isOpen = store.sessions
      .of(person.owner)
      .some((each) => each.level === 'SESSION' && each.created_ms < askedMs)
    if (isOpen) storeFreeze(context, person, NOWHERE)
  })
}
