/**
 * How a gateway and an engine meet: the engine says which versions it speaks and asks for a proof; the gateway chooses the newest
 * that both speak and proves that it knows the shared secret; the engine proves the same. The secret itself never travels, and a
 * proof is worth nothing on another connection. No frame but these is read before both have proved themselves.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { LinkFault } from './link-fault.ts'

/** Versions of all that travels over a link, from the oldest that this program speaks to the newest. */
export type LinkVersions = { readonly oldest: number; readonly newest: number }

/** A frame, or an event within one, that another version would not read is a new version. */
export const LINK_VERSIONS: LinkVersions = { oldest: 1, newest: 1 }

export const NONCE_BYTES = 32
/** Fewer characters could be guessed. */
export const SECRET_LENGTH_MIN = 32
export const GATEWAY_NAME_LENGTH_MAX = 64

/** The first frame, the engine's. */
export type Challenge = { readonly versions: LinkVersions; readonly nonce: Uint8Array }

/** The second, the gateway's. */
export type Hello = {
  readonly version: number
  /** Of the gateway, for people. */
  readonly name: string
  readonly nonce: Uint8Array
}

/** Begins the first frame: whoever reads something else speaks to another program. */
const MAGIC = 0x4c_53_52_42

type Party = 'gateway' | 'engine'

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
    if (reader.u32() !== MAGIC) throw new BytesFault('the other end is no engine of an exchange')
    const versions = { oldest: reader.uint(), newest: reader.uint() }
    return { versions, nonce: reader.raw(NONCE_BYTES).slice() }
  })
}

/** The newest version that both speak. Throws `LinkFault`. */
export function commonVersion(ours: LinkVersions, theirs: LinkVersions): number {
  const version = Math.min(ours.newest, theirs.newest)
  if (version >= Math.max(ours.oldest, theirs.oldest)) return version
  throw new LinkFault('WRONG_VERSION', `expected version ${range(ours)} of the link, found ${range(theirs)}`)
}

function range({ oldest, newest }: LinkVersions): string {
  return oldest === newest ? `${oldest}` : `${oldest} to ${newest}`
}

/** The gateway's answer to a challenge, with its proof. */
export function writeHello(challenge: Challenge, hello: Hello, secret: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(128)
  writeHelloFields(writer, hello)
  writer.raw(proofOf('gateway', challenge, hello, secret))
  return writer.take()
}

function writeHelloFields(writer: ByteWriter, { version, name, nonce }: Hello): void {
  writer.uint(version)
  writer.text(name)
  writer.raw(nonce)
}

/**
 * Reads the gateway's answer and finds the secret that it knows; several are taken while a secret changes. Throws
 * `LinkFault`.
 */
export function admitHello(
  frame: Uint8Array,
  challenge: Challenge,
  secrets: readonly string[],
): { readonly hello: Hello; readonly secret: string } {
  const { hello, proof } = whole(frame, (reader) => ({
    hello: { version: reader.uint(), name: reader.text(), nonce: reader.raw(NONCE_BYTES).slice() },
    proof: reader.raw(NONCE_BYTES),
  }))
  const secret = knownSecret(secrets, (each) => proofOf('gateway', challenge, hello, each), proof)
  if (secret === undefined) {
    throw new LinkFault('WRONG_SECRET', "the gateway's shared secret is not one that this engine takes")
  }
  const { oldest, newest } = challenge.versions
  if (hello.version < oldest || hello.version > newest) {
    throw new LinkFault('WRONG_VERSION', `expected ${range(challenge.versions)}, found ${hello.version}`)
  }
  if (hello.name.length > GATEWAY_NAME_LENGTH_MAX) {
    throw new LinkFault('BAD_FRAME', `expected a name of at most ${GATEWAY_NAME_LENGTH_MAX} characters`)
  }
  return { hello, secret }
}

/** Looks at all of them, so that the time taken says nothing. */
function knownSecret(
  secrets: readonly string[],
  proof: (secret: string) => Uint8Array,
  shown: Uint8Array,
): string | undefined {
  let known: string | undefined
  for (const secret of secrets) if (timingSafeEqual(proof(secret), shown)) known = secret
  return known
}

/** The third frame: the engine knows the secret too. */
export function writeWelcome(challenge: Challenge, hello: Hello, secret: string): Uint8Array<ArrayBuffer> {
  return proofOf('engine', challenge, hello, secret)
}

/** Throws `LinkFault` unless it comes from an engine that knows the gateway's secret. */
export function checkWelcome(frame: Uint8Array, challenge: Challenge, hello: Hello, secret: string): void {
  const expected = proofOf('engine', challenge, hello, secret)
  if (frame.length === expected.length && timingSafeEqual(frame, expected)) return
  throw new LinkFault('WRONG_SECRET', "the engine does not know the gateway's shared secret")
}

/** Over all that both have said: neither can be made to speak another version than it would. */
function proofOf(party: Party, challenge: Challenge, hello: Hello, secret: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256)
  writer.text(`bourse link ${party}`)
  writer.raw(writeChallenge(challenge))
  writeHelloFields(writer, hello)
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
