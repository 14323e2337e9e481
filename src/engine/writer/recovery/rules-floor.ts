/**
 * The oldest rules version under which a journal may begin: it is checked before anything is done with the
 * journal, even if a snapshot replaces its beginning (docs/decisions/0051-rules-floor.md).
 */
import { RulesFloorFault, requireChoice } from '../../../core/commands/command-rules.ts'
import { FIRST_RULES_VERSION } from '../../../core/exchange/rules.ts'
import { ByteReader } from '../../../units/bytes.ts'
import type { Seq } from '../../../units/quantities.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  type Journal,
  JournalFault,
  verifyBatch,
} from '../../port/journal.ts'
import type { StateMachineFactory } from '../../port/state-machine.ts'
import { readStored } from './replay.ts'

/** The oldest rules version under which a journal may begin; see `StateMachineFactory`. */
export type Floor = Pick<StateMachineFactory, 'rulesMin'>

/**
 * Whether `batch`, preceded only by the journal's own batches, contains the first command. Throws
 * `UNSUPPORTED` if that command chooses no rules, or rules that are too old.
 */
export function beginsCommands(
  { kind, data, firstSeq }: Batch,
  { rulesMin = FIRST_RULES_VERSION }: Floor,
): boolean {
  if (kind !== 'COMMANDS') return false
  if (rulesMin === FIRST_RULES_VERSION) return true
  try {
    requireChoice(readStored(new ByteReader(data), firstSeq), rulesMin)
  } catch (cause) {
    if (!(cause instanceof RulesFloorFault)) throw cause
    throw new JournalFault('UNSUPPORTED', cause.message, { cause })
  }
  return true
}

/**
 * Throws `UNSUPPORTED` if the journal begins below the oldest supported rules version. A beginning that is
 * unreadable or damaged is not reported: a start from a snapshot does not need it, and its archive may be
 * absent.
 */
export async function requireFloor(
  journal: Pick<Journal, 'read'> & { readonly tail: { readonly seq: Seq } },
  digest: Digest,
  floor: Floor,
): Promise<void> {
  let tail = EMPTY_TAIL
  while (floor.rulesMin !== undefined && tail.seq < journal.tail.seq) {
    let batch: Batch | undefined
    try {
      batch = (await journal.read(tail.seq, 1))[0]
      if (batch === undefined) return
      tail = verifyBatch(digest, tail, batch)
    } catch (cause) {
      if (cause instanceof JournalFault && cause.kind === 'DAMAGED') return
      throw cause
    }
    if (beginsCommands(batch, floor)) return
  }
}
