/** The claimant of a withdrawal, as bytes: the same in snapshots, events and views. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../units/field-codec.ts'
import { APPROVERS_MAX } from '../../units/limits.ts'
import { APPROVABLE_KINDS } from '../../units/operator-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { RejectedRequest, WithdrawalHandling } from '../questions/view.ts'

/** Bits for present fields. */
const IS_CLAIMED = 1
const WAS_REJECTED = 2
const HAS_ALL = 3

export function writeHandling(
  w: ByteWriter,
  { reference, claimedBy, approvedBy, rejected }: WithdrawalHandling,
): void {
  w.text(reference)
  w.u8((claimedBy === undefined ? 0 : IS_CLAIMED) | (rejected === undefined ? 0 : WAS_REJECTED))
  if (claimedBy !== undefined) {
    w.text(claimedBy)
    writeList(w, approvedBy, (w, actor) => w.text(actor))
  }
  if (rejected === undefined) return
  writeWord(w, APPROVABLE_KINDS, rejected.kind)
  w.text(rejected.askedBy)
  w.text(rejected.rejectedBy)
  w.text(rejected.note)
  w.uint(rejected.at)
}

/** Throws `BytesFault`. */
export function readHandling(r: ByteReader): WithdrawalHandling {
  const reference = r.text()
  const has = r.u8()
  const isClaimed = (has & IS_CLAIMED) !== 0
  const claimedBy = isClaimed ? r.text() : undefined
  const approvedBy = isClaimed ? readList(r, (r) => r.text()) : []
  const rejected = has & WAS_REJECTED ? readRejected(r) : undefined
  if (has === 0 || has > HAS_ALL || approvedBy.length > APPROVERS_MAX)
    throw new BytesFault(`the claim of withdrawal ${reference} before byte ${r.at} is not possible`)
  return { reference, claimedBy, approvedBy, rejected }
}

function readRejected(r: ByteReader): RejectedRequest {
  return {
    kind: readWord(r, APPROVABLE_KINDS),
    askedBy: r.text(),
    rejectedBy: r.text(),
    note: r.text(),
    at: r.uint() as TimeMs,
  }
}
