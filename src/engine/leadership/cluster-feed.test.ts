import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import type { BatchFeed } from '../port/feed.ts'
import { type Batch, EMPTY_TAIL, JournalFault, type JournalFaultKind } from '../port/journal.ts'
import { CLAIM_NONCE_BYTES, claimBatch } from '../writer/own-batches.ts'
import { ClusterFeed } from './cluster-feed.ts'

const START = 0 as Seq
const BATCH = claimBatch(sha256, EMPTY_TAIL, { name: 'one', nonce: new Uint8Array(CLAIM_NONCE_BYTES) })

/** The feed of an engine that has none of its applied batches in memory. */
function newFeed(): ClusterFeed {
  return new ClusterFeed({ tail: EMPTY_TAIL, recentAfter: () => undefined, stateHashAt: () => undefined })
}

function sourceOf(next: () => Promise<readonly Batch[]>): BatchFeed {
  return { next, stateHash: async () => undefined, quarantined: async () => new Set() }
}

const failing = (kind: JournalFaultKind): BatchFeed =>
  sourceOf(() => Promise.reject(new JournalFault(kind, 'the connection was lost')))

test('a reader of old batches waits for the next lead when the journal of this one is lost', async () => {
  const feed = newFeed()
  feed.follow('OWN', failing('FAILED'), new Set())
  const next = feed.next(START, 1)
  await Bun.sleep(1)
  feed.pause()
  feed.follow(
    'OWN',
    sourceOf(async () => [BATCH]),
    new Set(),
  )
  expect(await next).toEqual([BATCH])
})

test('a reader of batches learns that they are damaged', async () => {
  const feed = newFeed()
  feed.follow('OWN', failing('DAMAGED'), new Set())
  expect(await feed.next(START, 1).catch((cause: unknown) => cause)).toMatchObject({ kind: 'DAMAGED' })
})
