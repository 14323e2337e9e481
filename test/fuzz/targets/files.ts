/**
 * Files of the data directory: witness, snapshots, and the batches of the journal. Each is protected by
 * hashes, so damage is reported, and accepted contents are those that were written.
 */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFrame } from '../../../src/engine/port/frames.ts'
import {
  BATCH_KINDS,
  type Batch,
  EMPTY_TAIL,
  following,
  JournalFault,
  kindOf,
  sealed,
  verifyBatch,
} from '../../../src/engine/port/journal.ts'
import { SnapshotFiles } from '../../../src/storage/files/snapshots.ts'
import { FileWitness } from '../../../src/storage/files/witness.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import { ByteReader, ByteWriter } from '../../../src/units/bytes.ts'
import { seq, timeMs } from '../../../src/units/quantities.ts'
import { sameBytes } from '../../../src/units/typed-arrays.ts'
import { expectThat, FindingError, type Target } from '../target.ts'

const STRIDE_BYTES = 64 * 1024
const SLOT_BYTES = 8 + 4 + 3 * 8 + 32 + 32

/** `FileWitness.recall`: the input is both slots, one after the other. */
export function witness(): Target<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-fuzz-'))
  const path = join(directory, 'journal.witness')
  const [newer, older] = [6, 5].map((position) => ({
    position,
    epoch: 0,
    seq: seq(position),
    hash: sha256([Uint8Array.of(position)]),
  }))
  const written = new FileWitness(path, sha256)
  if (newer === undefined || older === undefined) throw new Error('there are two positions')
  written.reset(older)
  written.record(newer)
  written.close()
  const intact = slotsOf(path)
  /** The positions by their slots. */
  const positions = [newer, older]
  const fd = openSync(path, 'r+')
  return {
    name: 'witness',
    executions: 15_000,
    samples: [intact],
    tokens: [new Uint8Array(32), intact.subarray(0, SLOT_BYTES)],
    check: (bytes) => {
      const slots = [0, 1].map((slot) => padded(bytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES)))
      slots.forEach((slot, at) => void writeSync(fd, slot, 0, SLOT_BYTES, at * STRIDE_BYTES))
      const reader = new FileWitness(path, sha256)
      const recorded = reader.recall()
      reader.close()
      const sound = slots.flatMap((slot) =>
        positions.filter((_, at) => sameBytes(slot, intact.subarray(at * SLOT_BYTES, (at + 1) * SLOT_BYTES))),
      )
      const newest = sound.sort((a, b) => b.seq - a.seq)[0]
      if (recorded.kind !== 'MARK') {
        expectThat(
          recorded.kind === 'UNREADABLE' && newest === undefined,
          () => `${recorded.kind} with a sound slot`,
        )
        return recorded.kind
      }
      expectThat(
        newest !== undefined &&
          recorded.mark.seq === newest.seq &&
          sameBytes(recorded.mark.hash, newest.hash),
        () => `a mark at ${recorded.mark.seq} that nobody wrote`,
      )
      expectThat((recorded.damage === undefined) === (sound.length === 2), () => `damage: ${recorded.damage}`)
      return recorded.damage === undefined ? 'MARK' : 'MARK, one slot damaged'
    },
    outcomes: ['MARK', 'MARK, one slot damaged', 'UNREADABLE'],
    close: () => {
      closeSync(fd)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(SLOT_BYTES)
  whole.set(bytes)
  return whole
}

function slotsOf(path: string): Uint8Array {
  const file = new Uint8Array(readFileSync(path))
  return new Uint8Array(
    Buffer.concat([file.subarray(0, SLOT_BYTES), file.subarray(STRIDE_BYTES, STRIDE_BYTES + SLOT_BYTES)]),
  )
}

/** `SnapshotFiles.list` and `load`. */
export async function snapshotFile(): Promise<Target<Uint8Array>> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-fuzz-'))
  mkdirSync(join(directory, 's'))
  const store = new SnapshotFiles(join(directory, 's'), sha256, 'fuzz')
  const payload = new TextEncoder().encode('a payload that stands for a state')
  await store.save({
    position: 5,
    epoch: 0,
    seq: seq(9),
    time: timeMs(8),
    journalHash: sha256([payload]),
    stateHash: sha256([payload]),
    payload,
  })
  const path = join(directory, 's', '9.snapshot')
  const intact = new Uint8Array(await Bun.file(path).bytes())
  return {
    name: 'snapshot-file',
    executions: 8_000,
    samples: [intact],
    tokens: [new Uint8Array(32)],
    check: async (bytes) => {
      writeFileSync(path, bytes)
      const { heads, damaged } = await store.list()
      expectThat(
        heads.length + damaged.length === 1,
        () => `${heads.length} heads, ${damaged.length} damaged`,
      )
      const [head] = heads
      if (head === undefined) return 'head damaged'
      const loaded = await store.load(head)
      if ('problem' in loaded) return 'payload damaged'
      expectThat(
        sameBytes(bytes, intact) && sameBytes(loaded.payload, payload),
        () => 'a snapshot was accepted that nobody wrote',
      )
      return 'loaded'
    },
    outcomes: ['loaded', 'head damaged', 'payload damaged'],
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** `verifyBatch`: the input is a batch, field by field, as it could be read from a damaged file. */
export function journalBatch(): Target<Uint8Array> {
  const data = new ByteWriter()
  for (const name of ['alice', 'bob'])
    writeFrame(data, { kind: 'CreateAccount', operator: { actor: 'a', note: '' }, name })
  const next = { ...following(EMPTY_TAIL), kind: 'COMMANDS', count: 2, time: timeMs(7) } as const
  const intact = written(sealed(sha256, { ...next, data: data.take() }))
  return {
    name: 'journal-batch',
    executions: 40_000,
    samples: [intact],
    tokens: [new Uint8Array(32)],
    check: (bytes) => {
      let batch: Batch
      try {
        batch = read(bytes)
      } catch {
        return 'no batch'
      }
      try {
        verifyBatch(sha256, EMPTY_TAIL, batch)
      } catch (error) {
        if (error instanceof JournalFault && error.kind === 'DAMAGED') return 'DAMAGED'
        throw error
      }
      if (!sameBytes(bytes, intact)) throw new FindingError('a batch was accepted that nobody wrote')
      return 'accepted'
    },
    outcomes: ['accepted', 'DAMAGED', 'no batch'],
  }
}

function written(batch: Batch): Uint8Array {
  const writer = new ByteWriter()
  const { position, epoch, firstSeq, count, time } = batch
  for (const number of [position, epoch, BATCH_KINDS[batch.kind], firstSeq, count, time]) writer.uint(number)
  for (const bytes of [batch.previousHash, batch.hash, batch.data]) writer.bytes(bytes)
  return writer.take()
}

function read(bytes: Uint8Array): Batch {
  const reader = new ByteReader(bytes)
  const place = { position: reader.uint(), epoch: reader.uint(), kind: kindOf(reader.uint()) }
  const numbers = { firstSeq: seq(reader.uint()), count: reader.uint(), time: timeMs(reader.uint()) }
  const batch = {
    ...place,
    ...numbers,
    previousHash: reader.bytes(),
    hash: reader.bytes(),
    data: reader.bytes(),
  }
  reader.end()
  return batch
}
