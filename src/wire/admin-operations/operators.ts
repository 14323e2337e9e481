/** Who may do what: tokens, roles, their limits and approvals; what they did; banned addresses. */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { AdminAuditPage, AdminAuditSearch } from '../admin-audit.ts'
import type {
  AdminAction,
  AdminApprovalRules,
  AdminBan,
  AdminRoleInfo,
  AdminTokenInfo,
} from '../admin-records.ts'
import type { AdminPageFields, AuditFields } from './fields.ts'

export type OperatorOperations = {
  'approval/show': { readonly request: Record<string, never>; readonly result: AdminApprovalRules }
  /** Of an asset, or of all that have no number of their own; 0, of an asset: it has none. */
  'approval/needed': {
    readonly request: AuditFields & { needed: number; asset?: string | undefined }
    readonly result: AdminApprovalRules
  }
  'token/list': { readonly request: AdminPageFields; readonly result: readonly AdminTokenInfo[] }
  /** Without `expiresAt` it opens for ever, without `addresses` from anywhere. */
  'token/add': {
    readonly request: AuditFields & TokenTermFields & { name: string; role: string }
    /** The only time that the token is shown. */
    readonly result: AdminTokenInfo & { readonly token: string }
  }
  /** What is not named stays; `expiresAt` empty: never; no addresses: from anywhere. */
  'token/set': {
    readonly request: AuditFields & TokenTermFields & { name: string }
    readonly result: AdminTokenInfo
  }
  'token/revoke': { readonly request: AuditFields & { name: string }; readonly result: AdminTokenInfo }
  /** The roles that every exchange has come first. */
  'role/list': { readonly request: AdminPageFields; readonly result: readonly AdminRoleInfo[] }
  'role/set': {
    readonly request: AuditFields & { name: string; rights: AdminRight[] }
    readonly result: AdminRoleInfo
  }
  'role/remove': {
    readonly request: AuditFields & { name: string }
    readonly result: { readonly removed: boolean }
  }
  /** What is not named stays; `0`: no limit. */
  'role/limit': {
    readonly request: AuditFields & {
      role: string
      asset: string
      inEach?: string | undefined
      inDay?: string | undefined
      outEach?: string | undefined
      outDay?: string | undefined
    }
    readonly result: AdminRoleInfo
  }
  'ban/list': { readonly request: AdminPageFields; readonly result: readonly AdminBan[] }
  'ban/add': {
    readonly request: AuditFields & { address: string; minutes: number }
    readonly result: AdminBan
  }
  'ban/lift': {
    readonly request: AuditFields & { address: string }
    /** True when there was a ban. */
    readonly result: { readonly lifted: boolean }
  }
  /** The newest first; older than command `before` where that is given. */
  'audit/list': {
    readonly request: {
      before?: number | undefined
      limit?: number | undefined
      actor?: string | undefined
      kind?: string | undefined
    }
    readonly result: readonly AdminAction[]
  }
  'audit/find': { readonly request: AdminAuditSearch; readonly result: AdminAuditPage }
}

type TokenTermFields = { expiresAt?: string | undefined; addresses?: string[] | undefined }
