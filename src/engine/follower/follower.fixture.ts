/**
 * A follower over the journal of an exchange in memory, for the follower's tests.
 */

import { MemoryHistory } from '../../../sim/memory/history.ts'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import type { HistoryStore } from '../history/history.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { limit } from '../writer/commands.fixture.ts'
import { Follower, type FollowerOptions } from './follower.ts'
import { JournaledExchange, openMarkets } from './journaled-exchange.fixture.ts'
import { DEFAULT_FOLLOWER_LIMITS } from './limits.ts'
import type { FollowerNote } from './note.ts'

export type Stores = { readonly history: HistoryStore; readonly snapshots: MemorySnapshots }

export const emptyStores = (): Stores => ({ history: new MemoryHistory(), snapshots: new MemorySnapshots() })

export type Extras = Partial<FollowerOptions> & { readonly notes?: FollowerNote[] }

export function openFollower(
  source: JournaledExchange,
  stores: Stores,
  extras: Extras = {},
): Promise<Follower> {
  const { notes, ...options } = extras
  return Follower.open({
    feed: source.feed(),
    ...stores,
    factory: ANY_EXCHANGES,
    digest: sha256,
    limits: DEFAULT_FOLLOWER_LIMITS,
    journalEnd: source.journal.tail.seq,
    acceptJournalTail: false,
    untilRetry: async () => {},
    onAdvance: () => {},
    onNote: (note) => notes?.push(note),
    ...options,
  })
}

/** Follows up to the end of the journal, or up to the end of the batch that contains `seq`. */
export async function follow(
  source: JournaledExchange,
  stores: Stores,
  extras: Extras = {},
  seq = source.journal.tail.seq,
): Promise<Seq> {
  const follower = await openFollower(source, stores, extras)
  follower.finish(seq)
  return follower.run()
}

/** A market in which two orders have matched. */
export async function someTrading(): Promise<JournaledExchange> {
  const source = new JournaledExchange()
  await source.write(openMarkets())
  await source.write([limit(3, 'SELL', 100, 5_000_000), limit(4, 'BUY', 100, 3_000_000)])
  await source.write([limit(4, 'BUY', 101, 2_000_000)])
  return source
}
