/** Records of operators as bytes: the same in snapshots, events and views. */
import type { ByteReader, ByteWriter } from '../../units/bytes.ts'
import { NAME_MAX } from '../../units/limits.ts'
import { type ByteCodec, checked, object } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { APPROVAL_FIELDS, type Approval } from '../questions/view.ts'
import { isValidFeeTier, isValidToken } from '../registry/amendments.ts'
import { ADDRESS_BAN, type AddressBan, type AdminToken, FEE_TIER, TOKEN_FIELDS } from '../registry/records.ts'

export const FEE_TIERS = byteCodec(
  checked(object(FEE_TIER), isValidFeeTier, ({ name }) => `fee tier ${name} is out of bounds`),
)

/**
 * Tokens with a custom role or additional terms are written without these, which are stored elsewhere
 * (`rights-codec.ts`).
 */
export const ADMIN_TOKENS: ByteCodec<AdminToken> = byteCodec(
  checked(object(TOKEN_FIELDS), isValidToken, ({ name }) => `token ${name} is out of bounds`),
)

export function isValidBan({ address, until }: AddressBan): boolean {
  return address.length >= 1 && address.length <= NAME_MAX && address.isWellFormed() && until > 0
}

export const BANS = byteCodec(
  checked(object(ADDRESS_BAN), isValidBan, ({ address }) => `the ban of ${address} is out of bounds`),
)

const ASKED = byteCodec(object(APPROVAL_FIELDS))

export function writeApproval(w: ByteWriter, approval: Approval): void {
  ASKED.write(w, approval)
  if (approval.kind === 'RefuseWithdrawal') w.text(approval.reason ?? '')
}

export function readApproval(r: ByteReader): Approval {
  const approval = ASKED.read(r)
  const reason = approval.kind === 'RefuseWithdrawal' ? r.text() : ''
  return reason === '' ? approval : { ...approval, reason }
}
