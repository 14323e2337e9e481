/**
 * Who asks the admin server: the node's own token, new at each start, or a named one, of which the journal has the digest. A token opens
 * until its time is over, from the addresses that it is bound to, with the rights that its role has at that moment.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AdminToken } from '../../core/registry/records.ts'
import { isTokenInUse, rightsOf } from '../../core/registry/roles.ts'
import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { BackOfficeView } from '../../views/back-office.ts'
import type { AdminError } from '../../wire/admin.ts'
import { isoTime } from '../../wire/time.ts'
import { type AddressRange, containsAny, parseAddress, parseAddressRange } from '../access/auth/address.ts'
import type { Caller } from './context.ts'

/** Random bytes of what stands for an own token that there is not. */
const TOKEN_BYTES = 32

const OWN_TOKEN: Caller = { token: undefined, role: 'OPERATOR', rights: [...ADMIN_RIGHTS, 'owner'] }

/** Whoever shows a token that is known; `refusal`: it is, and does not open. */
export type FoundCaller =
  | { readonly caller: Caller }
  | { readonly caller?: undefined; readonly who: string; readonly refusal: AdminError }

/** Finds who shows `authorization` from `address`; undefined: nobody's token. */
export type CallerFinder = (authorization: string, address: string) => FoundCaller | undefined

/**
 * Every token is compared, each in constant time, so that the time taken says nothing of how near a guess was, nor of whose token was
 * shown. `ownToken` undefined: only named tokens open.
 */
export function callerFinder(
  ownToken: string | undefined,
  backOffice: BackOfficeView,
  now: () => TimeMs,
): CallerFinder {
  // Without an own token nothing that is shown equals what is drawn here.
  const own = digestOf(ownToken ?? randomBytes(TOKEN_BYTES).toString('hex'))
  return (authorization, address) => {
    const shown = digestOf(authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '')
    let found: FoundCaller | undefined = timingSafeEqual(shown, own) ? { caller: OWN_TOKEN } : undefined
    for (const token of backOffice.tokenByName.values()) {
      const isShown = timingSafeEqual(shown, token.digest)
      if (isShown && !token.isRevoked) found = holderOf(token, backOffice, address, now())
    }
    return found
  }
}

/** The holder of the token of this name, from `address`; undefined: it is revoked, or none has the name. */
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
    const message = `the token ${name} does not open from ${address}`
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

/** A token has 256 random bits, so that a plain digest of it cannot be searched. */
export function digestOf(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest())
}
