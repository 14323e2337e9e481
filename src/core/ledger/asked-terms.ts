/** The additional fields of a withdrawal requested by its trader, and their bytes. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { isClientOrderId } from '../../units/client-order-id.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import { TEXT_MAX } from '../../units/limits.ts'
import { WITHDRAWAL_CANCELERS, type WithdrawalCanceler } from '../../units/operator-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { isDestination } from './withdrawal-addresses.ts'

/** The additional fields of a withdrawal requested by its trader. */
export type AskedTerms = {
  readonly address: string
  /** '' if there is none. */
  readonly tag: string
  /** The trader's own id for the withdrawal; undefined if there is none. */
  readonly withdrawOrderId: string | undefined
  /** The time of the claim; undefined if the withdrawal is not claimed. */
  readonly claimedAt: TimeMs | undefined
  /** Undefined while the withdrawal is pending. */
  readonly end: AskedEnd | undefined
}

export type AskedEnd = {
  readonly at: TimeMs
  /** Who canceled the withdrawal; undefined if the money has left. */
  readonly canceledBy: WithdrawalCanceler | undefined
  /** The reason shown to its trader; '' if there is none. */
  readonly reason: string
}

/** Bits for present fields. */
const HAS_OWN_ID = 1
const IS_CLAIMED = 2
const HAS_ENDED = 4
const IS_CANCELED = 8
const HAS_ALL = 15

export function writeAsked(
  w: ByteWriter,
  { address, tag, withdrawOrderId, claimedAt, end }: AskedTerms,
): void {
  w.u8(
    (withdrawOrderId === undefined ? 0 : HAS_OWN_ID) |
      (claimedAt === undefined ? 0 : IS_CLAIMED) |
      (end === undefined ? 0 : HAS_ENDED) |
      (end?.canceledBy === undefined ? 0 : IS_CANCELED),
  )
  w.text(address)
  w.text(tag)
  if (withdrawOrderId !== undefined) w.text(withdrawOrderId)
  if (claimedAt !== undefined) w.uint(claimedAt)
  if (end === undefined) return
  w.uint(end.at)
  if (end.canceledBy === undefined) return
  writeWord(w, WITHDRAWAL_CANCELERS, end.canceledBy)
  w.text(end.reason)
}

/** Throws `BytesFault`. */
export function readAsked(r: ByteReader): AskedTerms {
  const has = r.u8()
  const asked = {
    address: r.text(),
    tag: r.text(),
    withdrawOrderId: has & HAS_OWN_ID ? r.text() : undefined,
    claimedAt: has & IS_CLAIMED ? (r.uint() as TimeMs) : undefined,
    end: has & HAS_ENDED ? readEnd(r, (has & IS_CANCELED) !== 0) : undefined,
  }
  const { withdrawOrderId, end } = asked
  const isNamed = withdrawOrderId === undefined || isClientOrderId(withdrawOrderId)
  const isKnown = has <= HAS_ALL && ((has & IS_CANCELED) === 0 || end !== undefined)
  if (!isKnown || !isNamed || !isDestination(asked) || (end?.reason.length ?? 0) > TEXT_MAX)
    throw new BytesFault(`the withdrawal request before byte ${r.at} is not valid`)
  return asked
}

function readEnd(r: ByteReader, isCanceled: boolean): AskedEnd {
  const at = r.uint() as TimeMs
  if (!isCanceled) return { at, canceledBy: undefined, reason: '' }
  return { at, canceledBy: readWord(r, WITHDRAWAL_CANCELERS), reason: r.text() }
}
