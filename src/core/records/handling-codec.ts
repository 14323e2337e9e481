/** The claimant of a withdrawal, as bytes: the same in snapshots, events and views. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import { APPROVERS_MAX } from '../../units/limits.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { REJECTED_REQUEST, type WithdrawalHandling } from '../questions/view.ts'

const REJECTED = byteCodec(REJECTED_REQUEST)

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
  if (rejected !== undefined) REJECTED.write(w, rejected)
}

/** Throws `BytesFault`. */
export function readHandling(r: ByteReader): WithdrawalHandling {
  const reference = r.text()
  const has = r.u8()
  const isClaimed = (has & IS_CLAIMED) !== 0
  const claimedBy = isClaimed ? r.text() : undefined
  const approvedBy = isClaimed ? readList(r, (r) => r.text()) : []
  const rejected = has & WAS_REJECTED ? REJECTED.read(r) : undefined
  if (has === 0 || has > HAS_ALL || approvedBy.length > APPROVERS_MAX)
    throw new BytesFault(`the claim of withdrawal ${reference} before byte ${r.at} is not valid`)
  return { reference, claimedBy, approvedBy, rejected }
}
