/**
 * Roles, limits, terms of tokens and several approvals as bytes: the same in snapshots, events and views. The
 * records of tokens and approvals keep their form; additional fields are stored here, by name.
 */
import { ADMIN_RIGHTS, builtInRights } from '../../units/admin-rights.ts'
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import { APPROVERS_MAX } from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { checked, object } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { Approval } from '../questions/view.ts'
import {
  type AdminToken,
  APPROVALS_NEEDED,
  firstRoleOf,
  OWN_ROLE,
  type OwnRole,
  ROLE_LIMIT,
} from '../registry/records.ts'
import {
  areValidTokenTerms,
  isOwnRoleName,
  isPlainToken,
  isValidRoleLimit,
  tokenWithTerms,
} from '../registry/roles.ts'

export const ROLES = byteCodec(
  checked(object(OWN_ROLE), isPossibleRole, ({ name }) => `role ${name} is out of bounds`),
)

function isPossibleRole({ name, rights }: OwnRole): boolean {
  const places = rights.map((right) => ADMIN_RIGHTS.indexOf(right))
  return isOwnRoleName(name) && places.every((place, at) => at === 0 || place > (places[at - 1] as number))
}

export const LIMITS = byteCodec(
  checked(object(ROLE_LIMIT), isValidRoleLimit, ({ role }) => `the limit of role ${role} is out of bounds`),
)

export const APPROVALS = byteCodec(
  checked(
    object(APPROVALS_NEEDED),
    ({ needed }) => needed <= APPROVERS_MAX,
    ({ needed }) => `expected at most ${APPROVERS_MAX} approvals, found ${needed}`,
  ),
)

/** Appends the role and the terms of a token, for which its original form has no room. */
export function writeTokenTerms(w: ByteWriter, { name, role, expiresAt, addresses }: AdminToken): void {
  w.text(name)
  w.text(role)
  w.uint(expiresAt ?? 0)
  writeList(w, addresses ?? [], (w, address) => w.text(address))
}

/**
 * Reads what `writeTokenTerms` has written, and returns the complete token from the one read in its original
 * form. Throws `BytesFault`.
 */
export function readTokenTerms(r: ByteReader, tokenOf: (name: string) => AdminToken | undefined): AdminToken {
  const [name, role, expiresAt] = [r.text(), r.text(), r.uint() as TimeMs]
  const addresses = readList(r, (r) => r.text())
  const known = tokenOf(name)
  const token = known && tokenWithTerms({ ...known, role }, expiresAt, addresses)
  const isPossible =
    known?.name === name &&
    known.role === firstRoleOf(role) &&
    (isOwnRoleName(role) || builtInRights(role) !== undefined) &&
    areValidTokenTerms(expiresAt, addresses)
  if (token === undefined || isPlainToken(token) || !isPossible) {
    throw new BytesFault(`the terms of token ${name} before byte ${r.at} are not valid`)
  }
  return token
}

/** Appends the approvers of a pending request. */
export function writeApprovers(w: ByteWriter, { reference, approvedBy }: Approval): void {
  w.text(reference)
  writeList(w, approvedBy ?? [], (w, actor) => w.text(actor))
}

/** Reads what `writeApprovers` has written, and returns the complete pending request. Throws `BytesFault`. */
export function readApprovers(
  r: ByteReader,
  approvalOf: (reference: string) => Approval | undefined,
): Approval {
  const [reference, approvedBy] = [r.text(), readList(r, (r) => r.text())]
  const known = approvalOf(reference)
  const isPossible =
    approvedBy.length > 0 &&
    approvedBy.length < APPROVERS_MAX &&
    new Set(approvedBy).size === approvedBy.length &&
    known?.reference === reference
  if (known === undefined || !isPossible)
    throw new BytesFault(`the approvers of ${reference} before byte ${r.at} are not valid`)
  return { ...known, approvedBy }
}
