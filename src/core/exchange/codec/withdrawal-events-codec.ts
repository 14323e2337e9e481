/** Events of withdrawals, as bytes. The rules of these formats stand in `event-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { readAsked, writeAsked } from '../../ledger/asked-terms.ts'
import { readAddress, writeAddress } from '../../ledger/withdrawal-addresses.ts'
import { readWithdrawal, writeWithdrawal } from '../../ledger/withdrawals.ts'
import type { WithdrawalAddressChanged, WithdrawalChanged, WithdrawalHandled } from '../event.ts'
import { readHandling, writeHandling } from './handling-codec.ts'

export const WITHDRAWAL_EVENT_CODES = {
  WithdrawalChanged: 16,
  WithdrawalAddressChanged: 55,
  WithdrawalHandled: 66,
} as const
/** In place of the code of `WithdrawalChanged`, of one that its trader has asked for: more follows. */
export const ASKED_WITHDRAWAL_CHANGED = 56

type WithdrawalEvent = WithdrawalChanged | WithdrawalAddressChanged | WithdrawalHandled

export function writeWithdrawalEvent(w: ByteWriter, event: WithdrawalEvent): void {
  if (event.kind === 'WithdrawalAddressChanged') {
    writeAddress(w, event.address)
    w.bool(event.isAllowed)
    return
  }
  if (event.kind === 'WithdrawalHandled') {
    writeHandling(w, event.handling)
    return
  }
  const { withdrawal } = event
  writeWithdrawal(w, withdrawal)
  if (withdrawal.asked !== undefined) writeAsked(w, withdrawal.asked)
}

/** Undefined: the code is of no such event. Throws `BytesFault`. */
export function readWithdrawalEvent(code: number, r: ByteReader): WithdrawalEvent | undefined {
  switch (code) {
    case WITHDRAWAL_EVENT_CODES.WithdrawalChanged:
      return { kind: 'WithdrawalChanged', withdrawal: readWithdrawal(r) }
    case ASKED_WITHDRAWAL_CHANGED:
      return { kind: 'WithdrawalChanged', withdrawal: { ...readWithdrawal(r), asked: readAsked(r) } }
    case WITHDRAWAL_EVENT_CODES.WithdrawalAddressChanged:
      return { kind: 'WithdrawalAddressChanged', address: readAddress(r), isAllowed: r.bool() }
    case WITHDRAWAL_EVENT_CODES.WithdrawalHandled:
      return { kind: 'WithdrawalHandled', handling: readHandling(r) }
    default:
      return undefined
  }
}
