import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { type Batch, EMPTY_TAIL, endOf, following, lastSeqOf, sealed, type Tail } from '../port/journal.ts'
import { claimBatch } from '../writer/own-batches.ts'
import { relationOf, type ShownJournal, showsPlace } from './journal-relation.ts'

/** A batch of one command, of which only the chain is checked. */
function after(tail: Tail, content: number): Batch {
  const data = new Uint8Array([content])
  return sealed(sha256, { ...following(tail), kind: 'COMMANDS', count: 1, time: 1 as TimeMs, data })
}

function journalOf(...contents: number[]): Batch[] {
  const batches: Batch[] = []
  for (const content of contents) batches.push(after(endAt(batches), content))
  return batches
}

function endAt(batches: readonly Batch[]): Tail {
  const last = batches.at(-1)
  return last === undefined ? EMPTY_TAIL : endOf(last)
}

function shown(batches: readonly Batch[]): ShownJournal {
  const next = async (afterSeq: Seq) => batches.filter((batch) => lastSeqOf(batch) > afterSeq)
  return { confirmed: endAt(batches), feed: { next } }
}

function standing(ours: readonly Batch[], theirs: readonly Batch[]) {
  return relationOf({ remembered: endAt(ours), firstHash: ours[0]?.hash }, shown(theirs))
}

function promoted(batches: readonly Batch[]): Batch[] {
  return [...batches, claimBatch(sha256, endAt(batches), { name: 'operator', nonce: new Uint8Array(16) })]
}

test('an empty directory and the beginning of the same journal follow a node', async () => {
  const node = journalOf(1, 2, 3)
  for (const ours of [[], journalOf(1), journalOf(1, 2, 3)])
    expect((await standing(ours, node)).kind).toBe('FITS')
})

test('a promoted standby’s new batches are followed by the node that it took over from, up to where both agree', async () => {
  expect((await standing(journalOf(1, 2), promoted(journalOf(1, 2)))).kind).toBe('FITS')
})

for (const [what, kind, ours, theirs] of [
  ['another exchange', 'OTHER_EXCHANGE', journalOf(9), journalOf(1, 2)],
  ['more than the node', 'AHEAD', journalOf(1, 2, 3), journalOf(1, 2)],
  ['commands that the node lacks in the middle', 'FORKED', journalOf(1, 8), journalOf(1, 2, 3)],
  ['a later epoch', 'NEWER_EPOCH', promoted(journalOf(1, 2)), journalOf(1, 2, 3, 4)],
  ['what an old node had not shipped', 'FORKED', journalOf(1, 2, 7), promoted(journalOf(1, 2))],
] as const) {
  test(`a directory that has ${what} is refused as ${kind}, with both ends`, async () => {
    const found = await standing(ours, theirs)
    expect(found.kind).toBe(kind)
    for (const batches of [ours, theirs])
      expect('problem' in found && found.problem).toContain(`ends with command ${endAt(batches).seq} at`)
  })
}

test('a position is proved by the batch that ends there, and by nothing that is only claimed', async () => {
  const node = promoted(journalOf(1, 2))
  const { feed, confirmed } = shown(node)
  expect(await showsPlace(feed, confirmed)).toBe(true)
  for (const said of [
    { ...confirmed, epoch: confirmed.epoch + 1 },
    { ...confirmed, position: confirmed.position + 1 },
    { ...confirmed, hash: new Uint8Array(32).fill(9) },
    { ...confirmed, seq: (confirmed.seq + 1) as Seq },
    { ...confirmed, seq: (confirmed.seq - 1) as Seq },
  ])
    expect(await showsPlace(feed, said)).toBe(false)
})
