/**
 * The callers of the admin server: the node's own token, new at each start, or a named one, whose digest is
 * in the journal. A token is valid until it expires, from its addresses, with the rights that its role has at
 * that time.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AdminError } from '../../contract/admin/admin.ts'
import { isoTime } from '../../contract/time.ts'
import type { AdminToken } from '../../core/registry/records.ts'
import { isTokenInUse, rightsOf } from '../../core/registry/roles.ts'
import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { BackOfficeView } from '../../views/back-office.ts'
import { type AddressRange, containsAny, parseAddress, parseAddressRange } from '../access/auth/address.ts'
import { CUSTOMERS_ROLE } from './accounts/customer-accounts.ts'
import type { Caller } from './context.ts'

/** Number of random bytes that replace the own token if the node has none. */
const TOKEN_BYTES = 32

/** Token names never contain a colon. */
const CUSTOMERS: Caller = {
  token: 'process:customers',
  role: CUSTOMERS_ROLE,
  rights: ['accounts.open', 'customers'],
}

const OWN_TOKEN: Caller = {
  token: undefined,
  role: 'OPERATOR',
  rights: [...ADMIN_RIGHTS, 'owner'],
}

/** A caller with a known token; `refusal`: the token is known but not valid here. */
export type FoundCaller =
  | { readonly caller: Caller }
  | { readonly caller?: undefined; readonly who: string; readonly refusal: AdminError }

/** Finds the caller of `authorization` from `address`; undefined if the token is unknown. */
export type CallerFinder = (authorization: string, address: string) => FoundCaller | undefined

/**
 * Every token is compared, each in constant time, so that the time taken reveals neither how close a guess
 * was nor whose token was presented. If `ownToken` is undefined, only named tokens are accepted;
 * `customersToken` is that of the customers' process, new at each start.
 */
export function callerFinder(
  ownToken: string | undefined,
  backOffice: BackOfficeView,
  now: () => TimeMs,
  customersToken?: string,
): CallerFinder {
  // Without a token of its own, the server compares with random bytes, which no presented token equals.
  const digestOrNone = (token: string | undefined) =>
    digestOf(token ?? randomBytes(TOKEN_BYTES).toString('hex'))
  const [own, customers] = [digestOrNone(ownToken), digestOrNone(customersToken)]
  return (authorization, address) => {
    const shown = digestOf(authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '')
    let found: FoundCaller | undefined = timingSafeEqual(shown, own) ? { caller: OWN_TOKEN } : undefined
    if (timingSafeEqual(shown, customers)) found = { caller: CUSTOMERS }
    for (const token of backOffice.tokenByName.values()) {
      const isShown = timingSafeEqual(shown, token.digest)
      if (isShown && !token.isRevoked) found = holderOf(token, backOffice, address, now())
    }
    return found
  }
}

/**
 * The holder of the token of this name, from `address`; undefined if it is revoked, or no token has the name.
 */
export function holderOfName(
  name: string,
  address: string,
  backOffice: BackOfficeView,
  now: TimeMs,
): FoundCaller | undefined {
  const token = backOffice.tokenByName.get(name)
  return token === undefined || token.isRevoked ? undefined : holderOf(token, backOffice, address, now)
}

function holderOf(token: AdminToken, backOffice: BackOfficeView, address: string, now: TimeMs): FoundCaller {
  const { name, role, expiresAt } = token
  if (!isTokenInUse(token, now)) {
    const message = `the token ${name} has expired${expiresAt === undefined ? '' : `, at ${isoTime(expiresAt)}`}`
    return { who: name, refusal: { reason: 'INVALID_TOKEN', message } }
  }
  if (!isFrom(token, address)) {
    const message = `the token ${name} may not be used from ${address}`
    return { who: name, refusal: { reason: 'TOKEN_ADDRESS_NOT_ALLOWED', message } }
  }
  const rights = rightsOf(role, backOffice.roleByName.get(role)) ?? []
  return { caller: { token: name, role, rights } }
}

function isFrom({ addresses }: AdminToken, address: string): boolean {
  if (addresses === undefined) return true
  const from = parseAddress(address)
  if (from === undefined) return false
  const ranges = addresses
    .map(parseAddressRange)
    .filter((range): range is AddressRange => range !== undefined)
  return containsAny(ranges, from)
}

/** A token has 256 random bits, so it cannot be found from a plain digest by trying. */
export function digestOf(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest())
}
