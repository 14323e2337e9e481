/** Updates of accounts: as stored in a block of the history, and as answered to a follower of an account. */
import * as fc from 'fast-check'
import { readUpdatesAnswers, writeUpdatesAnswers } from '../../../src/engine/history/update-answer-codec.ts'
import { readUpdates, type StoredUpdate, UpdateWriter } from '../../../src/engine/history/update-codec.ts'
import {
  arbitraryStoredUpdate,
  arbitraryUpdatesAnswer,
  FIRST_STORED,
} from '../../../src/engine/history/updates.arbitraries.ts'
import type { UpdatesAnswer } from '../../../src/engine/port/ports.ts'
import { ByteWriter } from '../../../src/units/bytes.ts'

export type Named =
  | { readonly kind: 'stored'; readonly updates: readonly StoredUpdate[] }
  | { readonly kind: 'answered'; readonly answers: readonly UpdatesAnswer[] }

export const arbitraryUpdateByKind: { readonly [K in Named['kind']]: fc.Arbitrary<Named> } = {
  stored: fc.array(arbitraryStoredUpdate, { minLength: 1, maxLength: 3 }).map(([first, ...rest]) => ({
    kind: 'stored',
    updates: [{ ...(first as StoredUpdate), ...FIRST_STORED }, ...rest],
  })),
  answered: fc
    .array(arbitraryUpdatesAnswer, { maxLength: 2 })
    .map((answers) => ({ kind: 'answered', answers })),
}

/** The byte before each update, which is its kind. */
const [STORED, ANSWERED] = [0, 1]

export function writeNamedUpdates(value: Named): Uint8Array {
  if (value.kind === 'answered') {
    const bytes = writeUpdatesAnswers(new ByteWriter(), value.answers)
    return Uint8Array.of(ANSWERED, ...bytes)
  }
  const writer = new UpdateWriter()
  for (const update of value.updates) writeStored(writer, update)
  return Uint8Array.of(STORED, ...(writer.take()?.data ?? []))
}

function writeStored(writer: UpdateWriter, update: StoredUpdate): void {
  const { placed, changed, ended, trades, balances } = update
  writer.begin(update.seq, update.time, update.accountId)
  writer.count(placed.length + changed.length + ended.length)
  for (const each of placed) writer.placed(each)
  for (const each of changed) writer.changed(each)
  for (const each of ended) writer.ended(each)
  writer.count(trades.length)
  for (const each of trades) writer.trade(each)
  writer.count(balances.length)
  for (const each of balances) writer.balance(each)
  writer.end()
}

export function readNamedUpdates(bytes: Uint8Array): Named {
  const rest = bytes.slice(1)
  if (bytes[0] === ANSWERED) return { kind: 'answered', answers: readUpdatesAnswers(rest) }
  const updates: StoredUpdate[] = []
  readUpdates(
    rest,
    () => true,
    (update) => updates.push(update),
  )
  return { kind: 'stored', updates }
}
