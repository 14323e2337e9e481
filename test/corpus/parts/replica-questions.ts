/** Questions of a replica (a standby or another engine of a cluster) over its link, and their answers. */
import * as fc from 'fast-check'
import { arbitraryUint } from '../../../src/core/commands/command.arbitraries.ts'
import { BATCH_KINDS, type BatchKind, HASH_BYTES } from '../../../src/engine/port/journal.ts'
import type { ReplicaQuestions } from '../../../src/transport/link/serving/replica-questions.ts'
import { seq, timeMs } from '../../../src/units/quantities.ts'
import type { ByQuestion } from './asked-messages.ts'

const command = arbitraryUint.map(seq)
const time = arbitraryUint.map(timeMs)
const hash = fc.uint8Array({ minLength: HASH_BYTES, maxLength: HASH_BYTES })
const perhaps = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const head = fc.record({
  position: arbitraryUint,
  epoch: arbitraryUint,
  seq: command,
  time,
  journalHash: hash,
  stateHash: hash,
})
const batch = fc.record({
  position: arbitraryUint,
  epoch: arbitraryUint,
  kind: fc.constantFrom(...(Object.keys(BATCH_KINDS) as BatchKind[])),
  firstSeq: command,
  count: arbitraryUint,
  time,
  previousHash: hash,
  hash,
  data: fc.uint8Array({ maxLength: 8 }),
})

export const REPLICA_QUESTIONS: ByQuestion<ReplicaQuestions> = {
  next: {
    fields: fc.record({ afterSeq: command, maxBytes: arbitraryUint }),
    value: fc.array(batch, { maxLength: 2 }),
  },
  stateHash: { fields: fc.record({ seq: command }), value: perhaps(hash) },
  quarantined: { fields: fc.constant(undefined), value: fc.array(command, { maxLength: 3 }) },
  newestSnapshot: {
    fields: fc.constant(undefined),
    value: perhaps(fc.record({ head, payloadBytes: arbitraryUint })),
  },
  snapshotPiece: {
    fields: fc.record({ head, offset: arbitraryUint, bytes: arbitraryUint }),
    value: perhaps(fc.uint8Array({ maxLength: 8 })),
  },
  customers: {
    fields: fc.record({ asked: fc.uint8Array({ maxLength: 8 }) }),
    value: perhaps(fc.record({ bytes: fc.uint8Array({ maxLength: 8 }), seq: command, hasAll: fc.boolean() })),
  },
}
