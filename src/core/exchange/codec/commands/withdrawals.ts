/** Commands on withdrawals that traders ask for, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readWord, writeWord } from '../../../../units/field-codec.ts'
import type { AccountId } from '../../../../units/ids.ts'
import { WITHDRAWAL_STEPS } from '../../../../units/operator-words.ts'
import type { Amount } from '../../../../units/quantities.ts'
import type * as C from '../../commands/withdrawals.ts'
import type { FieldCodecs } from './fields.ts'

export function writeWithdrawalCommand(w: ByteWriter, command: C.WithdrawalCommand): void {
  switch (command.kind) {
    case 'AskWithdrawal':
      writeAskWithdrawal(w, command)
      break
    case 'RetractWithdrawal':
      writeRetractWithdrawal(w, command)
      break
    case 'SetOwnAddress':
      writeAddressChange(w, command)
  }
}

function writeAskWithdrawal(w: ByteWriter, c: C.AskWithdrawal): void {
  w.uint(c.accountId)
  w.text(c.asset)
  w.whole(c.amount)
  w.text(c.address)
  w.text(c.tag)
  w.bool(c.withdrawOrderId !== undefined)
  if (c.withdrawOrderId !== undefined) w.text(c.withdrawOrderId)
}

export function readAskWithdrawal(r: ByteReader): C.AskWithdrawal {
  return {
    kind: 'AskWithdrawal',
    accountId: r.uint() as AccountId,
    asset: r.text(),
    amount: r.whole() as Amount,
    address: r.text(),
    tag: r.text(),
    withdrawOrderId: r.bool() ? r.text() : undefined,
  }
}

function writeRetractWithdrawal(w: ByteWriter, { accountId, name }: C.RetractWithdrawal): void {
  w.uint(accountId)
  w.bool(name.kind === 'OWN')
  w.text(name.kind === 'OWN' ? name.withdrawOrderId : name.reference)
}

export function readRetractWithdrawal(r: ByteReader): C.RetractWithdrawal {
  const accountId = r.uint() as AccountId
  const isOwn = r.bool()
  const text = r.text()
  const name = isOwn
    ? ({ kind: 'OWN', withdrawOrderId: text } as const)
    : ({ kind: 'ID', reference: text } as const)
  return { kind: 'RetractWithdrawal', accountId, name }
}

function writeAddressChange(w: ByteWriter, c: C.AddressChange): void {
  w.uint(c.accountId)
  w.text(c.asset)
  w.text(c.address)
  w.text(c.tag)
  w.bool(c.isAllowed)
  w.text(c.label)
}

function readAddressChange(r: ByteReader): C.AddressChange {
  return {
    accountId: r.uint() as AccountId,
    asset: r.text(),
    address: r.text(),
    tag: r.text(),
    isAllowed: r.bool(),
    label: r.text(),
  }
}

export function readSetOwnAddress(r: ByteReader): C.SetOwnAddress {
  return { kind: 'SetOwnAddress', ...readAddressChange(r) }
}

export const WITHDRAWAL_DESK_FIELDS: FieldCodecs<C.WithdrawalDeskCommand['kind']> = {
  SetAccountAddress: {
    write: (w, c) => {
      writeAddressChange(w, c)
      w.bool(c.isAtOnce)
    },
    read: (r) => ({ ...readAddressChange(r), isAtOnce: r.bool() }),
  },
  SetWithdrawalTerms: {
    write: (w, c) => {
      w.text(c.code)
      w.whole(c.withdrawMin)
      w.whole(c.withdrawMax)
      w.uint(c.addressDelayMs)
    },
    read: (r) => ({
      code: r.text(),
      withdrawMin: r.whole() as Amount,
      withdrawMax: r.whole() as Amount,
      addressDelayMs: r.uint(),
    }),
  },
  HandleWithdrawal: {
    write: (w, c) => {
      w.text(c.reference)
      writeWord(w, WITHDRAWAL_STEPS, c.step)
      w.text(c.reason)
    },
    read: (r) => ({ reference: r.text(), step: readWord(r, WITHDRAWAL_STEPS), reason: r.text() }),
  },
}
