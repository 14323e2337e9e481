/** A file of an archive never replaces another, which a journal may have recorded. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BlockBuilder } from '../../engine/archive/archive-block.ts'
import { EMPTY_TAIL, following, sealed } from '../../engine/port/journal.ts'
import { timeMs } from '../../units/quantities.ts'
import { sha256 } from '../sha256.ts'
import { ArchiveFile } from './archive-file.ts'
import { ArchiveWriter } from './archive-writer.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-archive-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Writes a file of one batch; `state` makes it different from other files. */
async function write(file: string, state: Uint8Array): Promise<void> {
  const data = new Uint8Array([1, 2, 3])
  const begun = { ...following(EMPTY_TAIL), epoch: 1, kind: 'COMMANDS' as const, count: 1 }
  const batch = sealed(sha256, { ...begun, time: timeMs(1), data })
  const block = new BlockBuilder(EMPTY_TAIL)
  block.add(batch)
  const end = block.tail
  const writer = new ArchiveWriter(path.join(directory, 'one.tmp'))
  const blocks = [{ ...(await writer.add(block.take())), end }]
  const pieces = [await writer.add(state)]
  const ends = { begin: EMPTY_TAIL, end, firstHash: batch.hash, confirmedSeq: end.seq }
  const rest = { quarantined: [], blocks, stateHash: sha256([state]), state: pieces }
  writer.finish({ ...ends, ...rest }, file)
}

test('a second file of the same name is refused, and the first one stays as it is', async () => {
  const file = path.join(directory, 'journal.archive')
  await write(file, new Uint8Array([1]))
  const first = readFileSync(file)
  await expect(write(file, new Uint8Array([2]))).rejects.toThrow('already exists: another run created it')
  expect(readFileSync(file)).toEqual(first)
  expect(readdirSync(directory)).toEqual(['journal.archive'])
  const open = ArchiveFile.open(file)
  expect([open.isInPlace, [...open.state()]]).toEqual([true, [1]])
  rmSync(file)
  expect(open.isInPlace).toBe(false)
  open.close()
})
