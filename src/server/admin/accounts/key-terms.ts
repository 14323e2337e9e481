/**
 * The addresses from which a key or a token is valid, its expiry, and how a key signs, as operators write
 * them.
 */
import type { AdminRequests } from '../../../contract/admin/admin.ts'
import type { KeyWire } from '../../../units/order-enums.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { parseAddressRange } from '../../access/auth/address.ts'
import { PUBLIC_KEY_FORM, parsePublicKey } from '../../access/auth/ed25519.ts'
import { type AdminContext, invalid } from '../context.ts'
import { futureTime } from '../future-time.ts'

const NEVER = 0 as TimeMs

export function checkAddresses(addresses: readonly string[]): void {
  for (const [index, address] of addresses.entries()) {
    if (parseAddressRange(address) !== undefined) continue
    const expected = `expected an address or a range such as 10.0.0.0/8, found ${address}`
    throw invalid(`addresses.${index}`, expected)
  }
}

/** A time in the future; an empty text means never, undefined means not given. */
export function expiryOf(context: AdminContext, text: string | undefined): TimeMs | undefined {
  if (text === undefined) return undefined
  return text === '' ? NEVER : futureTime(context, 'expiresAt', text)
}

/** Kind and wire of a new key, and whether it requires strict signatures. */
export type NewKeyForm = {
  /** Undefined if it gets a secret. */
  readonly publicKey: Uint8Array | undefined
  readonly wire: KeyWire
  readonly strictSignature: boolean
}

export function newKeyForm(request: AdminRequests['key/add']): NewKeyForm {
  const { wire = 'BOURSE', strict } = request
  const publicKey = publicKeyOf(request)
  checkKeyForm({ publicKey, wire }, request)
  return { publicKey, wire, strictSignature: strict ?? (publicKey !== undefined && wire === 'BOURSE') }
}

/** Refuses terms that a key's wire or kind cannot have. */
export function checkKeyForm(
  { publicKey, wire }: { readonly publicKey?: Uint8Array | undefined; readonly wire?: KeyWire | undefined },
  { strict, permissions }: Pick<AdminRequests['key/add'], 'strict' | 'permissions'>,
): void {
  if (wire === 'BINANCE') {
    if (strict) throw invalid('strict', 'a key of wire BINANCE has no strict signatures: omit strict')
    if (permissions?.includes('WITHDRAW')) {
      throw invalid('permissions', 'a key of wire BINANCE cannot withdraw: omit WITHDRAW')
    }
    return
  }
  if (publicKey !== undefined && strict === false) {
    throw invalid('strict', 'a key of kind ED25519 accepts only strict signatures: omit strict')
  }
}

/** The bytes of the public key. The text itself is not repeated in a refusal: it may be a secret. */
function publicKeyOf({ kind, publicKey }: AdminRequests['key/add']): Uint8Array | undefined {
  if (publicKey === undefined) {
    if (kind === 'ED25519') throw invalid('publicKey', `expected ${PUBLIC_KEY_FORM}, found none`)
    return undefined
  }
  if (kind === 'HMAC') throw invalid('publicKey', 'a key of kind HMAC has a secret: omit publicKey')
  const bytes = parsePublicKey(publicKey)
  if (bytes !== undefined) return bytes
  const isSecret = publicKey.includes('PRIVATE KEY')
  const found = isSecret
    ? 'a private key: create another key pair, because this one is now known'
    : 'another text'
  throw invalid('publicKey', `expected ${PUBLIC_KEY_FORM}, found ${found}`)
}
