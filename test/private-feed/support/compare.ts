/** Compares the state of a follower of the private feed with HTTP for the same account. */
import { expect } from 'bun:test'
import type { FeedFollower } from './follower.ts'

/** The body of an answer to the account: a path under `/api/v3/` and its parameters. */
// biome-ignore lint/suspicious/noExplicitAny: what a server sends is looked at as it is
export type Read = (path: string, fields: Record<string, string>) => Promise<any>

/** All pages of a list over HTTP, newest first. */
export async function list(read: Read, path: string, name: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let before: string | undefined; ; ) {
    const { data } = await read(path, before === undefined ? {} : { before })
    all.push(...data[name])
    before = data.next
    if (before === undefined) return all
  }
}

export async function expectSameAsHttp(read: Read, follower: FeedFollower): Promise<void> {
  expect(follower.fills.toReversed()).toEqual(await list(read, 'myTrades', 'fills'))
  const orders = await list(read, 'allOrders', 'orders')
  expect([...follower.orderById.keys()].sort()).toEqual(orders.map(({ id }) => id).sort())
  for (const order of orders) expect(follower.orderById.get(order.id)).toEqual(order)
  const { data } = await read('wallet/balance', {})
  for (const { asset, free, locked, freeze, savings } of data.acc.Spot.assetAccs) {
    expect(follower.balanceByAsset.get(asset)).toEqual({ asset, free, locked, freeze, savings })
  }
  const lastByCommand = new Map<string, string>()
  for (const entry of await list(read, 'account/ledger', 'entries')) {
    if (entry.wallet !== 'SPOT') continue
    const key = `${String(entry.id).split('-')[0]} ${entry.asset}`
    if (!lastByCommand.has(key)) lastByCommand.set(key, String(entry.balance))
  }
  for (const [key, balance] of lastByCommand) {
    const told = follower.told.get(key)
    // Events before the start of the feed are in no message.
    if (told === undefined) continue
    expect([key, units(told.free) + units(told.locked) + units(told.freeze)]).toEqual([key, units(balance)])
  }
}

function units(text: unknown): bigint {
  const [whole = '', part = ''] = String(text).split('.')
  return BigInt(whole + part.padEnd(8, '0'))
}
