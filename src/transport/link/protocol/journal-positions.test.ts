import { expect, test } from 'bun:test'
import type { JournalPosition } from '../../../engine/port/journal.ts'
import { seq } from '../../../units/quantities.ts'
import { laterPosition } from './journal-positions.ts'

test('the later of two ends of a journal is the one after more batches: some have no command', () => {
  const hash = new Uint8Array(32)
  const before: JournalPosition = { position: 4, epoch: 1, seq: seq(70), hash }
  const claimed: JournalPosition = { position: 5, epoch: 2, seq: seq(70), hash }
  expect([laterPosition(before, claimed), laterPosition(claimed, before)]).toEqual([claimed, claimed])
  expect([laterPosition(undefined, before), laterPosition(before, undefined)]).toEqual([before, before])
  expect(laterPosition(undefined, undefined)).toBeUndefined()
})
