import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { seq } from '../../../units/quantities.ts'
import {
  admitHello,
  type Challenge,
  commonVersion,
  type Hello,
  LINK_VERSIONS,
  NONCE_BYTES,
  PEER_NAME_LENGTH_MAX,
  readChallenge,
  readVerdict,
  type Welcome,
  writeChallenge,
  writeHello,
  writeVerdict,
} from './greeting.ts'
import { LinkFault } from './link-fault.ts'

const OLD = 'an old secret of at least 32 characters'
const NEW = 'a new secret of at least 32 characters!'
const challenge: Challenge = { versions: LINK_VERSIONS, nonce: new Uint8Array(NONCE_BYTES).fill(1) }
const end = { position: 7, epoch: 3, seq: seq(40), hash: new Uint8Array(32).fill(4) }
const remembered = { ...end, journal: 'a'.repeat(64) }
const hello: Hello = {
  version: LINK_VERSIONS.newest,
  name: 'gateway 1',
  role: 'gateway',
  remembered,
  nonce: new Uint8Array(NONCE_BYTES).fill(2),
}
const welcome: Welcome = {
  kind: 'welcome',
  journal: 'j',
  leader: 'engine 1',
  epoch: 3,
  confirmed: end,
}

function faultOf(work: () => unknown): LinkFault {
  try {
    work()
  } catch (fault) {
    if (fault instanceof LinkFault) return fault
    throw fault
  }
  throw new Error('expected a fault of the link')
}

test('a gateway and an engine with one secret admit each other', () => {
  const seen = readChallenge(writeChallenge(challenge))
  expect(seen).toEqual(challenge)
  const admitted = admitHello(writeHello(seen, hello, NEW), challenge, [OLD, NEW])
  expect(admitted).toEqual({ hello, secret: NEW })
  for (const verdict of [
    welcome,
    { ...welcome, confirmed: undefined },
    { kind: 'notLeader', leader: 'engine 2' },
    { kind: 'notLeader', leader: undefined },
  ] as const) {
    const sent = writeVerdict(challenge, admitted.hello, verdict, admitted.secret)
    expect(readVerdict(sent, seen, hello, NEW)).toEqual(verdict)
  }
})

test('a gateway with another secret is refused, and so is an engine', () => {
  expect(
    faultOf(() => admitHello(writeHello(challenge, hello, 'guessed'), challenge, [OLD, NEW])),
  ).toMatchObject({
    kind: 'WRONG_SECRET',
    message: "this engine does not accept the gateway's shared secret",
  })
  expect(faultOf(() => admitHello(writeHello(challenge, hello, OLD), challenge, [])).kind).toBe(
    'WRONG_SECRET',
  )
  const guessed = writeVerdict(challenge, hello, welcome, 'guessed')
  expect(faultOf(() => readVerdict(guessed, challenge, hello, NEW)).kind).toBe('WRONG_SECRET')
})

test("the proof of one end is not a proof of the other, nor on another connection, nor for another's name", () => {
  const other = { ...challenge, nonce: new Uint8Array(NONCE_BYTES).fill(3) }
  const proved = writeHello(challenge, hello, NEW)
  expect(faultOf(() => admitHello(proved, other, [NEW])).kind).toBe('WRONG_SECRET')
  const gatewaysOwn = proved.subarray(proved.length - NONCE_BYTES)
  expect(faultOf(() => readVerdict(gatewaysOwn, challenge, hello, NEW)).kind).toBe('WRONG_SECRET')
  const renamed = writeHello(challenge, { ...hello, name: 'gateway 2' }, NEW)
  renamed.set(gatewaysOwn, renamed.length - NONCE_BYTES)
  expect(faultOf(() => admitHello(renamed, challenge, [NEW])).kind).toBe('WRONG_SECRET')
})

test('a gateway’s remembered position, its role and what an engine leads are part of the proof', () => {
  for (const changed of [
    { ...hello, role: 'replica' as const },
    { ...hello, remembered: undefined },
    { ...hello, remembered: { ...remembered, position: 6 } },
    { ...hello, remembered: { ...remembered, journal: 'b'.repeat(64) } },
    { ...hello, remembered: { ...remembered, journal: undefined } },
  ]) {
    const strange = writeHello(challenge, changed, NEW)
    strange.set(writeHello(challenge, hello, NEW).slice(-NONCE_BYTES), strange.length - NONCE_BYTES)
    expect(faultOf(() => admitHello(strange, challenge, [NEW])).kind).toBe('WRONG_SECRET')
  }
  const other = writeVerdict(challenge, hello, { ...welcome, epoch: 2 }, NEW)
  other.set(writeVerdict(challenge, hello, welcome, NEW).slice(-NONCE_BYTES), other.length - NONCE_BYTES)
  expect(faultOf(() => readVerdict(other, challenge, hello, NEW)).kind).toBe('WRONG_SECRET')
})

test('the newest version that both speak is used, and where there is none both are named', () => {
  expect(commonVersion({ oldest: 1, newest: 3 }, { oldest: 2, newest: 4 })).toBe(3)
  expect(commonVersion({ oldest: 4, newest: 5 }, { oldest: 2, newest: 4 })).toBe(4)
  const fault = faultOf(() => commonVersion({ oldest: 1, newest: 1 }, { oldest: 2, newest: 3 }))
  expect(fault).toMatchObject({
    kind: 'WRONG_VERSION',
    message: 'expected version 1 of the link, found 2 to 3',
  })
})

test.each([
  ['newer', { oldest: 2, newest: 3 }, 4],
  ['older', { oldest: 2, newest: 3 }, 1],
  ['older, where the engine speaks one alone', LINK_VERSIONS, LINK_VERSIONS.oldest - 1],
  ['newer, where the engine speaks one alone', LINK_VERSIONS, LINK_VERSIONS.newest + 1],
] as const)(
  'a gateway that chooses a version %s than the engine speaks is refused',
  (_what, versions, version) => {
    const asked: Challenge = { ...challenge, versions }
    const strange = writeHello(asked, { ...hello, version }, NEW)
    expect(faultOf(() => admitHello(strange, asked, [NEW])).kind).toBe('WRONG_VERSION')
    const spoken = writeHello(asked, { ...hello, version: versions.oldest }, NEW)
    expect(admitHello(spoken, asked, [NEW]).hello.version).toBe(versions.oldest)
  },
)

test('a name above the maximum length is refused, also from a peer that knows the secret', () => {
  const admitted = (length: number) =>
    admitHello(writeHello(challenge, { ...hello, name: 'n'.repeat(length) }, NEW), challenge, [NEW])
  expect(admitted(PEER_NAME_LENGTH_MAX).hello.name).toHaveLength(PEER_NAME_LENGTH_MAX)
  expect(faultOf(() => admitted(PEER_NAME_LENGTH_MAX + 1))).toMatchObject({
    kind: 'BAD_FRAME',
    message: `expected a name of at most ${PEER_NAME_LENGTH_MAX} characters`,
  })
})

test("a journal's name that is longer than a hash is refused", () => {
  const admitted = (length: number) => {
    const named = { ...hello, remembered: { ...remembered, journal: 'a'.repeat(length) } }
    return admitHello(writeHello(challenge, named, NEW), challenge, [NEW])
  }
  expect(admitted(64).hello.remembered?.journal).toHaveLength(64)
  expect(faultOf(() => admitted(65))).toMatchObject({
    kind: 'BAD_FRAME',
    message: "expected a journal's name of at most 64 characters",
  })
})

test('any other bytes in place of a greeting are a fault of the link', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      expect(faultOf(() => readChallenge(bytes)).kind).toBe('BAD_FRAME')
      expect(['BAD_FRAME', 'WRONG_SECRET']).toContain(faultOf(() => admitHello(bytes, challenge, [NEW])).kind)
      expect(faultOf(() => readVerdict(bytes, challenge, hello, NEW)).kind).toBe('WRONG_SECRET')
    }),
  )
})

test('a damaged answer of a gateway admits no one', () => {
  const sent = writeHello(challenge, hello, NEW)
  for (let at = 0; at < sent.length; at++) {
    const damaged = sent.slice()
    damaged[at] = (damaged[at] as number) ^ 1
    expect(['BAD_FRAME', 'WRONG_SECRET']).toContain(faultOf(() => admitHello(damaged, challenge, [NEW])).kind)
  }
})
