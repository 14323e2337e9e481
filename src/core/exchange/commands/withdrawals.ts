/** Commands on withdrawals that traders ask for themselves (docs/reference/withdrawals.md). */
import type { AccountId } from '../../../units/ids.ts'
import type { WithdrawalStep } from '../../../units/operator-words.ts'
import type { Amount } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

/** Where money goes when it leaves. */
export type Destination = {
  /** 1 to `WITHDRAWAL_ADDRESS_MAX` visible ASCII characters. */
  readonly address: string
  /** A memo or destination tag: at most `WITHDRAWAL_TAG_MAX` visible ASCII characters; '': none. */
  readonly tag: string
}

/** Holds money that is to leave, in the trader's own name, for an address that the account has. */
export type AskWithdrawal = Destination & {
  readonly kind: 'AskWithdrawal'
  readonly accountId: AccountId
  readonly asset: string
  readonly amount: Amount
  /** The trader's own name for it, of the form of a client order id; undefined: none. */
  readonly withdrawOrderId: string | undefined
}

/** Which withdrawal of an account is meant: by the exchange's id, or by the trader's own. */
export type WithdrawalName =
  | { readonly kind: 'ID'; readonly reference: string }
  | { readonly kind: 'OWN'; readonly withdrawOrderId: string }

/** Frees the money of a withdrawal again, while nobody has claimed it. */
export type RetractWithdrawal = {
  readonly kind: 'RetractWithdrawal'
  readonly accountId: AccountId
  readonly name: WithdrawalName
}

/** An address that comes to those of an account, or goes. */
export type AddressChange = Destination & {
  readonly accountId: AccountId
  readonly asset: string
  /** False: it goes. */
  readonly isAllowed: boolean
  /** What its owner calls it, at most `TEXT_MAX`; of one that goes nothing. */
  readonly label: string
}

/** The trader's own change: a new address waits for its asset's delay. */
export type SetOwnAddress = AddressChange & { readonly kind: 'SetOwnAddress' }

/** An operator's change. */
export type SetAccountAddress = AddressChange & {
  readonly kind: 'SetAccountAddress'
  readonly operator: Operator
  /** Money may go there at once: the operator answers for it. */
  readonly isAtOnce: boolean
}

/** What traders may ask for of an asset. Whoever sets it sets all of it. */
export type SetWithdrawalTerms = {
  readonly kind: 'SetWithdrawalTerms'
  readonly operator: Operator
  readonly code: string
  /** Least and most of one withdrawal; 0: no limit of its own. */
  readonly withdrawMin: Amount
  readonly withdrawMax: Amount
  /** How long a new address waits, 0 to `ADDRESS_DELAY_MAX_MS`. */
  readonly addressDelayMs: number
}

/** Whoever pays takes a withdrawal in hand, so that its trader cannot cancel it any more, or gives its money back. */
export type HandleWithdrawal = {
  readonly kind: 'HandleWithdrawal'
  readonly operator: Operator
  readonly reference: string
  readonly step: WithdrawalStep
  /** Of a refusal: why, for the trader to read, at most `TEXT_MAX`; else ''. */
  readonly reason: string
}

/** What traders order. */
export type WithdrawalCommand = AskWithdrawal | RetractWithdrawal | SetOwnAddress

/** What operators order. */
export type WithdrawalDeskCommand = SetAccountAddress | SetWithdrawalTerms | HandleWithdrawal
