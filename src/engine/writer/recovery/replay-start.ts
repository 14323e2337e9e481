/**
 * The start of a replay, of the engine and of the follower: the newest usable snapshot that is not past a
 * given position in the journal. For the engine that is the journal's end; for the follower it is the
 * position of history, because history must receive every command exactly once.
 */
import type { Seq } from '../../../units/quantities.ts'
import type { Mark, Tail } from '../../port/journal.ts'
import { EMPTY_TAIL } from '../../port/journal.ts'
import type { SnapshotHead, SnapshotStore } from '../../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../../port/state-machine.ts'

/** A machine and its position in the journal. */
export type ReplayStart = {
  readonly machine: StateMachine
  readonly tail: Tail
  /** The snapshots passed in, newest first, without those found unusable. */
  readonly heads: readonly SnapshotHead[]
}

export type StartParts = {
  readonly snapshots: SnapshotStore
  readonly factory: StateMachineFactory
  /** Called for each damaged snapshot that is skipped. */
  readonly onDamaged: (name: string, problem: string) => void
}

/** The newest usable start at or before `end`; the empty machine when there is none. */
export async function chooseStart(
  parts: StartParts,
  heads: readonly SnapshotHead[],
  end: Mark,
): Promise<ReplayStart> {
  const good: SnapshotHead[] = []
  for (const [i, head] of heads.entries()) {
    const machine = head.seq <= end.seq ? await loadMachine(parts, head) : undefined
    if (machine !== undefined) {
      const { position, epoch, seq, time, journalHash } = head
      const tail = { position, epoch, seq, time, hash: journalHash }
      return { machine, tail, heads: [...good, ...heads.slice(i)] }
    }
    if (head.seq > end.seq) good.push(head)
  }
  return { machine: parts.factory.empty(), tail: EMPTY_TAIL, heads: good }
}

/**
 * The machine of one snapshot; undefined, and reported, when it is damaged or not readable by this version.
 */
export async function loadMachine(
  { snapshots, factory, onDamaged }: StartParts,
  head: SnapshotHead,
): Promise<StateMachine | undefined> {
  const loaded = await snapshots.load(head)
  if ('problem' in loaded) {
    onDamaged(loaded.name, loaded.problem)
    return undefined
  }
  try {
    const machine = factory.fromSnapshot(loaded.payload)
    if (machine.seq === head.seq) return machine
    onDamaged(nameOf(head.seq), `expected the state after command ${head.seq}, found ${machine.seq}`)
  } catch (cause) {
    onDamaged(nameOf(head.seq), cause instanceof Error ? cause.message : String(cause))
  }
  return undefined
}

function nameOf(seq: Seq): string {
  return `snapshot of command ${seq}`
}
