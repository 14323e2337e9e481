/**
 * Snapshots as files `<seq>.snapshot` in their own directory, each written completely or not at all. A file
 * is a header with its own checksum and then the payload, whose SHA-256 is the state hash.
 *
 * Header: 8 bytes of magic, format version (u32), position, epoch, seq, time and payload length (LEB128
 * each), journal hash (32), state hash (32), SHA-256 of these (32).
 */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Digest, HASH_BYTES } from '../../engine/port/journal.ts'
import {
  type DamagedSnapshot,
  SNAPSHOTS_KEPT,
  type Snapshot,
  type SnapshotHead,
  type SnapshotListing,
  type SnapshotPieces,
  type SnapshotStore,
  type SnapshotToCopy,
} from '../../engine/port/snapshots.ts'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { ensureDirectory, fileFault, syncDirectory, writeWhole } from './directory.ts'

const MAGIC = new TextEncoder().encode('BRSSNAPS')
const FORMAT_VERSION = 2
/** The length if each of the five numbers is 2^53-1. */
const HEAD_BYTES_MAX = 8 + 4 + 5 * 8 + 3 * HASH_BYTES
const NAME = /^(\d{1,16})\.snapshot$/

type ParsedHead = { readonly head: SnapshotHead; readonly headBytes: number; readonly payloadBytes: number }

export class SnapshotFiles implements SnapshotStore, SnapshotPieces {
  readonly #directory: string
  readonly #digest: Digest
  readonly #writer: string

  /** `writer` is a name that no other writer of the same directory has at the same time. */
  constructor(directory: string, digest: Digest, writer: string) {
    this.#directory = directory
    this.#digest = digest
    this.#writer = writer
  }

  async save(snapshot: Snapshot): Promise<void> {
    const name = `${snapshot.seq}.snapshot`
    try {
      ensureDirectory(this.#directory)
      const temporary = this.#path(`${this.#writer}.tmp`)
      writeWhole(this.#path(name), temporary, [this.#headBytes(snapshot), snapshot.payload])
      await this.#letGoOfOld()
    } catch (cause) {
      throw fileFault(cause, `cannot save ${this.#path(name)}`)
    }
  }

  async list(): Promise<SnapshotListing> {
    const heads: SnapshotHead[] = []
    const damaged: DamagedSnapshot[] = []
    for (const { seq, name } of this.#names()) {
      const parsed = this.#attempt(name, () => this.#parseHead(this.#start(name), seq))
      if (!('problem' in parsed)) heads.push(parsed.head)
      // A running node may have removed an old snapshot in the meantime.
      else if (existsSync(this.#path(name))) damaged.push(parsed)
    }
    return { heads, damaged }
  }

  async load(head: SnapshotHead): Promise<Snapshot | DamagedSnapshot> {
    const name = `${head.seq}.snapshot`
    return this.#attempt(name, () => {
      const bytes = new Uint8Array(readFileSync(this.#path(name)))
      const parsed = this.#parseHead(bytes, head.seq)
      const payload = bytes.subarray(parsed.headBytes)
      if (payload.length !== parsed.payloadBytes) {
        throw new BytesFault(`expected a payload of ${parsed.payloadBytes} bytes, found ${payload.length}`)
      }
      if (!sameBytes(this.#digest([payload]), parsed.head.stateHash)) {
        throw new BytesFault('the state hash in its head does not match its payload')
      }
      return { ...parsed.head, payload }
    })
  }

  async setAside(head: SnapshotHead): Promise<void> {
    const path = this.#path(`${head.seq}.snapshot`)
    try {
      renameSync(path, `${path}.aside`)
      syncDirectory(this.#directory)
    } catch (cause) {
      throw fileFault(cause, `cannot put ${path} aside`)
    }
  }

  async newest(): Promise<SnapshotToCopy | undefined> {
    for (const { seq, name } of this.#names()) {
      const parsed = this.#attempt(name, () => this.#parseHead(this.#start(name), seq))
      if (!('problem' in parsed)) return { head: parsed.head, payloadBytes: parsed.payloadBytes }
    }
    return undefined
  }

  async piece(wanted: SnapshotHead, offset: number, bytes: number): Promise<Uint8Array | undefined> {
    const name = `${wanted.seq}.snapshot`
    const piece = this.#attempt(name, () => {
      const { head, headBytes } = this.#parseHead(this.#start(name), wanted.seq)
      if (!sameBytes(head.stateHash, wanted.stateHash))
        throw new BytesFault('another snapshot has replaced it')
      return readPart(this.#path(name), headBytes + offset, bytes)
    })
    return 'problem' in piece ? undefined : piece
  }

  #start(name: string): Uint8Array {
    return readPart(this.#path(name), 0, HEAD_BYTES_MAX)
  }

  async #letGoOfOld(): Promise<void> {
    const { heads } = await this.list()
    for (const { seq } of heads.slice(SNAPSHOTS_KEPT)) rmSync(this.#path(`${seq}.snapshot`), { force: true })
  }

  #path(name: string): string {
    return join(this.#directory, name)
  }

  /** Names of snapshots, newest first. */
  #names(): { readonly seq: Seq; readonly name: string }[] {
    let names: string[]
    try {
      names = readdirSync(this.#directory)
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
      throw fileFault(cause, `cannot list ${this.#directory}`)
    }
    return names
      .filter((name) => NAME.test(name))
      .map((name) => ({ seq: seq(Number.parseInt(name, 10)), name }))
      .sort((a, b) => b.seq - a.seq)
  }

  /** An unreadable snapshot is not an error: there are other snapshots, and the journal has everything. */
  #attempt<T>(name: string, read: () => T): T | DamagedSnapshot {
    try {
      return read()
    } catch (cause) {
      return { name, problem: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  #headBytes(snapshot: Snapshot): Uint8Array {
    const writer = new ByteWriter(HEAD_BYTES_MAX)
    writer.raw(MAGIC)
    writer.u32(FORMAT_VERSION)
    writer.uint(snapshot.position)
    writer.uint(snapshot.epoch)
    writer.uint(snapshot.seq)
    writer.uint(snapshot.time)
    writer.uint(snapshot.payload.length)
    writer.raw(snapshot.journalHash)
    writer.raw(snapshot.stateHash)
    writer.raw(this.#digest([writer.peek()]))
    return writer.take()
  }

  #parseHead(bytes: Uint8Array, named: Seq): ParsedHead {
    const reader = new ByteReader(bytes)
    if (!sameBytes(reader.raw(MAGIC.length), MAGIC)) throw new BytesFault('it has no snapshot header')
    const version = reader.u32()
    if (version !== FORMAT_VERSION) {
      throw new BytesFault(`expected format version ${FORMAT_VERSION}, found ${version}`)
    }
    const place = { position: reader.uint(), epoch: reader.uint() }
    const head = { ...place, seq: seq(reader.uint()), time: timeMs(reader.uint()) }
    const payloadBytes = reader.uint()
    const hashes = { journalHash: reader.raw(HASH_BYTES).slice(), stateHash: reader.raw(HASH_BYTES).slice() }
    const signedBytes = reader.at
    if (!sameBytes(this.#digest([bytes.subarray(0, signedBytes)]), reader.raw(HASH_BYTES))) {
      throw new BytesFault('the checksum of its head does not match')
    }
    if (head.seq !== named)
      throw new BytesFault(`it is named ${named} but contains the state after command ${head.seq}`)
    return { head: { ...head, ...hashes }, headBytes: reader.at, payloadBytes }
  }
}

function readPart(path: string, offset: number, length: number): Uint8Array {
  const fd = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, offset))
  } finally {
    closeSync(fd)
  }
}
