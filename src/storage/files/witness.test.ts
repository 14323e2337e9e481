import { afterAll, expect, test } from 'bun:test'
import {
  existsSync,
  fsyncSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JournalPosition } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { sha256 } from '../sha256.ts'
import { FileWitness } from './witness.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-witness-'))
afterAll(() => rmSync(root, { recursive: true }))

let files = 0
function newPath(): string {
  return join(root, `${++files}`)
}

function mark(seq: number): JournalPosition {
  return { position: seq + 1, epoch: 3, seq: seq as Seq, hash: new Uint8Array(32).fill(seq % 256) }
}

function recalled(path: string) {
  const witness = new FileWitness(path, sha256)
  const testimony = witness.recall()
  witness.close()
  return testimony
}

/** A witness file that has recorded `seqs` after a reset at 0. */
function recorded(...seqs: number[]): string {
  const path = newPath()
  const witness = new FileWitness(path, sha256)
  witness.reset(mark(0))
  for (const seq of seqs) witness.record(mark(seq))
  witness.close()
  return path
}

test('without a file there is no recorded position, and reading creates none', () => {
  const path = newPath()
  expect(recalled(path)).toEqual({ kind: 'NONE' })
  expect(recalled(path)).toEqual({ kind: 'NONE' })
})

test('the newest position is recalled, beyond 32 bits as well', () => {
  for (const seqs of [[1], [1, 2], [1, 2, 3], [5, 2 ** 33 + 7]]) {
    expect(recalled(recorded(...seqs))).toEqual({
      kind: 'MARK',
      mark: mark(seqs.at(-1) as number),
      damage: undefined,
    })
  }
})

test('a first file is put in place as a whole, also after a kill that left half of one', () => {
  const path = newPath()
  writeFileSync(`${path}.tmp`, 'half a file')
  const witness = new FileWitness(path, sha256)
  expect(witness.recall()).toEqual({ kind: 'NONE' })
  witness.reset(mark(9))
  witness.close()
  expect(recalled(path)).toEqual({ kind: 'MARK', mark: mark(9), damage: undefined })
  expect(existsSync(`${path}.tmp`)).toBe(false)
})

test('a reset of an existing file needs no space: it stays the same file', () => {
  const path = recorded(1, 2)
  const { ino } = statSync(path)
  const witness = new FileWitness(path, sha256)
  witness.reset(mark(9))
  witness.close()
  expect(recalled(path)).toEqual({ kind: 'MARK', mark: mark(9), damage: undefined })
  expect(statSync(path).ino).toBe(ino)
})

test('a reopened witness continues in the older slot', () => {
  const path = recorded(1, 2, 3)
  const witness = new FileWitness(path, sha256)
  witness.recall()
  witness.record(mark(4))
  witness.close()
  const bytes = readFileSync(path)
  expect(recalled(path)).toMatchObject({ mark: mark(4) })
  bytes.fill(0, 65_536) // the second slot, which holds 4
  writeFileSync(path, bytes)
  expect(recalled(path)).toMatchObject({ mark: mark(3) })
})

test('every damaged byte is found, and the other slot remains valid', () => {
  const path = recorded(1, 2)
  const whole = readFileSync(path)
  for (let slot = 0; slot < 2; slot++) {
    for (let at = 0; at < 100; at++) {
      const bytes = Buffer.from(whole)
      const offset = slot * 65_536 + at
      bytes[offset] = (bytes[offset] as number) ^ (1 << (at % 8))
      writeFileSync(path, bytes)
      const testimony = recalled(path)
      if (testimony.kind !== 'MARK') throw new Error(`expected a mark, found ${testimony.kind}`)
      expect(testimony.damage).toContain(`slot ${slot}`)
      expect([1, 2]).toContain(testimony.mark.seq)
    }
  }
})

test('a completely unreadable file says so', () => {
  const path = recorded(1, 2)
  writeFileSync(path, new Uint8Array(100))
  expect(recalled(path).kind).toBe('UNREADABLE')
  writeFileSync(path, new Uint8Array(0))
  expect(recalled(path).kind).toBe('UNREADABLE')
})

test('a reset drops everything before and repairs both slots', () => {
  const path = recorded(1, 2, 3)
  const witness = new FileWitness(path, sha256)
  witness.reset(mark(1))
  witness.close()
  expect(recalled(path)).toEqual({ kind: 'MARK', mark: mark(1), damage: undefined })
})

test('a reset writes each slot to the disk before it touches the other, and both before it returns', () => {
  const path = recorded(1, 2)
  const [first, second] = [readFileSync(path).subarray(0, 100), readFileSync(path).subarray(65_536)]
  const changedAtSync: boolean[][] = []
  const witness = new FileWitness(path, sha256, (fd) => {
    const bytes = readFileSync(path)
    changedAtSync.push([!bytes.subarray(0, 100).equals(first), !bytes.subarray(65_536).equals(second)])
    fsyncSync(fd)
  })
  witness.reset(mark(9))
  expect(changedAtSync).toEqual([
    [true, false],
    [true, true],
  ])
  witness.close()
})

test('one damaged slot leaves the other as the position, and the next record repairs the damaged one', () => {
  for (const [slot, left] of [
    [0, 2],
    [1, 1],
  ] as const) {
    // After a reset at 0, command 1 is recorded in slot 0 and command 2 in slot 1.
    const path = recorded(1, 2)
    const bytes = readFileSync(path)
    bytes.fill(0, slot * 65_536, slot * 65_536 + 100)
    writeFileSync(path, bytes)
    const witness = new FileWitness(path, sha256)
    expect(witness.recall()).toEqual({
      kind: 'MARK',
      mark: mark(left),
      damage: `the checksum of slot ${slot} of ${path} is wrong`,
    })
    witness.record(mark(3))
    witness.close()
    expect(recalled(path)).toEqual({ kind: 'MARK', mark: mark(3), damage: undefined })
  }
})

test('a slot that a running node is writing is read again, and is not damage once it is complete', () => {
  const path = recorded(1, 2)
  const whole = readFileSync(path)
  const torn = Buffer.from(whole)
  torn.fill(0, 40, 60)
  for (const [isWholeAfter, damage] of [
    [1, undefined],
    [2, undefined],
    [3, `the checksum of slot 0 of ${path} is wrong`],
  ] as const) {
    writeFileSync(path, torn)
    let pauses = 0
    const pause = () => {
      if (++pauses === isWholeAfter) writeFileSync(path, whole)
    }
    const witness = new FileWitness(path, sha256, fsyncSync, pause)
    expect([isWholeAfter, witness.recall()]).toEqual([isWholeAfter, { kind: 'MARK', mark: mark(2), damage }])
    expect(pauses).toBe(Math.min(2, isWholeAfter))
    witness.close()
  }
})

test('a witness with both slots damaged remembers nothing, and says so', () => {
  const path = recorded(1, 2)
  const bytes = readFileSync(path)
  for (const slot of [0, 1]) bytes[slot * 65_536 + 20] = 0xff
  writeFileSync(path, bytes)
  expect(recalled(path)).toEqual({
    kind: 'UNREADABLE',
    damage: `the checksums of both slots of ${path} are wrong`,
  })
})

test('a full disk keeps a position from being written, and ends nothing; any other fault is thrown', () => {
  const path = newPath()
  symlinkSync('/dev/full', path)
  const witness = new FileWitness(path, sha256)
  expect(() => witness.record(mark(1))).not.toThrow()
  expect(() => new FileWitness(join(root, 'gone', 'witness'), sha256).record(mark(1))).toThrow(
    'cannot write the witness file',
  )
})
