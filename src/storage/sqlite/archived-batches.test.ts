/** Batches in two files of an archive, read as if they were rows. */
import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BlockBuilder } from '../../engine/archive/archive-block.ts'
import type { RecordedArchive } from '../../engine/archive/archived.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  following,
  sealed,
  sizeOf,
  type Tail,
} from '../../engine/port/journal.ts'
import { seq, timeMs } from '../../units/quantities.ts'
import { ArchiveFile } from '../files/archive-file.ts'
import { ArchiveWriter } from '../files/archive-writer.ts'
import { sha256 } from '../sha256.ts'
import { ARCHIVE_DIRECTORY, ArchivedBatches } from './archived-batches.ts'

const opened: { close(): void }[] = []
const directories: string[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

/** Writes `count` batches of one command each after `begin`, in one block of a file. */
async function archiveOf(directory: string, name: string, begin: Tail, count: number) {
  const block = new BlockBuilder(begin)
  const batches: Batch[] = []
  let tail = begin
  for (let i = 0; i < count; i++) {
    const head = { ...following(tail), epoch: 1, kind: 'COMMANDS' as const, count: 1 }
    const batch = sealed(sha256, { ...head, time: timeMs(1), data: new Uint8Array([i]) })
    block.add(batch)
    batches.push(batch)
    tail = endOf(batch)
  }
  const end = block.tail
  const writer = new ArchiveWriter(path.join(directory, `${name}.tmp`))
  const blocks = [{ ...(await writer.add(block.take())), end }]
  const firstHash = (batches[0] as Batch).hash
  const ends = { begin, end, firstHash, confirmedSeq: end.seq }
  const state = new Uint8Array([1])
  const rest = { quarantined: [], blocks, stateHash: sha256([state]), state: [await writer.add(state)] }
  writer.finish({ ...ends, ...rest }, path.join(directory, name))
  const file = ArchiveFile.open(path.join(directory, name))
  const { digest } = file
  file.close()
  const archive: RecordedArchive = { after: begin, end, firstHash, digest, bytes: 0, file: name }
  return { archive, batches, tail }
}

async function twoArchives() {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-archived-'))
  directories.push(directory)
  const first = await archiveOf(directory, 'first.archive', EMPTY_TAIL, 3)
  const second = await archiveOf(directory, 'second.archive', first.tail, 3)
  const reader = new ArchivedBatches(directory)
  opened.push(reader)
  const batches = [...first.batches, ...second.batches]
  return { directory, reader, archives: [first.archive, second.archive], batches }
}

const numbers = (batches: readonly Batch[]) => batches.map(({ firstSeq }) => Number(firstSeq))

test('archived batches are read from the file that contains them, whichever was read before', async () => {
  const { reader, archives, batches } = await twoArchives()
  for (const after of [0, 3, 0, 5, 2, 4, 1])
    expect(numbers(reader.read(archives, seq(after), 1_000_000))).toEqual(
      [1, 2, 3, 4, 5, 6].filter((number) => number > after && number <= (after < 3 ? 3 : 6)),
    )
  for (const { firstSeq, hash } of [...batches, ...batches.toReversed()])
    expect(reader.hashAt(archives, firstSeq)).toEqual(hash)
  expect(reader.read(archives, seq(6), 1_000_000)).toEqual([])
})

test('no more archived batches are read at once than the requested bytes, and at least one', async () => {
  const { reader, archives, batches } = await twoArchives()
  const bytes = sizeOf(batches[0] as Batch)
  const counts = [0, bytes, 2 * bytes - 1, 2 * bytes, 1_000_000].map(
    (most) => reader.read(archives, seq(0), most).length,
  )
  expect(counts).toEqual([1, 1, 1, 2, 3])
})

test('an archive that was moved is read from the archive directory of the data directory', async () => {
  const { directory, reader, archives } = await twoArchives()
  const beside = path.join(directory, ARCHIVE_DIRECTORY)
  mkdirSync(beside)
  renameSync(path.join(directory, 'first.archive'), path.join(beside, 'first.archive'))
  expect(numbers(reader.read(archives, seq(0), 1_000_000))).toEqual([1, 2, 3])
})

test('another file under the name of an archive is damage, and nothing of it is read', async () => {
  const { directory, reader, archives } = await twoArchives()
  renameSync(path.join(directory, 'second.archive'), path.join(directory, 'first.archive'))
  expect(() => reader.read(archives, seq(0), 1_000_000)).toThrow('it is another file')
})
