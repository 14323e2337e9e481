/**
 * Withdrawals that traders ask for, the addresses that they go to, and deposits, as they are answered
 * (docs/reference/withdrawals.md). Decimals are exact strings, times whole milliseconds since 1970; what does not apply is absent.
 */
import { plainDecimal } from '../units/decimal.ts'
import type { WithdrawalCanceler } from '../units/operator-words.ts'
import type { Amount, Decimals, TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

const ASKED = successHeads({ en: 'The withdrawal has been asked for.', tr: 'Çekim talebi alındı.' })
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

/** `WAITING`: its trader can cancel it; `CLAIMED`: it is being paid, or an operator holds it; the others are its end. */
export type ShownStatus = 'WAITING' | 'CLAIMED' | 'COMPLETED' | 'CANCELED'

/** A withdrawal as its trader sees it. */
export type ShownWithdrawal = {
  readonly id: string
  readonly withdrawOrderId?: string | undefined
  readonly coin: string
  readonly amount: string
  /** Absent of one that an operator has held. */
  readonly address?: string | undefined
  readonly addressTag?: string | undefined
  readonly status: ShownStatus
  readonly canceledBy?: WithdrawalCanceler | undefined
  /** Why it was refused, where whoever refused it said so. */
  readonly reason?: string | undefined
  /** Absent of one that an operator has held and that has ended. */
  readonly createdAt?: number | undefined
  readonly claimedAt?: number | undefined
  readonly endedAt?: number | undefined
}

export type ShownAddress = {
  readonly coin: string
  readonly address: string
  readonly addressTag?: string | undefined
  readonly label?: string | undefined
  readonly addedAt: number
  /** From then on money may go there. */
  readonly usableAt: number
}

export type ShownDeposit = {
  /** The operator's own name for it. */
  readonly id: string
  readonly coin: string
  readonly amount: string
  readonly time: number
}

/** Left out where it is empty. */
export function orAbsent(text: string): string | undefined {
  return text === '' ? undefined : text
}

export function unitsOf(amount: Amount, { fraction }: { readonly fraction: Decimals }): string {
  return plainDecimal(amount, fraction)
}

export function withdrawalAskedBody(id: string, createdAt: TimeMs, language: Language): string {
  return successBody(ASKED, language, JSON.stringify({ id, createdAt }))
}

export function withdrawalRetractedBody(language: Language): string {
  return successBody(RETRACTED, language, undefined)
}

export function addressAllowedBody(usableAt: TimeMs, language: Language): string {
  return successBody(ALLOWED, language, JSON.stringify({ usableAt }))
}

export function addressRemovedBody(language: Language): string {
  return successBody(REMOVED, language, undefined)
}

export function addressesBody(addresses: readonly ShownAddress[], language: Language): string {
  return successBody(ADDRESSES_READ, language, JSON.stringify({ addresses }))
}
