/**
 * Paged lists (docs/reference/orders.md#paged-lists), read page by page on demand, and never more than
 * one page ahead.
 */
import type { BourseClient } from './client.ts'
import type { CallOptions } from './http/caller.ts'
import type { LedgerEntry } from './interface/answers.ts'
import type { Fill, Order } from './interface/orders.ts'
import type {
  AccountLedgerParameters,
  AllOrdersParameters,
  MyTradesParameters,
} from './interface/parameters.ts'

/** `limit` is the size of a page. `before` and `from` set the ends of a list. */
export type PageOptions = CallOptions & {
  /** Maximum number of elements; all by default. */
  readonly elementsMax?: number | undefined
}

type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | undefined }

/** Every fill, newest first. */
export function eachTrade(
  client: Pick<BourseClient, 'myTrades'>,
  parameters: MyTradesParameters = {},
  options: PageOptions = {},
): AsyncGenerator<Fill> {
  const page = async (before: string | undefined) => {
    const { fills, next } = await client.myTrades(
      { ...parameters, before: before ?? parameters.before },
      options,
    )
    return { rows: fills, next }
  }
  return each(page, options)
}

/** Every order that was placed, newest first. */
export function eachOrder(
  client: Pick<BourseClient, 'allOrders'>,
  parameters: AllOrdersParameters = {},
  options: PageOptions = {},
): AsyncGenerator<Order> {
  const page = async (before: string | undefined) => {
    const { orders, next } = await client.allOrders(
      { ...parameters, before: before ?? parameters.before },
      options,
    )
    return { rows: orders, next }
  }
  return each(page, options)
}

/** Every change of the balances, newest first. */
export function eachLedgerEntry(
  client: Pick<BourseClient, 'accountLedger'>,
  parameters: Omit<AccountLedgerParameters, 'format'> = {},
  options: PageOptions = {},
): AsyncGenerator<LedgerEntry> {
  const page = async (before: string | undefined) => {
    const asked = { ...parameters, before: before ?? parameters.before }
    const { entries, next } = await client.accountLedger(asked, options)
    return { rows: entries, next }
  }
  return each(page, options)
}

async function* each<Row>(
  page: (before: string | undefined) => Promise<Page<Row>>,
  { elementsMax = Number.POSITIVE_INFINITY }: PageOptions,
): AsyncGenerator<Row> {
  let left = elementsMax
  let before: string | undefined
  while (left > 0) {
    const { rows, next } = await page(before)
    for (const row of rows.slice(0, left)) {
      left--
      yield row
    }
    if (next === undefined) return
    before = next
  }
}
