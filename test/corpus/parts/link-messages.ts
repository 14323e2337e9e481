/** Messages of a link: the greetings of the two ends, and each kind of frame afterwards. */
import * as fc from 'fast-check'
import { arbitraryText, arbitraryUint } from '../../../src/core/commands/command.arbitraries.ts'
import { HASH_BYTES } from '../../../src/engine/port/journal.ts'
import { partsOf } from '../../../src/transport/link/protocol/frame-parts.ts'
import {
  BARRIER_FRAME,
  FRAME,
  type LinkFrame,
  readFrame,
  writeBlockFrame,
  writeClockFrame,
  writeConfirmedFrame,
  writeCountFrame,
  writeQuestionFrame,
  writeReachedFrame,
} from '../../../src/transport/link/protocol/frames.ts'
import {
  admitHello,
  type Challenge,
  type Hello,
  LINK_ROLES,
  LINK_VERSIONS,
  PEER_NAME_LENGTH_MAX,
  readChallenge,
  readVerdict,
  type Verdict,
  writeChallenge,
  writeHello,
  writeVerdict,
} from '../../../src/transport/link/protocol/greeting.ts'
import { seq, timeMs } from '../../../src/units/quantities.ts'

export type LinkMessage =
  | { readonly kind: 'challenge'; readonly challenge: Challenge }
  | { readonly kind: 'hello'; readonly hello: Hello }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: LinkFrame['kind']; readonly frame: LinkFrame }
  /** A piece of a frame that is too large for one message, and the last piece. */
  | { readonly kind: 'part' | 'lastPart'; readonly body: Uint8Array }

/** A secret that belongs to no exchange. */
const SECRET = 'a secret that no exchange has: it is in the corpus'
const NONCE = new Uint8Array(32).fill(7)
const VERSIONS = { oldest: LINK_VERSIONS.oldest, newest: LINK_VERSIONS.newest }
const CHALLENGE: Challenge = { versions: VERSIONS, nonce: NONCE }
const HELLO: Hello = {
  version: LINK_VERSIONS.newest,
  name: 'g-1',
  role: 'gateway',
  remembered: undefined,
  nonce: NONCE,
}

const name = arbitraryText.filter((text) => text.length > 0 && text.length <= PEER_NAME_LENGTH_MAX)
const hash = fc.uint8Array({ minLength: HASH_BYTES, maxLength: HASH_BYTES })
const position = fc.record({
  position: arbitraryUint,
  epoch: arbitraryUint,
  seq: arbitraryUint.map(seq),
  hash,
})
const perhaps = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
/** Every kind of value in a question to a history or its answer. */
const plain = fc.record({
  number: fc.oneof(arbitraryUint, fc.constantFrom(-1, 0.5)),
  bigint: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  text: arbitraryText,
  bytes: fc.uint8Array({ maxLength: 8 }),
  flag: fc.boolean(),
  list: fc.array(arbitraryUint, { maxLength: 3 }),
  record: fc.record({ some: arbitraryUint, other: arbitraryText }, { requiredKeys: [] }),
})

const body = fc.uint8Array({ minLength: 3, maxLength: 8 })

const framed = (frame: fc.Arbitrary<LinkFrame>): fc.Arbitrary<LinkMessage> =>
  frame.map((each) => ({ kind: each.kind, frame: each }))

export const arbitraryFrameByKind: {
  readonly [K in LinkMessage['kind'] | keyof typeof FRAME]: fc.Arbitrary<LinkMessage>
} = {
  challenge: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((nonce) => ({ kind: 'challenge', challenge: { versions: VERSIONS, nonce } })),
  hello: fc
    .record({
      version: fc.constantFrom(VERSIONS.oldest, VERSIONS.newest),
      name,
      role: fc.constantFrom(...LINK_ROLES),
      remembered: perhaps(position),
      journal: perhaps(fc.stringMatching(/^[0-9a-f]{1,64}$/)),
      nonce: fc.constant(NONCE),
    })
    .map(({ remembered, journal, ...hello }): LinkMessage => {
      if (remembered === undefined) return { kind: 'hello', hello: { ...hello, remembered } }
      return { kind: 'hello', hello: { ...hello, remembered: { ...remembered, journal } } }
    }),
  verdict: fc
    .oneof(
      fc.record({
        kind: fc.constant('welcome' as const),
        journal: name,
        leader: name,
        epoch: arbitraryUint,
        confirmed: perhaps(position),
      }),
      fc.record({ kind: fc.constant('notLeader' as const), leader: perhaps(name) }),
    )
    .map((verdict) => ({ kind: 'verdict', verdict })),
  block: framed(fc.constant({ kind: 'block', block: Uint8Array.of(1, 2, 3) as never })),
  question: framed(plain.map((message) => ({ kind: 'question', message }))),
  clock: framed(
    fc
      .record({ isTrusted: fc.boolean(), time: arbitraryUint.map(timeMs), wall: arbitraryUint.map(timeMs) })
      .map((reading) => ({ kind: 'clock', reading })),
  ),
  barrier: framed(fc.constant({ kind: 'barrier' })),
  count: framed(fc.uint8Array({ maxLength: 8 }).map((message) => ({ kind: 'count', message }))),
  confirmed: framed(position.map((each) => ({ kind: 'confirmed', position: each }))),
  reached: framed(arbitraryUint.map((each) => ({ kind: 'reached', seq: seq(each) }))),
  part: body.map((each) => ({ kind: 'part', body: each })),
  lastPart: body.map((each) => ({ kind: 'lastPart', body: each })),
}

/** The byte before each message: a message of the greeting, or a frame. */
const [CHALLENGED, ADMITTED, JUDGED, FRAMED] = [0, 1, 2, 3]

export function writeLinkMessage(message: LinkMessage): Uint8Array {
  if ('challenge' in message) return Uint8Array.of(CHALLENGED, ...writeChallenge(message.challenge))
  if ('hello' in message) return Uint8Array.of(ADMITTED, ...writeHello(CHALLENGE, message.hello, SECRET))
  if ('verdict' in message)
    return Uint8Array.of(JUDGED, ...writeVerdict(CHALLENGE, HELLO, message.verdict, SECRET))
  return Uint8Array.of(FRAMED, ...('body' in message ? partOf(message) : frameOf(message.frame)))
}

/** A frame with the same number of bytes before or after it. */
function partOf({
  kind,
  body,
}: {
  readonly kind: 'part' | 'lastPart'
  readonly body: Uint8Array
}): Uint8Array {
  const parts = partsOf(Uint8Array.of(...body, ...body), 1 + body.length)
  return parts[kind === 'part' ? 0 : 1] ?? body
}

function frameOf(frame: LinkFrame): Uint8Array {
  switch (frame.kind) {
    case 'block':
      return writeBlockFrame(new Uint8Array(frame.block))
    case 'question':
      return writeQuestionFrame(frame.message)
    case 'clock':
      return writeClockFrame(frame.reading)
    case 'barrier':
      return BARRIER_FRAME
    case 'count':
      return writeCountFrame(frame.message)
    case 'confirmed':
      return writeConfirmedFrame(frame.position)
    case 'reached':
      return writeReachedFrame(frame.seq)
  }
}

export function readLinkMessage(bytes: Uint8Array): unknown {
  const rest = bytes.slice(1)
  switch (bytes[0]) {
    case CHALLENGED:
      return { kind: 'challenge', challenge: readChallenge(rest) }
    case ADMITTED:
      return { kind: 'hello', hello: admitHello(rest, CHALLENGE, [SECRET]).hello }
    case JUDGED:
      return { kind: 'verdict', verdict: readVerdict(rest, CHALLENGE, HELLO, SECRET) }
    default: {
      if (rest[0] === FRAME.part) return { kind: 'part', body: rest.slice(1) }
      if (rest[0] === FRAME.lastPart) return { kind: 'lastPart', body: rest.slice(1) }
      const frame = readFrame(rest)
      const shown = frame.kind === 'block' ? { ...frame, block: new Uint8Array(frame.block) } : frame
      return { kind: frame.kind, frame: shown }
    }
  }
}
