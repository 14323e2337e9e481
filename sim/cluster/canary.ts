/** The guards of a cluster, each at its place; a canary (a deliberate bug) removes one. */

import type { LeadershipTable } from '../../src/engine/leadership/leadership-table.ts'
import type { BatchFeed } from '../../src/engine/port/feed.ts'
import type { RememberedPlace } from '../../src/engine/port/journal.ts'
import { CLAIM_NONCE_BYTES } from '../../src/engine/writer/own-batches.ts'
import type { Random } from '../world/random.ts'
import type { SimProcess } from './process.ts'
import type { Server } from './server.ts'
import { SimTable, type TableWorld } from './table.ts'

export type Guards = {
  readonly openTable: (world: TableWorld, process: SimProcess, server: Server) => Promise<LeadershipTable>
  readonly nonce: (name: string, number: number, random: Random) => Uint8Array
  /** The part of a remembered position that is presented to others. */
  readonly presented: (remembered: RememberedPlace | undefined) => RememberedPlace | undefined
  /** The feed that a leader serves to its followers. */
  readonly feed: (feed: BatchFeed) => BatchFeed
  /** Changes the program for one run; the returned function undoes it. */
  readonly change: () => () => void
}

export const ALL_GUARDS: Guards = {
  openTable: SimTable.open,
  nonce: (_name, _number, random) => {
    const bytes = new Uint8Array(CLAIM_NONCE_BYTES)
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256)
    return bytes
  },
  presented: (remembered) => remembered,
  feed: (feed) => feed,
  change: () => () => {},
}
