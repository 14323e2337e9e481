/**
 * The greeting of two processes of an exchange. The engine sends the versions that it supports and requests a
 * proof. The other end chooses the newest version that both support, sends its name, its role and the
 * position of the journal that it remembers, and proves that it has the shared secret. The engine answers
 * with the journal that it leads, or that it does not lead, and proves the same. The secret itself is never
 * sent, and a proof is valid only for its own connection. No other frame is read before both ends have proved
 * that they have the secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JournalPosition, RememberedPlace } from '../../../engine/port/journal.ts'
import { ByteReader, BytesFault, ByteWriter } from '../../../units/bytes.ts'
import { readOptionalPosition, writeOptionalPosition } from './journal-positions.ts'
import { LinkFault } from './link-fault.ts'

/** Versions of the whole link protocol, from the oldest to the newest that this program supports. */
export type LinkVersions = { readonly oldest: number; readonly newest: number }

/**
 * A change of a frame, or of an event in a frame, that another version could not read needs a new version.
 * The exception is a change that comes only with newer rules: rules are raised only when no older program
 * takes part. Version 5 encodes events by their shapes; no earlier version is offered.
 */
export const LINK_VERSIONS: LinkVersions = { oldest: 5, newest: 5 }

export const NONCE_BYTES = 32
/** Minimum length of a shared secret: a shorter one could be guessed. */
export const SECRET_LENGTH_MIN = 32
/** Limit for the name of a gateway, an engine or a historian. */
export const PEER_NAME_LENGTH_MAX = 64
/** Length of a complete hash in hexadecimal. */
const JOURNAL_NAME_LENGTH_MAX = 64

/**
 * The role of an end, in the order of their codes: a `gateway` sends clients' commands and queries, a
 * `replica` pulls batches and snapshots, a `reader` queries a historian, a `standby` pulls batches and
 * snapshots of a node outside a cluster.
 */
export const LINK_ROLES = ['gateway', 'replica', 'reader', 'standby'] as const
export type LinkRole = (typeof LINK_ROLES)[number]

/** The first frame, from the engine. */
export type Challenge = { readonly versions: LinkVersions; readonly nonce: Uint8Array }

/** The second frame, from the connecting end. */
export type Hello = {
  readonly version: number
  /** For people. */
  readonly name: string
  readonly role: LinkRole
  /**
   * The newest confirmed end of the journal that the connecting end has received; undefined if there is none.
   */
  readonly remembered: RememberedPlace | undefined
  readonly nonce: Uint8Array
}

/** The third frame, from the engine. */
export type Welcome = {
  readonly kind: 'welcome'
  /** The journal's name. */
  readonly journal: string
  /** The engine's or the historian's own name. */
  readonly leader: string
  /** The epoch of its leadership; 0 if leadership is never claimed. */
  readonly epoch: number
  /** The confirmed end of the journal; undefined if peers need not remember it. */
  readonly confirmed: JournalPosition | undefined
}

/** The third frame from an engine that does not lead. */
export type NotLeader = {
  readonly kind: 'notLeader'
  /** The leader, if known. */
  readonly leader: string | undefined
}

export type Verdict = Welcome | NotLeader

/** Begins the first frame; a reader that finds another value is connected to another program. */
const MAGIC = 0x4c_53_52_42

const VERDICT = { welcome: 1, notLeader: 2 } as const

export function writeChallenge({ versions, nonce }: Challenge): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64)
  writer.u32(MAGIC)
  writer.uint(versions.oldest)
  writer.uint(versions.newest)
  writer.raw(nonce)
  return writer.take()
}

/** Throws `LinkFault`. */
export function readChallenge(frame: Uint8Array): Challenge {
  return whole(frame, (reader) => {
    if (reader.u32() !== MAGIC) throw new BytesFault('the other end is not an engine of an exchange')
    const versions = { oldest: reader.uint(), newest: reader.uint() }
    return { versions, nonce: reader.raw(NONCE_BYTES).slice() }
  })
}

/** The newest version that both ends support. Throws `LinkFault`. */
export function commonVersion(ours: LinkVersions, theirs: LinkVersions): number {
  const version = Math.min(ours.newest, theirs.newest)
  if (version >= Math.max(ours.oldest, theirs.oldest)) return version
  throw new LinkFault('WRONG_VERSION', `expected version ${range(ours)} of the link, found ${range(theirs)}`)
}

function range({ oldest, newest }: LinkVersions): string {
  return oldest === newest ? `${oldest}` : `${oldest} to ${newest}`
}

/** The answer to a challenge, with its proof. */
export function writeHello(challenge: Challenge, hello: Hello, secret: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256)
  writeHelloFields(writer, hello)
  writer.raw(helloProof(challenge, hello, secret))
  return writer.take()
}

function writeHelloFields(writer: ByteWriter, { version, name, role, remembered, nonce }: Hello): void {
  writer.uint(version)
  writer.text(name)
  writer.u8(LINK_ROLES.indexOf(role))
  writeOptionalPosition(writer, remembered)
  if (remembered !== undefined) writer.text(remembered.journal ?? '')
  writer.raw(nonce)
}

function readHelloFields(reader: ByteReader): Hello {
  const version = reader.uint()
  const name = reader.text()
  const code = reader.u8()
  const role = LINK_ROLES[code]
  if (role === undefined) throw new BytesFault(`unknown role ${code}`)
  const remembered = readRemembered(reader)
  return { version, name, role, remembered, nonce: reader.raw(NONCE_BYTES).slice() }
}

function readRemembered(reader: ByteReader): RememberedPlace | undefined {
  const position = readOptionalPosition(reader)
  if (position === undefined) return undefined
  return { ...position, journal: reader.text() || undefined }
}

/**
 * Reads the answer to a challenge and finds the secret of its sender; several secrets are accepted while a
 * secret is being changed. Throws `LinkFault`.
 */
export function admitHello(
  frame: Uint8Array,
  challenge: Challenge,
  secrets: readonly string[],
): { readonly hello: Hello; readonly secret: string } {
  const { hello, proof } = whole(frame, (reader) => ({
    hello: readHelloFields(reader),
    proof: reader.raw(NONCE_BYTES),
  }))
  const secret = knownSecret(secrets, (each) => helloProof(challenge, hello, each), proof)
  if (secret === undefined) {
    throw new LinkFault('WRONG_SECRET', "this engine does not accept the gateway's shared secret")
  }
  const { oldest, newest } = challenge.versions
  if (hello.version < oldest || hello.version > newest) {
    throw new LinkFault('WRONG_VERSION', `expected ${range(challenge.versions)}, found ${hello.version}`)
  }
  if (hello.name.length > PEER_NAME_LENGTH_MAX) {
    throw new LinkFault('BAD_FRAME', `expected a name of at most ${PEER_NAME_LENGTH_MAX} characters`)
  }
  if ((hello.remembered?.journal?.length ?? 0) > JOURNAL_NAME_LENGTH_MAX) {
    const expected = `expected a journal's name of at most ${JOURNAL_NAME_LENGTH_MAX} characters`
    throw new LinkFault('BAD_FRAME', expected)
  }
  return { hello, secret }
}

/** Compares all secrets, so that the time taken reveals nothing. */
function knownSecret(
  secrets: readonly string[],
  proof: (secret: string) => Uint8Array,
  shown: Uint8Array,
): string | undefined {
  let known: string | undefined
  for (const secret of secrets) if (timingSafeEqual(proof(secret), shown)) known = secret
  return known
}

/** The third frame: it proves that the engine has the secret too, and contains the journal that it leads. */
export function writeVerdict(
  challenge: Challenge,
  hello: Hello,
  verdict: Verdict,
  secret: string,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256)
  writeVerdictFields(writer, verdict)
  writer.raw(verdictProof(challenge, hello, writer.peek(), secret))
  return writer.take()
}

function writeVerdictFields(writer: ByteWriter, verdict: Verdict): void {
  writer.u8(VERDICT[verdict.kind])
  switch (verdict.kind) {
    case 'welcome':
      writer.text(verdict.journal)
      writer.text(verdict.leader)
      writer.uint(verdict.epoch)
      writeOptionalPosition(writer, verdict.confirmed)
      break
    case 'notLeader':
      writer.text(verdict.leader ?? '')
      break
  }
}

function readVerdictFields(reader: ByteReader): Verdict {
  const code = reader.u8()
  switch (code) {
    case VERDICT.welcome:
      return {
        kind: 'welcome',
        journal: reader.text(),
        leader: reader.text(),
        epoch: reader.uint(),
        confirmed: readOptionalPosition(reader),
      }
    case VERDICT.notLeader:
      return { kind: 'notLeader', leader: reader.text() || undefined }
    default:
      throw new BytesFault(`unknown answer ${code} to a greeting`)
  }
}

/** Throws `LinkFault` unless the verdict comes from an engine that has the secret. */
export function readVerdict(frame: Uint8Array, challenge: Challenge, hello: Hello, secret: string): Verdict {
  const fieldsBytes = frame.length - NONCE_BYTES
  const fields = frame.subarray(0, Math.max(0, fieldsBytes))
  const expected = verdictProof(challenge, hello, fields, secret)
  const isProved = fieldsBytes >= 0 && timingSafeEqual(frame.subarray(fieldsBytes), expected)
  if (!isProved) throw new LinkFault('WRONG_SECRET', "the engine does not accept the gateway's shared secret")
  return whole(fields, readVerdictFields)
}

/**
 * A proof over everything that both ends have sent, so that neither can be forced to use an older version.
 */
function helloProof(challenge: Challenge, hello: Hello, secret: string): Uint8Array {
  return proofOf('gateway', challenge, hello, undefined, secret)
}

function verdictProof(challenge: Challenge, hello: Hello, verdict: Uint8Array, secret: string): Uint8Array {
  return proofOf('engine', challenge, hello, verdict, secret)
}

function proofOf(
  party: 'gateway' | 'engine',
  challenge: Challenge,
  hello: Hello,
  verdict: Uint8Array | undefined,
  secret: string,
): Uint8Array {
  const writer = new ByteWriter(512)
  writer.text(`bourse link ${party}`)
  writer.raw(writeChallenge(challenge))
  writeHelloFields(writer, hello)
  if (verdict !== undefined) writer.bytes(verdict)
  return new Uint8Array(createHmac('sha256', secret).update(writer.take()).digest())
}

function whole<Read>(frame: Uint8Array, read: (reader: ByteReader) => Read): Read {
  const reader = new ByteReader(frame)
  try {
    const value = read(reader)
    reader.end()
    return value
  } catch (cause) {
    if (!(cause instanceof BytesFault)) throw cause
    throw new LinkFault('BAD_FRAME', `the greeting cannot be read: ${cause.message}`, { cause })
  }
}
