/** Data on a link between a gateway and an engine: frames, and the greeting before them. */
import {
  BARRIER_FRAME,
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
  LINK_VERSIONS,
  NONCE_BYTES,
  readChallenge,
  readVerdict,
  type Welcome,
  writeChallenge,
  writeHello,
  writeVerdict,
} from '../../../src/transport/link/protocol/greeting.ts'
import { LinkFault } from '../../../src/transport/link/protocol/link-fault.ts'
import { BytesFault } from '../../../src/units/bytes.ts'
import { seq, timeMs } from '../../../src/units/quantities.ts'
import { expectThat, type Target } from '../target.ts'

const SECRET = 'a shared secret of at least 32 characters'
const CHALLENGE: Challenge = { versions: LINK_VERSIONS, nonce: new Uint8Array(NONCE_BYTES).fill(1) }
const POSITION = { position: 300, epoch: 2, seq: seq(2 ** 40), hash: new Uint8Array(32).fill(3) }
const HELLO: Hello = {
  version: LINK_VERSIONS.newest,
  name: 'gateway',
  role: 'gateway',
  remembered: { ...POSITION, journal: 'a'.repeat(32) },
  nonce: new Uint8Array(NONCE_BYTES).fill(2),
}
const WELCOME: Welcome = { kind: 'welcome', journal: 'j', leader: 'engine', epoch: 2, confirmed: POSITION }

/** Numbers and lengths at the limits of their forms. */
const TOKENS = ['ffffffffffffff0f', 'ffffffffffffffff01', '8000', '00', '04000000000000f07f', '0900'].map(
  (hex) => new Uint8Array(Buffer.from(hex, 'hex')),
)

export function linkFrame(): Target<Uint8Array> {
  const question = {
    number: 7,
    kind: 'trades',
    fields: { accountId: 3, symbolId: undefined, page: 0, size: 10, atLeast: 2 ** 40, total: 10n ** 30n },
  }
  return {
    name: 'link-frame',
    executions: 30_000,
    samples: [
      BARRIER_FRAME,
      writeBlockFrame(new Uint8Array([1, 2, 3])),
      writeQuestionFrame(question),
      writeQuestionFrame({ number: 7, kind: 'trades', value: { items: [{ a: -1.5 }, 'é', true], total: 0 } }),
      writeConfirmedFrame(POSITION),
      writeReachedFrame(seq(200)),
      writeClockFrame({ isTrusted: true, time: timeMs(1_790_000_000_123), wall: timeMs(0) }),
    ],
    tokens: TOKENS,
    check: checkFrame,
    outcomes: ['block', 'question', 'clock', 'barrier', 'confirmed', 'reached', 'BytesFault'],
  }
}

function checkFrame(bytes: Uint8Array): string {
  try {
    const frame = readFrame(bytes)
    const again = written(frame)
    expectThat(Buffer.from(again).equals(bytes), () => `${Buffer.from(again).toString('hex')} is its form`)
    return frame.kind
  } catch (error) {
    if (error instanceof BytesFault) return 'BytesFault'
    throw error
  }
}

function written(frame: ReturnType<typeof readFrame>): Uint8Array {
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

export function linkGreeting(): Target<Uint8Array> {
  return {
    name: 'link-greeting',
    executions: 5_000,
    samples: [
      writeChallenge(CHALLENGE),
      writeHello(CHALLENGE, HELLO, SECRET),
      writeVerdict(CHALLENGE, HELLO, WELCOME, SECRET),
    ],
    tokens: TOKENS,
    check: checkGreeting,
    outcomes: ['a challenge', 'nobody'],
  }
}

/** A client without the secret is admitted only with the bytes of a client that has it. */
function checkGreeting(bytes: Uint8Array): string {
  const isReplayed = [
    writeHello(CHALLENGE, HELLO, SECRET),
    writeVerdict(CHALLENGE, HELLO, WELCOME, SECRET),
  ].some((sent) => Buffer.from(sent).equals(bytes))
  const isIn =
    faultOf(() => admitHello(bytes, CHALLENGE, [SECRET])) === undefined ||
    faultOf(() => readVerdict(bytes, CHALLENGE, HELLO, SECRET)) === undefined
  expectThat(isIn === isReplayed, () => 'somebody else was let in')
  return faultOf(() => readChallenge(bytes)) === undefined ? 'a challenge' : 'nobody'
}

function faultOf(work: () => unknown): LinkFault | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof LinkFault) return error
    throw error
  }
}
