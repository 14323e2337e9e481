/** Announces the addresses of all keys to the exchange, which keeps them in memory. */
import type { ExchangeAccess } from '../ports.ts'
import type { Store } from '../store/store.ts'

/** Maximum number of lists in one request. */
const PAGE = 40

/** Announces all lists: the exchange drops lists that are not among them. Rejects with `ExchangeFault`. */
export async function announceAddresses(
  store: Store,
  exchange: ExchangeAccess,
  nowMs: number,
): Promise<void> {
  // Must come before anything is read: the exchange then keeps the lists that other processes send from here
  // on.
  await exchange.announceAddresses([], { isFirst: true, isLast: false })
  let after = ''
  for (let isLast = false; !isLast; ) {
    const page = store.ownKeys.boundAfter(after, PAGE, nowMs)
    isLast = page.length < PAGE
    after = page.at(-1)?.api_key ?? after
    const lists = page.flatMap((row) => {
      const details = store.ownKeys.detailsOf(row)
      return details === undefined ? [] : [{ apiKey: row.api_key, addresses: details.addresses }]
    })
    await exchange.announceAddresses(lists, { isFirst: false, isLast })
  }
}
