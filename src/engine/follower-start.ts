/**
 * Where a follower's replay starts: from the newest good snapshot that is not past the history, because the history
 * must see every command exactly once.
 */
import type { Seq } from '../units/quantities.ts'
import type { Mark, Tail } from './journal.ts'
import { EMPTY_TAIL } from './journal.ts'
import type { SnapshotHead, SnapshotStore } from './snapshots.ts'
import type { StateMachine, StateMachineFactory } from './state-machine.ts'

/** A machine and the place in the journal at which it stands. */
export type ReplayStart = { readonly machine: StateMachine; readonly tail: Tail }

export type StartParts = {
  readonly snapshots: SnapshotStore
  readonly factory: StateMachineFactory
  /** Told of each snapshot that is damaged and passed over. */
  readonly onDamaged: (name: string, problem: string) => void
}

/** The newest usable start at or before `position`; the empty machine when there is none. */
export async function chooseStart(
  parts: StartParts,
  heads: readonly SnapshotHead[],
  position: Mark,
): Promise<ReplayStart> {
  for (const head of heads) {
    if (head.seq > position.seq) continue
    const machine = await loadMachine(parts, head)
    if (machine !== undefined) {
      return { machine, tail: { seq: head.seq, time: head.time, hash: head.journalHash } }
    }
  }
  return { machine: parts.factory.empty(), tail: EMPTY_TAIL }
}

async function loadMachine(
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
