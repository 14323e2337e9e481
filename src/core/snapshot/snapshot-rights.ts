/** Roles, terms of tokens, limits of roles and approvals by several people, in snapshots. */
import { builtInRights } from '../../units/admin-rights.ts'
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { dayOf } from '../operators/role-limits.ts'
import type { Approval } from '../questions/view.ts'
import * as codec from '../records/rights-codec.ts'
import type { AdminToken } from '../registry/records.ts'
import { isPlainToken, isUnlimited } from '../registry/roles.ts'

export function writeRights(w: ByteWriter, { backOffice }: ExchangeState): void {
  const { roles, roleLimits, approvalsNeeded, tokens, approvals } = backOffice
  roles.write(w, codec.ROLES.write)
  writeList(w, withTerms(tokens.values()), codec.writeTokenTerms)
  roleLimits.write(w)
  approvalsNeeded.write(w, codec.APPROVALS.write)
  writeList(w, approvedBySome(approvals.values()), codec.writeApprovers)
}

function withTerms(tokens: Iterable<AdminToken>): AdminToken[] {
  return [...tokens].filter((token) => !isPlainToken(token))
}

function approvedBySome(approvals: Iterable<Approval>): Approval[] {
  return [...approvals].filter(({ approvedBy }) => approvedBy !== undefined)
}

/** Throws `BytesFault`. */
export function readRights(r: ByteReader, state: ExchangeState): void {
  const { roles, roleLimits, approvalsNeeded, tokens, approvals } = state.backOffice
  roles.read(r, codec.ROLES.read)
  const terms = readList(r, (r) => codec.readTokenTerms(r, (name) => tokens.get(name)))
  for (const token of terms) tokens.put(token)
  const names = terms.map(({ name }) => name)
  checkEachOnce(
    names,
    withTerms(tokens.values()).map(({ name }) => name),
  )
  roleLimits.read(r)
  approvalsNeeded.read(r, codec.APPROVALS.read)
  const given = readList(r, (r) => codec.readApprovers(r, (reference) => approvals.get(reference)))
  for (const approval of given) approvals.put(approval)
  checkEachOnce(
    given.map(({ reference }) => reference),
    approvedBySome(approvals.values()).map(({ reference }) => reference),
  )
  checkRights(state)
}

/** Checks that each name occurs once, in the order of the records: a state has exactly one form. */
function checkEachOnce(found: readonly string[], expected: readonly string[]): void {
  const isSo = found.length === expected.length && found.every((name, at) => name === expected[at])
  if (!isSo) throw new BytesFault(`expected ${expected.join(', ')} each once, found ${found.join(', ')}`)
}

/** Checks that every name refers to an existing record, and no record is empty. */
function checkRights({ backOffice, registry, time }: ExchangeState): void {
  const { roles, roleLimits, approvalsNeeded, tokens } = backOffice
  const isRole = (role: string) => builtInRights(role) !== undefined || roles.get(role) !== undefined
  for (const { name, rights } of roles.values()) {
    if (rights.length === 0) throw new BytesFault(`role ${name} has no right`)
  }
  for (const { name, role, isRevoked } of tokens.values()) {
    if (!isRevoked && !isRole(role)) throw new BytesFault(`token ${name} has an unknown role ${role}`)
  }
  for (const limit of roleLimits.all()) {
    const isPossible = isRole(limit.role) && registry.asset(limit.assetId) !== undefined
    if (!isPossible || isUnlimited(limit) || limit.day > dayOf(time)) {
      throw new BytesFault(`a limit of role ${limit.role} is not valid`)
    }
  }
  for (const { asset, needed } of approvalsNeeded.values()) {
    const isPossible = asset === '' ? needed > 1 : needed > 0 && registry.assetByCode(asset) !== undefined
    if (!isPossible)
      throw new BytesFault(`${needed} approvals for ${asset || 'all other assets'} are not valid`)
  }
}
