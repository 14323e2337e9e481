/**
 * Limits on the data that a replica may request from an engine: the other end need not be this project's
 * client.
 */
import { expect, test } from 'bun:test'
import type { SnapshotHead } from '../../../engine/port/snapshots.ts'
import { seq, type TimeMs } from '../../../units/quantities.ts'
import { readFrame, writeQuestionFrame } from '../protocol/frames.ts'
import { PIECE_BYTES_MAX, PULL_BYTES_MAX, REPLICA_QUESTIONS_MAX } from './replica-questions.ts'
import { ReplicaSession } from './replica-session.ts'

const HASH = new Uint8Array(32)
const HEAD: SnapshotHead = {
  ...{ position: 1, epoch: 0, seq: seq(1), time: 1 as TimeMs },
  ...{ journalHash: HASH, stateHash: HASH },
}

/**
 * A session, the number of bytes that it requests from its sources, and its answers. `batches` resolves when
 * pulls are answered.
 */
function openSession(batches: Promise<[]> = Promise.resolve([])) {
  const askedBytes: number[] = []
  const answers: object[] = []
  const session = new ReplicaSession({
    feed: {
      next: (_after, maxBytes) => {
        askedBytes.push(maxBytes)
        return batches
      },
      stateHash: async () => undefined,
      quarantined: async () => new Set(),
    },
    snapshots: {
      newest: async () => undefined,
      piece: async (_head, _offset, bytes) => {
        askedBytes.push(bytes)
        return new Uint8Array()
      },
    },
    customers: async (asked) => {
      askedBytes.push(asked.length)
      return { bytes: asked, seq: seq(7), hasAll: asked[0] === 1 }
    },
    confirmed: undefined,
    send: (bytes) => {
      const frame = readFrame(bytes)
      if (frame.kind === 'question') answers.push(frame.message)
    },
  })
  let number = 0
  const ask = (kind: string, fields: unknown): void =>
    session.receive(writeQuestionFrame({ number: ++number, kind, fields }))
  return { session, ask, askedBytes, answers }
}

test('an answer to a replica has no more bytes than allowed, however many it asks for', () => {
  const { ask, askedBytes } = openSession()
  for (const asked of [10, PULL_BYTES_MAX + 1, Number.MAX_SAFE_INTEGER]) {
    ask('next', { afterSeq: 0, maxBytes: asked })
    ask('snapshotPiece', { head: HEAD, offset: 0, bytes: asked })
  }
  const most = [PULL_BYTES_MAX, PIECE_BYTES_MAX]
  expect(askedBytes).toEqual([10, 10, ...most, ...most])
})

test('a replica that does not count its questions itself has no more in flight than allowed', async () => {
  const batches = Promise.withResolvers<[]>()
  const { ask, askedBytes, answers } = openSession(batches.promise)
  for (let asked = 0; asked < REPLICA_QUESTIONS_MAX + 3; asked++) ask('next', { afterSeq: 0, maxBytes: 1 })
  await Promise.resolve()
  expect(askedBytes).toHaveLength(REPLICA_QUESTIONS_MAX)
  batches.resolve([])
  await batches.promise
  await new Promise((resolve) => setImmediate(resolve))
  const refused = answers.filter((answer) => 'fault' in answer)
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ fault: { kind: 'OVERLOADED' } })
  ask('next', { afterSeq: 0, maxBytes: 1 })
  expect(askedBytes).toHaveLength(REPLICA_QUESTIONS_MAX + 1)
})

test('a question for customers that is not a short byte string reaches no engine, and a complete standby is known', async () => {
  const { session, ask, askedBytes, answers } = openSession()
  for (const asked of [undefined, 'text', 5, new Uint8Array(257)]) ask('customers', { asked })
  ask('customers', { asked: new Uint8Array([0]) })
  await new Promise((resolve) => setImmediate(resolve))
  expect([askedBytes, session.customersMs]).toEqual([[1], undefined])
  expect(answers.map((answer) => 'value' in answer && answer.value !== undefined)).toEqual([
    ...[false, false, false, false],
    true,
  ])
  const beforeMs = performance.now()
  ask('customers', { asked: new Uint8Array([1]) })
  await new Promise((resolve) => setImmediate(resolve))
  expect(session.customersMs).toBeGreaterThanOrEqual(beforeMs)
})
