/** The fields of commands that move money, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readWord, writeWord } from '../../../../units/field-codec.ts'
import type { AccountId } from '../../../../units/ids.ts'
import type { Amount } from '../../../../units/quantities.ts'
import type { CommandOf } from '../../command.ts'
import type { MoneyCommand } from '../../commands/money.ts'
import type { FieldCodec, FieldCodecs } from './fields.ts'

/** The buckets an operator may move money between; numbered by position: new ones go to the end. */
const MOVABLE_BUCKETS = [
  'free',
  'freeze',
  'savings',
] as const satisfies readonly CommandOf<'MoveBetweenBuckets'>['from'][]

/** Money of an account under a reference. */
const transfer = {
  write: (w, c) => {
    w.uint(c.accountId)
    writeMoney(w, c)
  },
  read: (r) => ({ accountId: readAccountId(r), ...readMoney(r) }),
} satisfies FieldCodec<'Credit' | 'Debit' | 'HoldWithdrawal'>

/** The end of a withdrawal, by the reference it was held under. */
const withdrawalEnd = {
  write: (w, c) => w.text(c.reference),
  read: (r) => ({ reference: r.text() }),
} satisfies FieldCodec<'CompleteWithdrawal' | 'CancelWithdrawal'>

export const MONEY_FIELDS: FieldCodecs<MoneyCommand['kind']> = {
  Credit: transfer,
  Debit: transfer,
  MoveBetweenBuckets: {
    write: (w, c) => {
      w.uint(c.accountId)
      w.text(c.asset)
      writeWord(w, MOVABLE_BUCKETS, c.from)
      writeWord(w, MOVABLE_BUCKETS, c.to)
      w.whole(c.amount)
      w.text(c.reference)
    },
    read: (r) => ({
      accountId: readAccountId(r),
      asset: r.text(),
      from: readWord(r, MOVABLE_BUCKETS),
      to: readWord(r, MOVABLE_BUCKETS),
      amount: r.whole() as Amount,
      reference: r.text(),
    }),
  },
  MoveSavings: {
    write: (w, c) => {
      w.bool(c.isDeposit)
      w.uint(c.accountId)
      writeMoney(w, c)
    },
    read: (r) => ({ isDeposit: r.bool(), accountId: readAccountId(r), ...readMoney(r) }),
  },
  PayOutCommission: { write: writeMoney, read: readMoney },
  HoldWithdrawal: transfer,
  CompleteWithdrawal: withdrawalEnd,
  CancelWithdrawal: withdrawalEnd,
}

type Money = { readonly asset: string; readonly amount: Amount; readonly reference: string }

function writeMoney(w: ByteWriter, { asset, amount, reference }: Money): void {
  w.text(asset)
  w.whole(amount)
  w.text(reference)
}

function readMoney(r: ByteReader): Money {
  return { asset: r.text(), amount: r.whole() as Amount, reference: r.text() }
}

function readAccountId(r: ByteReader): AccountId {
  return r.uint() as AccountId
}
