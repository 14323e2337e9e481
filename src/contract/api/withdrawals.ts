/**
 * Answers about withdrawals requested by traders, withdrawal addresses, and deposits
 * (docs/reference/withdrawals.md). Decimals are exact strings, times integer milliseconds since 1970;
 * inapplicable fields are absent.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Amount, Decimals, TimeMs } from '../../units/quantities.ts'
import {
  assetCode,
  clientOrderId,
  component,
  decimal,
  listOf,
  matching,
  object,
  optional,
  text,
  timeMs,
  type ValueOf,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { ADDRESS, ADDRESS_TAG } from '../endpoints/address-forms.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'
import { NEXT } from '../pages.ts'

const ASKED = successHeads({ en: 'The withdrawal has been requested.', tr: 'Çekim talebi alındı.' })
const RETRACTED = successHeads({ en: 'The withdrawal has been canceled.', tr: 'Çekim iptal edildi.' })
const ALLOWED = successHeads({ en: 'The address has been added.', tr: 'Adres eklendi.' })
const REMOVED = successHeads({ en: 'The address has been removed.', tr: 'Adres kaldırıldı.' })
const ADDRESSES_READ = successHeads({ en: 'The addresses have been read.', tr: 'Adresler getirildi.' })
export const WITHDRAWALS_READ = successHeads({
  en: 'The withdrawals have been read.',
  tr: 'Çekimler getirildi.',
})
export const DEPOSITS_READ = successHeads({
  en: 'The deposits have been read.',
  tr: 'Yatırmalar getirildi.',
})

const coin = assetCode('The code of an asset.')
const address = matching(ADDRESS.pattern, ADDRESS.doc)
const addressTag = optional(matching(ADDRESS_TAG.pattern, ADDRESS_TAG.doc))

/**
 * `WAITING`: its trader can cancel it; `CLAIMED`: it is being paid, or an operator holds it; the others are
 * final.
 */
const STATUSES = ['WAITING', 'CLAIMED', 'COMPLETED', 'CANCELED'] as const

export const WITHDRAWAL = component('Withdrawal', 'Money on its way out of the exchange.', {
  id: text('For a withdrawal created by an operator: its reference.'),
  withdrawOrderId: optional(clientOrderId()),
  coin,
  amount: decimal(),
  address: optional(address),
  addressTag,
  status: word(STATUSES),
  canceledBy: optional(word(['TRADER', 'OPERATOR'])),
  reason: optional(text('Why it was refused.')),
  createdAt: optional(timeMs()),
  claimedAt: optional(timeMs()),
  endedAt: optional(timeMs()),
})

const WITHDRAWAL_ADDRESS = component(
  'WithdrawalAddress',
  'An address to which an account may withdraw an asset.',
  {
    coin,
    address,
    addressTag,
    label: optional(text()),
    addedAt: timeMs(),
    usableAt: timeMs('The time from which withdrawals may go there.'),
  },
)

export const DEPOSIT = component('Deposit', 'Money that came in.', {
  id: text(),
  coin,
  amount: decimal(),
  time: timeMs(),
})

export const WITHDRAWAL_ASKED = object({ id: text(), createdAt: timeMs() })
export const ADDRESS_ALLOWED = object({ usableAt: timeMs() })
export const ADDRESSES = object({ addresses: listOf(WITHDRAWAL_ADDRESS) })
export const WITHDRAWALS = object({ withdrawals: listOf(WITHDRAWAL), next: NEXT })
export const DEPOSITS = object({ deposits: listOf(DEPOSIT), next: NEXT })

export type ShownStatus = (typeof STATUSES)[number]
export type ShownWithdrawal = ValueOf<typeof WITHDRAWAL>
export type ShownAddress = ValueOf<typeof WITHDRAWAL_ADDRESS>
export type ShownDeposit = ValueOf<typeof DEPOSIT>

/** The text itself; undefined if it is empty. */
export function orAbsent(text: string): string | undefined {
  return text === '' ? undefined : text
}

export function unitsOf(amount: Amount, { fraction }: { readonly fraction: Decimals }): string {
  return plainDecimal(amount, fraction)
}

export function withdrawalAskedBody(id: string, createdAt: TimeMs, language: Language): string {
  return successBody(ASKED, language, jsonOf(WITHDRAWAL_ASKED, { id, createdAt }))
}

export function withdrawalRetractedBody(language: Language): string {
  return successBody(RETRACTED, language, undefined)
}

export function addressAllowedBody(usableAt: TimeMs, language: Language): string {
  return successBody(ALLOWED, language, jsonOf(ADDRESS_ALLOWED, { usableAt }))
}

export function addressRemovedBody(language: Language): string {
  return successBody(REMOVED, language, undefined)
}

export function addressesBody(addresses: readonly ShownAddress[], language: Language): string {
  return successBody(ADDRESSES_READ, language, jsonOf(ADDRESSES, { addresses }))
}
