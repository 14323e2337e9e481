/** Starts and ends periods in which withdrawals are blocked. */
import type { CustomersContext } from '../customers-context.ts'
import { forEachPerson } from '../for-each-person.ts'
import type { Person } from '../store/people.ts'

/**
 * Blocks withdrawals from now on; returns false if the person was erased. If the process is killed in
 * between, the block ends by itself. Rejects with `ExchangeFault`; then nothing else has changed.
 */
export async function restWithdrawals(
  { store, exchange, turns }: CustomersContext,
  { owner, account }: Pick<Person, 'owner' | 'account'>,
  untilMs: number,
): Promise<boolean> {
  return turns.take(owner, async () => {
    const isThere = store.atOnce(() => {
      if (store.people.byOwner(owner) === undefined) return false
      store.links.rest(owner, untilMs)
      return true
    })
    if (!isThere) return false
    await exchange.restrict(account, { added: ['WITHDRAW'], removed: [] })
    return true
  })
}

/** Called at intervals. Rejects with `ExchangeFault`; the next call then continues. */
export async function endRests({ store, world, exchange, turns }: CustomersContext): Promise<void> {
  await forEachPerson(store.links.restsOver(world.now()), ({ owner, account }) =>
    turns.take(owner, async () => {
      const untilMs = store.links.restsUntil(owner)
      // A freeze or a later period has begun in between.
      if (untilMs === undefined || untilMs > world.now()) return
      await exchange.restrict(account, { added: [], removed: ['WITHDRAW'] })
      store.links.endRest(owner)
    }),
  )
}
