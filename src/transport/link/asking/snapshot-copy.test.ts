/** Copies of snapshots from another process, which may be any process that has the secret. */
import { expect, test } from 'bun:test'
import type { SnapshotHead, SnapshotPieces } from '../../../engine/port/snapshots.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { seq, type TimeMs } from '../../../units/quantities.ts'
import { copySnapshot } from './snapshot-copy.ts'

const PAYLOAD = new Uint8Array([1, 2, 3])
const HEAD: SnapshotHead = {
  ...{ position: 1, epoch: 0, seq: seq(7), time: 1 as TimeMs },
  ...{ journalHash: new Uint8Array(32), stateHash: sha256([PAYLOAD]) },
}

/** The result of the copy, and the number of requests to its source. */
async function copyOf(payloadBytes: number, piece: SnapshotPieces['piece'], bytesMax?: number) {
  const asked = { newest: 0, piece: 0 }
  const source: SnapshotPieces = {
    newest: async () => {
      asked.newest++
      return { head: HEAD, payloadBytes }
    },
    piece: (...place) => {
      asked.piece++
      return piece(...place)
    },
  }
  const copy = await copySnapshot(source, bytesMax).catch((cause: unknown) => (cause as Error).message)
  return { copy: typeof copy === 'string' ? copy : copy?.payload, asked }
}

test('a snapshot above the size limit is not requested, and the limit is named', async () => {
  const piece: SnapshotPieces['piece'] = async () => PAYLOAD
  const { copy, asked } = await copyOf(PAYLOAD.length, piece, PAYLOAD.length - 1)
  expect(copy).toBe('no snapshot could be copied: snapshot 7 has 3 bytes, expected at most 2')
  expect(asked.piece).toBe(0)
  expect((await copyOf(PAYLOAD.length, piece, PAYLOAD.length)).copy).toEqual(PAYLOAD)
})

test('a piece that is longer than what is missing is not accepted, and the copy is given up after a few tries', async () => {
  const { copy, asked } = await copyOf(PAYLOAD.length, async () => new Uint8Array(PAYLOAD.length + 1))
  expect(copy).toBe('no snapshot could be copied: snapshot 7 does not match its header')
  expect(asked.newest).toBeGreaterThan(1)
  expect(asked.newest).toBeLessThan(10)
})

test('pieces that are shorter than requested still make the whole snapshot', async () => {
  const byteAt: SnapshotPieces['piece'] = async (_head, offset) => PAYLOAD.slice(offset, offset + 1)
  expect((await copyOf(PAYLOAD.length, byteAt)).copy).toEqual(PAYLOAD)
})
