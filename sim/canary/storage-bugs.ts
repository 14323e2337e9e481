/** Bugs in how data is made durable and read back. */

import { type Batch, endOf, hashOfBatch, JournalFault } from '../../src/engine/port/journal.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { type Canary, NO_CANARY, passOver, withMachine, withStorage } from './canary.ts'
import type { CanaryTest } from './canary-test.ts'

const NO_BOUND = Number.MAX_SAFE_INTEGER

export const STORAGE_BUGS = {
  'trust-any-clock': {
    rule: 'a clock that jumps ahead dates nothing that nobody has accepted',
    seeds: 20,
    canary: { ...NO_CANARY, clockLimits: { jumpMaxMs: NO_BOUND, startJumpMaxMs: NO_BOUND } },
  },
  'trust-any-clock-at-a-start': {
    rule: 'a clock far ahead of the journal at a start dates nothing either',
    seeds: 30,
    canary: { ...NO_CANARY, clockLimits: { ...NO_CANARY.clockLimits, startJumpMaxMs: NO_BOUND } },
  },
  'running-clock-bound-as-at-a-start': {
    rule: 'a running clock is held to a bound of its own, far below that of a start',
    seeds: 40,
    canary: {
      ...NO_CANARY,
      clockLimits: { ...NO_CANARY.clockLimits, jumpMaxMs: NO_CANARY.clockLimits.startJumpMaxMs },
    },
  },
  'ack-before-append': {
    rule: 'a command is durable before it is answered',
    seeds: 5,
    scenario: 'group-commit',
    canary: withStorage((storage) => {
      const { journal } = storage
      const append = journal.append.bind(journal)
      let last: Promise<void> = Promise.resolve()
      let tail = journal.tail
      Object.defineProperty(journal, 'tail', { get: () => tail })
      journal.append = async (batch) => {
        tail = endOf(batch)
        last = last.then(() => append(batch)).catch(() => {})
      }
    }),
  },
  'skip-witness': {
    rule: 'what the journal has lost is noticed at the next start',
    seeds: 20,
    canary: withStorage((storage) => {
      storage.witness.recall = () => ({
        kind: 'MARK',
        mark: { ...storage.journal.tail },
        damage: undefined,
      })
      storage.snapshots.list = async () => ({ heads: [], damaged: [] })
    }),
  },
  'believe-any-mark': {
    rule: "a witness's mark that ends no batch of the journal is no mark of this journal",
    scenario: 'foreign-witness',
    canary: withStorage(({ journal, witness }) => {
      const hashAt = journal.hashAt.bind(journal)
      journal.hashAt = async (seq) => {
        const recorded = witness.recall()
        return (await hashAt(seq)) ?? (recorded.kind === 'MARK' ? recorded.mark.hash : undefined)
      }
    }),
  },
  'skip-hashes': {
    rule: 'a flipped bit is never silently accepted',
    seeds: 100,
    canary: withStorage((storage) => {
      const read = storage.journal.read.bind(storage.journal)
      // Hashes are recomputed from the stored contents, which is the same as not checking them.
      storage.journal.read = async (...range) => refitted(await read(...range))
    }),
  },
  'unsynced-recovery': {
    rule: 'what a start finds is durable before anything is built on it',
    scenario: 'two-restarts',
    canary: { ...NO_CANARY, syncsAtOpen: false },
  },
  'ack-when-full': {
    rule: 'a full disk takes no command',
    seeds: 20,
    canary: withStorage((storage) => {
      const { journal } = storage
      const append = journal.append.bind(journal)
      journal.append = async (batch) => {
        try {
          await append(batch)
        } catch (cause) {
          if (!(cause instanceof JournalFault) || cause.kind !== 'STORAGE_FULL') throw cause
        }
      }
    }),
  },
  'witness-in-place': {
    rule: 'a power cut at the first start leaves a directory that starts',
    scenario: 'first-start',
    canary: withStorage((storage) => {
      const { witness } = storage
      witness.reset = (mark) => {
        witness.record(mark)
        witness.record(mark)
      }
    }),
  },
  'skip-last-command': {
    rule: 'a recovery applies all that the journal holds',
    seeds: 5,
    scenario: 'first-start',
    canary: skippingLast(),
  },
  'reuse-sequence': {
    rule: 'a sequence number is given once',
    seeds: 5,
    canary: withStorage((storage) => {
      const { journal } = storage
      const append = journal.append.bind(journal)
      // One batch in five gets the numbers of the previous one, as with a counter that is written late.
      let previous: Batch | undefined
      let count = 0
      journal.append = async (batch) => {
        const isReused = ++count % 5 === 0 && previous !== undefined
        await append(batch)
        if (isReused) Object.assign(batch, { firstSeq: previous?.firstSeq })
        previous = batch
      }
    }),
  },
} as const satisfies Readonly<Record<string, CanaryTest>>

/** The machine skips the last command of the journal at a start. */
function skippingLast(): Canary {
  let last = 0
  const { factory } = withMachine(
    (machine) => passOver(machine, () => machine.seq + 1 === last),
    (replica) => replica === 'engine',
  )
  const { storage } = withStorage(({ journal }) => {
    last = journal.tail.seq
  })
  return { ...NO_CANARY, factory, storage }
}

/** The same batches, each with the hash of its current contents. */
function refitted(batches: readonly Batch[]): Batch[] {
  let previousHash = batches[0]?.previousHash
  return batches.map((batch) => {
    const unsealed = { ...batch, previousHash: previousHash ?? batch.previousHash }
    previousHash = hashOfBatch(sha256, unsealed)
    return { ...unsealed, hash: previousHash }
  })
}
