/** Records of operators as bytes: the same in snapshots, events and views. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { NAME_MAX } from '../../units/limits.ts'
import { ADMIN_ROLES, type AdminRole, APPROVABLE_KINDS } from '../../units/operator-enums.ts'
import type { Amount, Rate, TimeMs } from '../../units/quantities.ts'
import type { Approval } from '../questions/view.ts'
import { isValidFeeTier, isValidToken } from '../registry/amendments.ts'
import type { AddressBan, AdminToken, FeeTier } from '../registry/records.ts'

export function writeFeeTier(w: ByteWriter, tier: FeeTier): void {
  w.text(tier.name)
  w.uint(tier.makerShare)
  w.uint(tier.takerShare)
}

export function readFeeTier(r: ByteReader): FeeTier {
  const tier = { name: r.text(), makerShare: r.uint() as Rate, takerShare: r.uint() as Rate }
  if (!isValidFeeTier(tier)) throw new BytesFault(`fee tier ${tier.name} is out of bounds`)
  return tier
}

export function writeAdminToken(w: ByteWriter, token: AdminToken): void {
  w.text(token.name)
  // Roles of other kinds, and additional terms of the token, are stored elsewhere (`rights-codec.ts`).
  writeWord(w, ADMIN_ROLES, firstRoleOf(token.role))
  w.bytes(token.digest)
  w.uint(token.createdAt)
  w.bool(token.isRevoked)
}

/** The role in the first form of a token: its own if that has a number there. */
export function firstRoleOf(role: string): AdminRole {
  return ADMIN_ROLES.find((first) => first === role) ?? 'READ_ONLY'
}

export function readAdminToken(r: ByteReader): AdminToken {
  const token = {
    name: r.text(),
    role: readWord(r, ADMIN_ROLES),
    // A copy: a view would keep the whole snapshot in memory.
    digest: r.bytes().slice(),
    createdAt: r.uint() as TimeMs,
    isRevoked: r.bool(),
  }
  if (!isValidToken(token)) throw new BytesFault(`token ${token.name} is out of bounds`)
  return token
}

export function isValidBan({ address, until }: AddressBan): boolean {
  return address.length >= 1 && address.length <= NAME_MAX && address.isWellFormed() && until > 0
}

export function writeAddressBan(w: ByteWriter, ban: AddressBan): void {
  w.text(ban.address)
  w.uint(ban.until)
}

export function readAddressBan(r: ByteReader): AddressBan {
  const ban = { address: r.text(), until: r.uint() as TimeMs }
  if (!isValidBan(ban)) throw new BytesFault(`ban of ${ban.address} is out of bounds`)
  return ban
}

export function writeApproval(w: ByteWriter, approval: Approval): void {
  w.text(approval.reference)
  writeWord(w, APPROVABLE_KINDS, approval.kind)
  w.text(approval.actor)
  w.text(approval.note)
  w.uint(approval.accountId)
  w.uint(approval.assetId)
  w.whole(approval.amount)
  w.uint(approval.requestedAt)
  if (approval.kind === 'RefuseWithdrawal') w.text(approval.reason ?? '')
}

export function readApproval(r: ByteReader): Approval {
  const approval = {
    reference: r.text(),
    kind: readWord(r, APPROVABLE_KINDS),
    actor: r.text(),
    note: r.text(),
    accountId: r.uint() as AccountId,
    assetId: r.uint() as AssetId,
    amount: r.whole() as Amount,
    requestedAt: r.uint() as TimeMs,
  }
  const reason = approval.kind === 'RefuseWithdrawal' ? r.text() : ''
  return reason === '' ? approval : { ...approval, reason }
}
