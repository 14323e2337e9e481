/** API keys of accounts, and the key that seals their secrets. */
import type { Permission } from '../../units/order-words.ts'
import type { AdminKey, AdminResealed } from '../admin-records.ts'
import type { AdminPageFields, AuditFields } from './fields.ts'

export type KeyOperations = {
  'key/list': {
    readonly request: AdminPageFields & { account: string }
    readonly result: readonly AdminKey[]
  }
  'key/add': {
    readonly request: AuditFields & {
      account: string
      label?: string | undefined
      permissions?: Permission[] | undefined
      addresses?: string[] | undefined
      expiresAt?: string | undefined
      strict?: boolean | undefined
    }
    /** The only time that the secret is shown. */
    readonly result: AdminKey & { readonly secret: string }
  }
  /** What is not named stays; `expiresAt` empty: never. */
  'key/set': {
    readonly request: AuditFields & {
      apiKey: string
      label?: string | undefined
      permissions?: Permission[] | undefined
      addresses?: string[] | undefined
      expiresAt?: string | undefined
      strict?: boolean | undefined
    }
    readonly result: AdminKey
  }
  /** The old secret opens for so many minutes more; without it, it does not. */
  'key/rotate': {
    readonly request: AuditFields & { apiKey: string; overlapMinutes?: number | undefined }
    /** The only time that the new secret is shown. */
    readonly result: AdminKey & { readonly secret: string }
  }
  'key/revoke': { readonly request: AuditFields & { apiKey: string }; readonly result: AdminKey }
  'key/enable': { readonly request: AuditFields & { apiKey: string }; readonly result: AdminKey }
  'key/disable': { readonly request: AuditFields & { apiKey: string }; readonly result: AdminKey }
  'master-key/rotate': { readonly request: AuditFields; readonly result: AdminResealed }
}
