/** The views of withdrawals, as bytes. The rules of these formats are in `view-codec.ts`. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { type ByteCodec, listOf, object, own } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { readAsked, writeAsked } from '../ledger/asked-terms.ts'
import { type AskedWithdrawal, isAsked } from '../ledger/asked-withdrawals.ts'
import { WITHDRAWAL_ADDRESS } from '../ledger/withdrawal-addresses.ts'
import { readWithdrawal, WITHDRAWAL, type Withdrawal, writeWithdrawal } from '../ledger/withdrawals.ts'
import type { AccountWithdrawals, BackOfficeRecords, WithdrawalHandling } from './view.ts'

type AskedOf = Pick<AskedWithdrawal, 'reference' | 'asked'>

export function writeAskedOf(w: ByteWriter, { reference, asked }: AskedOf): void {
  w.text(reference)
  writeAsked(w, asked)
}

export function readAskedOf(r: ByteReader): AskedOf {
  return { reference: r.text(), asked: readAsked(r) }
}

/** Adds to pending withdrawals the additional fields of those that traders requested. */
export function withAsked(
  records: BackOfficeRecords | undefined,
  all: readonly AskedOf[],
  r: ByteReader,
): BackOfficeRecords {
  const askedByReference = new Map(all.map(({ reference, asked }) => [reference, asked]))
  const withdrawals = records?.withdrawals.map((one) => {
    const asked = askedByReference.get(one.reference)
    return asked === undefined ? one : { ...one, asked }
  })
  if (records === undefined || withdrawals?.filter(isAsked).length !== all.length)
    throw new BytesFault(`withdrawals of traders before byte ${r.at} are not among those that wait`)
  return { ...records, withdrawals }
}

/** Adds the claimants of pending withdrawals to the records. */
export function withHandlings(
  records: BackOfficeRecords | undefined,
  handlings: readonly WithdrawalHandling[],
  r: ByteReader,
): BackOfficeRecords {
  if (records === undefined || handlings.length === 0)
    throw new BytesFault(`expected claims of withdrawals before byte ${r.at}, found none`)
  return { ...records, handlings }
}

const ASKED_WITHDRAWAL = own<AskedWithdrawal>({
  write: (w, withdrawal) => {
    writeWithdrawal(w, withdrawal)
    writeAsked(w, withdrawal.asked)
  },
  read: (r) => ({ ...readWithdrawal(r), asked: readAsked(r) }),
})

export const { write: writeAccountWithdrawals, read: readAccountWithdrawals }: ByteCodec<AccountWithdrawals> =
  byteCodec(
    object({
      addresses: listOf(WITHDRAWAL_ADDRESS),
      withdrawals: listOf(ASKED_WITHDRAWAL),
      held: listOf(WITHDRAWAL),
    }),
  )

export function writeKnownWithdrawal(w: ByteWriter, withdrawal: Withdrawal | undefined): void {
  w.bool(withdrawal !== undefined)
  if (withdrawal === undefined) return
  writeWithdrawal(w, withdrawal)
  w.bool(withdrawal.asked !== undefined)
  if (withdrawal.asked !== undefined) writeAsked(w, withdrawal.asked)
}

export function readKnownWithdrawal(r: ByteReader): Withdrawal | undefined {
  if (!r.bool()) return undefined
  const withdrawal = readWithdrawal(r)
  return r.bool() ? { ...withdrawal, asked: readAsked(r) } : withdrawal
}
