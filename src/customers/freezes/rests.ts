/** Ends rests of withdrawals whose time is over. */
import type { CustomersContext } from '../customers-context.ts'

/** Called now and then. Rejects with `ExchangeFault`: the next call goes on. */
export async function endRests({ store, world, exchange, turns }: CustomersContext): Promise<void> {
  for (const { owner, account } of store.links.restsOver(world.now())) {
    await turns.take(owner, async () => {
      const untilMs = store.links.restsUntil(owner)
      // A freeze has begun in between, or a later rest.
      if (untilMs === undefined || untilMs > world.now()) return
      await exchange.restrict(account, { added: [], removed: ['WITHDRAW'] })
      store.links.endRest(owner)
    })
  }
}
