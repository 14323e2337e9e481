import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MemorySnapshots } from '../../../../sim/memory/snapshots.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  hexOf,
  type JournalPosition,
  lastSeqOf,
  type RememberedPlace,
} from '../../../engine/port/journal.ts'
import { CLAIM_NONCE_BYTES, claimBatch } from '../../../engine/writer/own-batches.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { LinkServer } from '../../../transport/link/serving/link-server.ts'
import type { Seq } from '../../../units/quantities.ts'
import { checkTakeover } from './takeover-check.ts'

const SECRET = 'a shared secret of at least 32 characters'
const directory = mkdtempSync(path.join(tmpdir(), 'bourse-takeover-'))
const socketPath = path.join(directory, 'node.sock')
const nonce = (fill: number): Uint8Array => new Uint8Array(CLAIM_NONCE_BYTES).fill(fill)
const first = claimBatch(sha256, EMPTY_TAIL, { name: 'first', nonce: nonce(1) })
const second = claimBatch(sha256, endOf(first), { name: 'second', nonce: nonce(2) })
const other = claimBatch(sha256, EMPTY_TAIL, { name: 'other', nonce: nonce(3) })

let server: LinkServer | undefined
afterEach(async () => {
  await server?.stop()
  rmSync(socketPath, { force: true })
})

/**
 * The result for a node with the journal `own`, when another node has these batches and reports `confirmed`
 * as its end; and the message to that other node.
 */
async function met(own: readonly Batch[], batches: readonly Batch[], confirmed?: JournalPosition) {
  const told: RememberedPlace[] = []
  const [begin, end] = [batches[0] as Batch, confirmed ?? endOf(batches.at(-1) as Batch)]
  const next = async (afterSeq: Seq) => batches.filter((batch) => lastSeqOf(batch) > afterSeq)
  const feed = { next, stateHash: async () => undefined, quarantined: async () => new Set<Seq>() }
  server = new LinkServer({
    listen: { socketPath },
    secrets: [SECRET],
    onRemembered: (remembered) => told.push(remembered),
    services: {
      ...{
        kind: 'node',
        journal: hexOf(begin.hash),
        name: 'other',
        epoch: end.epoch,
        clock: () => undefined,
      },
      confirmed: () => end,
      replicas: { feed, snapshots: new MemorySnapshots() },
    },
  })
  const [oldest, newest] = [own[0] as Batch, own.at(-1) as Batch]
  const ownJournal = { name: 'own', secret: SECRET, end: endOf(newest), firstHash: oldest.hash }
  return { takeover: await checkTakeover({ socketPath }, ownJournal), told }
}

test('a node whose journal continues in a later epoch elsewhere is superseded by a peer that shows the batch', async () => {
  const { takeover, told } = await met([first], [first, second])
  expect([takeover.kind, told]).toEqual(['NEWER', []])
})

test('a later epoch that is claimed without its batch supersedes no node', async () => {
  for (const said of [
    { ...endOf(first), epoch: 1_000_000 },
    { ...endOf(second), epoch: 1_000_000 },
    { ...endOf(second), hash: new Uint8Array(32).fill(9), epoch: 7, seq: 9 as Seq },
  ]) {
    const { takeover } = await met([first], [first, second], said)
    expect(takeover).toEqual({
      kind: 'UNREACHABLE',
      problem: `other reports that epoch ${said.epoch} has begun, but has no batch of that epoch`,
    })
    await server?.stop()
    rmSync(socketPath, { force: true })
  }
})

test('a node of an earlier epoch is told the later one and its journal; one of another exchange is told nothing', async () => {
  const { takeover, told } = await met([first, second], [first])
  expect(takeover.kind).toBe('OLDER')
  expect(told).toMatchObject([{ epoch: second.epoch, journal: hexOf(first.hash) }])
  await server?.stop()
  rmSync(socketPath, { force: true })
  const stranger = await met([first, second], [other])
  expect([stranger.takeover.kind, stranger.told]).toEqual(['OTHER_EXCHANGE', []])
})
