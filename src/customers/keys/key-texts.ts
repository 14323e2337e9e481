/** Describes the terms of a requested key, for the text of its step-up. */
import type { AccountBody } from '../../contract/customers/endpoints.ts'
import type { Language } from '../../contract/language.ts'
import { AccountRefusal } from '../account-refusal.ts'
import type { KeyTerms } from '../ports.ts'
import { termsOf } from './create-key.ts'

type Words = {
  readonly permissions: Readonly<Record<KeyTerms['permissions'][number], string>>
  readonly anywhere: string
  readonly onlyFrom: (addresses: string) => string
  readonly never: string
  /** `time`: in UTC. */
  readonly endsAt: (time: string) => string
  readonly wires: Readonly<Record<KeyTerms['wire'], string>>
  readonly secret: string
  readonly pair: (publicKey: string) => string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    permissions: {
      READ: 'read orders',
      USER_DATA: 'read market data',
      WALLET: 'read balances',
      TRADE: 'trade',
    },
    anywhere: 'any address',
    onlyFrom: (addresses) => `only these addresses: ${addresses}`,
    never: 'does not expire',
    endsAt: (time) => `expires at ${time} UTC`,
    wires: {
      BOURSE: 'the interface of this exchange',
      BINANCE: 'the interface that is compatible with Binance',
    },
    secret: 'a secret (HMAC)',
    pair: (publicKey) => `your own key pair (Ed25519), whose public key is ${publicKey}`,
  },
  tr: {
    permissions: {
      READ: 'emirleri okuma',
      USER_DATA: 'piyasa verilerini okuma',
      WALLET: 'bakiyeleri okuma',
      TRADE: 'alım satım',
    },
    anywhere: 'her adresten',
    onlyFrom: (addresses) => `yalnızca şu adreslerden (${addresses})`,
    never: 'süresi dolmaz',
    endsAt: (time) => `${time} (UTC) tarihinde sona erer`,
    wires: { BOURSE: 'Bu borsanın arayüzü', BINANCE: 'Binance ile uyumlu arayüz' },
    secret: 'gizli bir anahtarla (HMAC)',
    pair: (publicKey) => `açık anahtarı ${publicKey} olan kendi çiftinizle (Ed25519)`,
  },
}

/** A refusal of terms that are not possible. */
export function keyTexts(
  asked: AccountBody<'key/create'>,
  nowMs: number,
  language: Language,
): Readonly<Record<'name' | 'permissions' | 'addresses' | 'end' | 'wire' | 'kind', string>> | AccountRefusal {
  const terms = termsOf(asked, nowMs)
  if (terms instanceof AccountRefusal) return terms
  const { permissions, addresses, endsMs, publicKey, wire } = terms
  const words = WORDS[language]
  return {
    name: asked.name.replaceAll('"', "'"),
    permissions: permissions.map((permission) => words.permissions[permission]).join(', '),
    addresses: addresses.length === 0 ? words.anywhere : words.onlyFrom(addresses.join(', ')),
    end: endsMs === undefined ? words.never : words.endsAt(timeOf(endsMs)),
    wire: words.wires[wire],
    kind: publicKey === undefined ? words.secret : words.pair(publicKey.replace(/\s+/g, ' ').trim()),
  }
}

/** To the second, without the letters of ISO 8601. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, -5).replace('T', ' ')
}
