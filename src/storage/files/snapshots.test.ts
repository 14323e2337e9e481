import { afterAll, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import type { Snapshot, SnapshotStore } from '../../engine/port/snapshots.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { sha256 } from '../sha256.ts'
import { SnapshotFiles } from './snapshots.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-snapshots-'))
afterAll(() => rmSync(root, { recursive: true }))

let directories = 0
function newDirectory(): string {
  return join(root, `${++directories}`, 'snapshots')
}

function snapshot(seq: number): Snapshot {
  const payload = new Uint8Array(300).fill(seq)
  const journalHash = new Uint8Array(32).fill(seq + 1)
  const end = { position: seq, epoch: 0, seq: seq as Seq, time: (seq * 10) as TimeMs }
  return { ...end, journalHash, stateHash: sha256([payload]), payload }
}

async function seqsOf(store: SnapshotStore): Promise<number[]> {
  return (await store.list()).heads.map(({ seq }) => seq)
}

const stores = {
  files: () => new SnapshotFiles(newDirectory(), sha256, 'test'),
  memory: () => new MemorySnapshots(),
}

for (const [name, open] of Object.entries(stores)) {
  test(`${name}: saved snapshots are listed newest first and loaded as they were`, async () => {
    const store = open()
    expect(await store.list()).toEqual({ heads: [], damaged: [] })
    await store.save(snapshot(9))
    await store.save(snapshot(10))
    const { heads, damaged } = await store.list()
    expect(damaged).toEqual([])
    expect(heads.map(({ seq }) => seq as number)).toEqual([10, 9])
    const [newest] = heads
    if (newest === undefined) throw new Error('expected a head')
    expect(await store.load(newest)).toEqual(snapshot(10))
  })

  test(`${name}: the newest three are kept`, async () => {
    const store = open()
    for (const seq of [1, 2, 3, 4, 5]) await store.save(snapshot(seq))
    expect(await seqsOf(store)).toEqual([5, 4, 3])
  })

  test(`${name}: a snapshot that was set aside is no longer listed`, async () => {
    const store = open()
    for (const seq of [1, 2]) await store.save(snapshot(seq))
    await store.setAside(snapshot(2))
    expect(await seqsOf(store)).toEqual([1])
  })

  test(`${name}: the newest is read in pieces, and a missing one has none`, async () => {
    const store = open()
    expect(await store.newest()).toBeUndefined()
    for (const seq of [1, 2]) await store.save(snapshot(seq))
    const { payload, ...head } = snapshot(2)
    expect(await store.newest()).toEqual({ head, payloadBytes: payload.length })
    expect(await store.piece(head, 290, 100)).toEqual(payload.slice(290))
    expect(await store.piece(head, 10, 20)).toEqual(payload.slice(10, 30))
    for (const seq of [3, 4, 5]) await store.save(snapshot(seq))
    expect(await store.piece(head, 0, 10)).toBeUndefined()
  })

  test(`${name}: saving the same state again changes nothing`, async () => {
    const store = open()
    await store.save(snapshot(1))
    await store.save(snapshot(1))
    expect(await store.load(snapshot(1))).toEqual(snapshot(1))
  })
}

test('every damaged byte of a snapshot file, and every cut, is found', async () => {
  const directory = newDirectory()
  const store = new SnapshotFiles(directory, sha256, 'test')
  await store.save(snapshot(3))
  const path = join(directory, '3.snapshot')
  const whole = readFileSync(path)
  const isGood = async () => {
    const { heads, damaged } = await store.list()
    const [head] = heads
    if (head === undefined) expect(damaged.map(({ name }) => name)).toEqual(['3.snapshot'])
    return head !== undefined && !('problem' in (await store.load(head)))
  }
  expect(await isGood()).toBe(true)
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] as number) ^ (1 << (at % 8))
    writeFileSync(path, bytes)
    expect(await isGood()).toBe(false)
    writeFileSync(path, whole.subarray(0, at))
    expect(await isGood()).toBe(false)
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]))
  expect(await isGood()).toBe(false)
})

test('a head is read whole where each of its numbers is as large as it can be', async () => {
  const directory = newDirectory()
  mkdirSync(directory, { recursive: true })
  const most = Number.MAX_SAFE_INTEGER
  const [journalHash, stateHash] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
    Uint8Array,
    Uint8Array,
  ]
  const head = new ByteWriter()
  head.raw(new TextEncoder().encode('BRSSNAPS'))
  head.u32(2)
  for (let number = 0; number < 5; number++) head.uint(most)
  head.raw(journalHash)
  head.raw(stateHash)
  head.raw(sha256([head.peek()]))
  writeFileSync(join(directory, `${most}.snapshot`), head.peek())
  expect(await new SnapshotFiles(directory, sha256, 'test').list()).toEqual({
    heads: [{ position: most, epoch: most, seq: most as Seq, time: most as TimeMs, journalHash, stateHash }],
    damaged: [],
  })
})

test('a snapshot that is removed between reading the directory and the file is not damage', async () => {
  const directory = newDirectory()
  const store = new SnapshotFiles(directory, sha256, 'test')
  await store.save(snapshot(5))
  // The directory lists the name, but the file does not exist.
  symlinkSync(join(directory, 'gone'), join(directory, '4.snapshot'))
  expect(await store.list()).toMatchObject({ heads: [{ seq: 5 }], damaged: [] })
})

test('a snapshot under the name of another is found', async () => {
  const directory = newDirectory()
  const store = new SnapshotFiles(directory, sha256, 'test')
  await store.save(snapshot(3))
  writeFileSync(join(directory, '4.snapshot'), readFileSync(join(directory, '3.snapshot')))
  const { heads, damaged } = await store.list()
  expect(heads.map(({ seq }) => seq as number)).toEqual([3])
  expect(damaged).toEqual([
    { name: '4.snapshot', problem: 'it is named 4 but contains the state after command 3' },
  ])
})

test('no temporary file is left behind, and leftovers of a crash are not taken for a snapshot', async () => {
  const directory = newDirectory()
  const store = new SnapshotFiles(directory, sha256, 'test')
  await store.save(snapshot(1))
  expect(readdirSync(directory)).toEqual(['1.snapshot'])
  writeFileSync(join(directory, 'crashed.tmp'), 'half a snapshot')
  expect(await store.list()).toMatchObject({ heads: [{ seq: 1 as Seq }], damaged: [] })
})
