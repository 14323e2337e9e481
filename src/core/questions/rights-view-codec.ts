/** Roles, limits and terms of tokens in read models, as bytes. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import * as rights from '../records/rights-codec.ts'
import { isPlainToken } from '../registry/roles.ts'
import type { BackOfficeRecords, RightsRecords } from './view.ts'

const NO_RIGHTS: RightsRecords = { roles: [], limits: [], approvalsNeeded: [] }

/** Whether there are any roles, limits, terms of tokens or approvals by several people. */
export function hasRights(view: BackOfficeRecords | undefined): boolean {
  if (view === undefined) return false
  if (view.rights !== undefined) return true
  return (
    view.tokens.some((token) => !isPlainToken(token)) ||
    view.approvals.some(({ approvedBy }) => approvedBy !== undefined)
  )
}

export function writeRights(w: ByteWriter, view: BackOfficeRecords): void {
  const { roles, limits, approvalsNeeded } = view.rights ?? NO_RIGHTS
  writeList(w, roles, rights.ROLES.write)
  writeList(
    w,
    view.tokens.filter((token) => !isPlainToken(token)),
    rights.writeTokenTerms,
  )
  writeList(w, limits, rights.LIMITS.write)
  writeList(w, approvalsNeeded, rights.APPROVALS.write)
  writeList(
    w,
    view.approvals.filter(({ approvedBy }) => approvedBy !== undefined),
    rights.writeApprovers,
  )
}

/**
 * Reads what `writeRights` has written, and puts the complete tokens and approvals in place of those in
 * `view`. Throws `BytesFault`.
 */
export function readRights(r: ByteReader, view: BackOfficeRecords): BackOfficeRecords {
  const tokenByName = new Map(view.tokens.map((token) => [token.name, token]))
  const approvalByReference = new Map(view.approvals.map((approval) => [approval.reference, approval]))
  const roles = readList(r, rights.ROLES.read)
  const terms = readList(r, (r) => rights.readTokenTerms(r, (name) => tokenByName.get(name)))
  const limits = readList(r, rights.LIMITS.read)
  const approvalsNeeded = readList(r, rights.APPROVALS.read)
  const given = readList(r, (r) => rights.readApprovers(r, (name) => approvalByReference.get(name)))
  for (const token of terms) tokenByName.set(token.name, token)
  for (const approval of given) approvalByReference.set(approval.reference, approval)
  const whole: BackOfficeRecords = {
    ...view,
    tokens: [...tokenByName.values()],
    approvals: [...approvalByReference.values()],
    ...(roles.length + limits.length + approvalsNeeded.length > 0
      ? { rights: { roles, limits, approvalsNeeded } }
      : {}),
  }
  if (!hasRights(whole)) throw new BytesFault(`expected rights before byte ${r.at}, found none`)
  return whole
}
