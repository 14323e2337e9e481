/** Commands on withdrawals that traders ask for themselves (docs/reference/withdrawals.md). */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import { WITHDRAWAL_STEPS } from '../../units/operator-enums.ts'
import type { Amount } from '../../units/quantities.ts'
import { flag, integer, type ObjectOf, orUndefined, own, text, uint, word } from '../../units/shapes/shape.ts'
import { WITHDRAWAL_AMENDMENT } from '../registry/amendments.ts'
import { type CommandIn, commandRows, operatorRows } from './row.ts'

const DESTINATION = {
  /** 1 to `WITHDRAWAL_ADDRESS_MAX` visible ASCII characters. */
  address: text(),
  /**
   * A memo or destination tag: at most `WITHDRAWAL_TAG_MAX` visible ASCII characters; '' if there is none.
   */
  tag: text(),
}

/** The destination of a withdrawal. */
export interface Destination extends ObjectOf<typeof DESTINATION> {}

/** A withdrawal of an account, named by the exchange's id or by the trader's own. */
export type WithdrawalName =
  | { readonly kind: 'ID'; readonly reference: string }
  | { readonly kind: 'OWN'; readonly withdrawOrderId: string }

const WITHDRAWAL_NAME = own<WithdrawalName>({
  write: (w: ByteWriter, name) => {
    w.bool(name.kind === 'OWN')
    w.text(name.kind === 'OWN' ? name.withdrawOrderId : name.reference)
  },
  read: (r: ByteReader) =>
    r.bool() ? { kind: 'OWN', withdrawOrderId: r.text() } : { kind: 'ID', reference: r.text() },
})

const ADDRESS_CHANGE = {
  accountId: uint<AccountId>(),
  asset: text(),
  ...DESTINATION,
  /** False if the address is removed. */
  isAllowed: flag(),
  /** The owner's label, at most `TEXT_MAX`; empty for a removal. */
  label: text(),
}

/** An address added to or removed from those of an account. */
export interface AddressChange extends ObjectOf<typeof ADDRESS_CHANGE> {}

/** Commands of traders. */
export const WITHDRAWAL_ROWS = commandRows({
  AskWithdrawal: {
    code: 63,
    fields: {
      accountId: uint<AccountId>(),
      asset: text(),
      amount: integer<Amount>(),
      ...DESTINATION,
      /**
       * The trader's own id for the withdrawal, in the form of a client order id; undefined if there is none.
       */
      withdrawOrderId: orUndefined(text()),
    },
  },
  RetractWithdrawal: {
    code: 64,
    fields: { accountId: uint<AccountId>(), name: WITHDRAWAL_NAME },
  },
  SetOwnAddress: { code: 65, fields: ADDRESS_CHANGE },
})

/** Commands of operators. */
export const WITHDRAWAL_REQUEST_ROWS = operatorRows({
  SetAccountAddress: {
    code: 66,
    fields: {
      ...ADDRESS_CHANGE,
      /** Money may be sent to the address at once: the operator answers for it. */
      isAtOnce: flag(),
    },
  },
  SetWithdrawalTerms: {
    code: 67,
    fields: { code: text(), ...WITHDRAWAL_AMENDMENT },
  },
  HandleWithdrawal: {
    code: 68,
    fields: {
      reference: text(),
      step: word(WITHDRAWAL_STEPS),
      /** For a refusal: the reason for the trader, at most `TEXT_MAX`; else ''. */
      reason: text(),
    },
  },
})

type In<Kind extends keyof typeof WITHDRAWAL_ROWS> = CommandIn<typeof WITHDRAWAL_ROWS, Kind>
type RequestIn<Kind extends keyof typeof WITHDRAWAL_REQUEST_ROWS> = CommandIn<
  typeof WITHDRAWAL_REQUEST_ROWS,
  Kind
>

/**
 * Holds money that is to leave the exchange, at the trader's own request, for one of the account's addresses.
 */
export interface AskWithdrawal extends In<'AskWithdrawal'> {}

/** Frees the money of a withdrawal that is not claimed. */
export interface RetractWithdrawal extends In<'RetractWithdrawal'> {}

/** The trader's own change: a new address can be used after its asset's delay. */
export interface SetOwnAddress extends In<'SetOwnAddress'> {}

/** An operator's change to an account's addresses. */
export interface SetAccountAddress extends RequestIn<'SetAccountAddress'> {}

/** The limits of traders' withdrawal requests for an asset. All of them are set together. */
export interface SetWithdrawalTerms extends RequestIn<'SetWithdrawalTerms'> {}

/**
 * Claims a withdrawal for payment, so that its trader can no longer cancel it, or refuses it and returns its
 * money.
 */
export interface HandleWithdrawal extends RequestIn<'HandleWithdrawal'> {}

export type WithdrawalCommand = CommandIn<typeof WITHDRAWAL_ROWS>

export type WithdrawalRequestCommand = CommandIn<typeof WITHDRAWAL_REQUEST_ROWS>
