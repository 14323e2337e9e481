/** The choices of a person for a new API key, and the request for it. */
import type { AccountBody } from '../../../../../contract/customers/endpoints.ts'
import { keyName, networkAddress, publicKey } from '../../../../../contract/customers/field.ts'
import type { KeyKind, KeyWire } from '../../../../../units/order-enums.ts'

/** Permissions of a person's key, the least powerful first. WITHDRAW is not one of them. */
export const KEY_PERMISSIONS = ['READ', 'USER_DATA', 'WALLET', 'TRADE'] as const
export type KeyPermission = (typeof KEY_PERMISSIONS)[number]

/** Days until the key ends; 0 means never. */
export const KEY_DAYS = [30, 90, 365, 0] as const
export type KeyDays = (typeof KEY_DAYS)[number]

const DAY_MS = 86_400_000
/** Maximum number of addresses and ranges of a key. */
export const KEY_ADDRESSES_MAX = 20

export type KeyDraft = {
  readonly name: string
  readonly permissions: readonly KeyPermission[]
  /** As typed: addresses and ranges separated by spaces, commas or line breaks. */
  readonly addresses: string
  readonly days: KeyDays
  readonly kind: KeyKind
  readonly publicKey: string
  readonly wire: KeyWire
}

/** The initial draft, with the fewest permissions. */
export const PROPOSED: KeyDraft = {
  name: '',
  permissions: ['READ'],
  addresses: '',
  days: 90,
  kind: 'HMAC',
  publicKey: '',
  wire: 'BOURSE',
}

export type DraftProblem = 'name' | 'permissions' | 'addresses' | 'tooManyAddresses' | 'publicKey'

export function addressesOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((each) => each !== ''))]
}

/**
 * The first part that the exchange would refuse, as far as the page can check; undefined if there is none.
 */
export function draftProblem({
  name,
  permissions,
  addresses,
  kind,
  publicKey: own,
}: KeyDraft): DraftProblem | undefined {
  if (!fits(keyName('name'), name.trim())) return 'name'
  if (permissions.length === 0) return 'permissions'
  const all = addressesOf(addresses)
  if (all.length > KEY_ADDRESSES_MAX) return 'tooManyAddresses'
  if (!all.every((each) => fits(networkAddress('address'), each))) return 'addresses'
  if (kind === 'ED25519' && !fits(publicKey('key'), own.trim())) return 'publicKey'
  return undefined
}

/** The body of the request. */
export function bodyOf(draft: KeyDraft, nowMs: number): AccountBody<'key/create'> {
  const { name, permissions, addresses, days, kind, publicKey: own, wire } = draft
  return {
    name: name.trim(),
    permissions: KEY_PERMISSIONS.filter((each) => permissions.includes(each)),
    addresses: addressesOf(addresses),
    end: days === 0 ? 0 : nowMs + days * DAY_MS,
    kind,
    wire,
    ...(kind === 'ED25519' ? { publicKey: own.trim() } : {}),
  }
}

function fits({ form }: ReturnType<typeof keyName>, text: string): boolean {
  return form.is === 'text' && form.pattern.test(text)
}
