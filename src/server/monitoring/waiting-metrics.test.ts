import { expect, test } from 'bun:test'
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import { type WaitingRecords, waitingOf } from './waiting-metrics.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

function records(withdrawals: readonly object[], approvals: readonly object[]): WaitingRecords {
  const byNumber = (items: readonly object[]) => new Map(items.map((item, i) => [String(i), item]))
  return {
    withdrawalByReference: byNumber(withdrawals),
    approvalByReference: byNumber(approvals),
  } as unknown as WaitingRecords
}

test('a withdrawal waits until it is claimed, a claim from then on, and an approval until its time is over', () => {
  const asked = (claimedAt: number | undefined) => ({ asked: { claimedAt } })
  const found = waitingOf(
    records(
      [
        { requestedAt: NOW - 5 * HOUR },
        { requestedAt: NOW - 9 * HOUR, ...asked(undefined) },
        { requestedAt: NOW - 30 * HOUR, ...asked(NOW - 2 * HOUR) },
      ],
      [{ requestedAt: NOW - HOUR }, { requestedAt: NOW - APPROVAL_LIFETIME_MS }],
    ),
    NOW,
  )
  expect(found).toEqual({
    withdrawal: { count: 2, oldestMs: NOW - 9 * HOUR },
    claim: { count: 1, oldestMs: NOW - 2 * HOUR },
    approval: { count: 1, oldestMs: NOW - HOUR },
  })
  const none = { count: 0, oldestMs: undefined }
  expect(waitingOf(records([], []), NOW)).toEqual({ withdrawal: none, claim: none, approval: none })
})
