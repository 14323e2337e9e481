/**
 * Roles, limits, terms of tokens and several approvals as bytes: the same in snapshots, events and views. The
 * records of tokens and approvals keep their form; their additional fields are stored here, by name.
 */
import { ADMIN_RIGHTS, builtInRights } from '../../units/admin-rights.ts'
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../units/field-codec.ts'
import type { AssetId } from '../../units/ids.ts'
import { APPROVERS_MAX } from '../../units/limits.ts'
import type { Amount, TimeMs } from '../../units/quantities.ts'
import type { Approval } from '../questions/view.ts'
import type { AdminToken, ApprovalsNeeded, OwnRole, RoleLimit, WayLimit } from '../registry/records.ts'
import {
  areValidTokenTerms,
  isOwnRoleName,
  isPlainToken,
  isValidRoleLimit,
  tokenWithTerms,
} from '../registry/roles.ts'
import * as backOffice from './back-office-codec.ts'

export function writeOwnRole(w: ByteWriter, { name, rights }: OwnRole): void {
  w.text(name)
  writeList(w, rights, (w, right) => writeWord(w, ADMIN_RIGHTS, right))
}

export function readOwnRole(r: ByteReader): OwnRole {
  const role = { name: r.text(), rights: readList(r, (r) => readWord(r, ADMIN_RIGHTS)) }
  const places = role.rights.map((right) => ADMIN_RIGHTS.indexOf(right))
  const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] as number))
  if (!isOwnRoleName(role.name) || !isOrdered) throw new BytesFault(`role ${role.name} is out of bounds`)
  return role
}

export function writeRoleLimit(w: ByteWriter, limit: RoleLimit): void {
  w.text(limit.role)
  w.uint(limit.assetId)
  w.uint(limit.day)
  writeWay(w, limit.in)
  writeWay(w, limit.out)
}

export function readRoleLimit(r: ByteReader): RoleLimit {
  const [role, assetId, day] = [r.text(), r.uint() as AssetId, r.uint()]
  const limit = { role, assetId, day, in: readWay(r), out: readWay(r) }
  if (!isValidRoleLimit(limit)) throw new BytesFault(`the limit of role ${role} is out of bounds`)
  return limit
}

function writeWay(w: ByteWriter, { each, day, moved }: WayLimit): void {
  for (const sum of [each, day, moved]) w.whole(sum)
}

function readWay(r: ByteReader): WayLimit {
  return { each: r.whole() as Amount, day: r.whole() as Amount, moved: r.whole() as Amount }
}

export function writeApprovalsNeeded(w: ByteWriter, { asset, needed }: ApprovalsNeeded): void {
  w.text(asset)
  w.uint(needed)
}

export function readApprovalsNeeded(r: ByteReader): ApprovalsNeeded {
  const record = { asset: r.text(), needed: r.uint() }
  if (record.needed > APPROVERS_MAX) throw new BytesFault(`${record.needed} approvals are out of bounds`)
  return record
}

/** Appends the role and the terms of a token, which its first form cannot say. */
export function writeTokenTerms(w: ByteWriter, { name, role, expiresAt, addresses }: AdminToken): void {
  w.text(name)
  w.text(role)
  w.uint(expiresAt ?? 0)
  writeList(w, addresses ?? [], (w, address) => w.text(address))
}

/**
 * The value written by `writeTokenTerms`, as the change of a token known by its first form. Throws
 * `BytesFault`.
 */
export function readTokenTerms(r: ByteReader, tokenOf: (name: string) => AdminToken | undefined): AdminToken {
  const [name, role, expiresAt] = [r.text(), r.text(), r.uint() as TimeMs]
  const addresses = readList(r, (r) => r.text())
  const known = tokenOf(name)
  const token = known && tokenWithTerms({ ...known, role }, expiresAt, addresses)
  const isPossible =
    known?.name === name &&
    known.role === backOffice.firstRoleOf(role) &&
    (isOwnRoleName(role) || builtInRights(role) !== undefined) &&
    areValidTokenTerms(expiresAt, addresses)
  if (token === undefined || isPlainToken(token) || !isPossible) {
    throw new BytesFault(`the terms of token ${name} before byte ${r.at} are not possible`)
  }
  return token
}

/** Appends the approvers of a pending request. */
export function writeApprovers(w: ByteWriter, { reference, approvedBy }: Approval): void {
  w.text(reference)
  writeList(w, approvedBy ?? [], (w, actor) => w.text(actor))
}

/** The value written by `writeApprovers`, as the change of a pending request. Throws `BytesFault`. */
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
    throw new BytesFault(`the approvers of ${reference} before byte ${r.at} are not possible`)
  return { ...known, approvedBy }
}
