/**
 * The contract of the admin door: what an operator asks of a running node and what it answers. Every operation is
 * `POST /admin/v1/<operation>` with a JSON body and a bearer token. Decimals are text in the asset's own units.
 */
import type { Bucket, Permission, SelfTradeMode, SymbolState } from '../units/order-words.ts'

/** Where operations stand under the door's address. */
export const ADMIN_PATH = '/admin/v1/'

/** The file in the data directory that tells a local operator where the door is and what opens it; mode 0600. */
export const ADMIN_FILE = 'admin.json'

export type AdminAddress = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly token: string
  /** `http://<host>:<port>` of health and metrics, which need no token; absent where an older node wrote the file. */
  readonly monitoringUrl?: string
  /** Process id of the node that wrote it. */
  readonly pid: number
}

/** Who did it and why, for the journal's audit trail; both optional. */
export type AuditFields = { readonly actor?: string | undefined; readonly note?: string | undefined }

export type AssetFlagFields = {
  readonly isDeposit?: boolean | undefined
  readonly isWithdraw?: boolean | undefined
  readonly isTrade?: boolean | undefined
  readonly isSaving?: boolean | undefined
}

export type AdminRequests = {
  'node/status': Record<string, never>
  'asset/list': Record<string, never>
  'asset/add': AuditFields &
    AssetFlagFields & {
      code: string
      name?: string | undefined
      fraction: number
      supplyCap?: string | undefined
    }
  'asset/set': AuditFields & AssetFlagFields & { code: string }
  'symbol/list': Record<string, never>
  'symbol/add': AuditFields & {
    symbol: string
    baseFraction: number
    quoteFraction: number
    takerRate?: string | undefined
    makerRate?: string | undefined
    minTotal?: string | undefined
    minQuantity?: string | undefined
    selfTradeMode?: SelfTradeMode | undefined
    openOrdersMax?: number | undefined
    levelsMax?: number | undefined
  }
  'symbol/rates': AuditFields & { symbol: string; takerRate: string; makerRate: string }
  'symbol/halt': AuditFields & { symbol: string }
  'symbol/resume': AuditFields & { symbol: string }
  'account/list': { after?: string | undefined; limit?: number | undefined }
  'account/add': AuditFields & { name: string }
  'key/list': { account: string }
  'key/add': AuditFields & {
    account: string
    label?: string | undefined
    permissions?: Permission[] | undefined
    addresses?: string[] | undefined
  }
  'key/enable': AuditFields & { apiKey: string }
  'key/disable': AuditFields & { apiKey: string }
  'balance/list': { account: string }
  /** Stored batches that end after command `after`, oldest first. */
  'journal/read': { after: number; bytesMax?: number | undefined }
  'journal/quarantined': Record<string, never>
  'money/credit': MoneyFields
  'money/debit': MoneyFields
  'money/move': MoneyFields & { from: MovableBucket; to: MovableBucket }
}

export type MovableBucket = Exclude<Bucket, 'locked'>

/** `reference` names the transfer in the operator's own books: the same one again changes nothing. */
type MoneyFields = AuditFields & { account: string; asset: string; amount: string; reference: string }

export type AdminOperation = keyof AdminRequests

export type AdminAsset = {
  readonly code: string
  readonly name: string
  readonly fraction: number
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
  /** `0`: no cap. */
  readonly supplyCap: string
}

export type AdminSymbol = {
  readonly symbol: string
  readonly state: SymbolState
  readonly baseFraction: number
  readonly quoteFraction: number
  readonly takerRate: string
  readonly makerRate: string
  readonly minTotal: string
  readonly minQuantity: string
  readonly selfTradeMode: SelfTradeMode
  readonly openOrdersMax: number
  readonly levelsMax: number
}

export type AdminAccount = { readonly name: string; readonly role: string; readonly createdAt: string }

export type AdminKey = {
  readonly apiKey: string
  readonly account: string
  readonly label: string
  readonly permissions: readonly Permission[]
  readonly addresses: readonly string[]
  readonly enabled: boolean
  readonly createdAt: string
  /** As far as the running node remembers: not journaled; null: not since it started. */
  readonly lastUsedAt: string | null
}

export type AdminBalance = {
  readonly asset: string
  readonly free: string
  readonly locked: string
  readonly freeze: string
  readonly savings: string
}

export type AdminStatus = {
  readonly version: string
  /** Sequence number of the last command whose effects are shown. */
  readonly seq: number
  readonly assets: number
  readonly symbols: number
  readonly accounts: number
  readonly apiKeys: number
}

/** One batch as the journal holds it; bytes as base64. Its form is the journal's, not the door's. */
export type AdminBatch = {
  readonly firstSeq: number
  readonly count: number
  readonly time: number
  readonly previousHash: string
  readonly hash: string
  readonly data: string
}

/** `repeated`: the reference had been used before for the very same transfer; nothing was done again. */
export type AdminTransfer = { readonly repeated: boolean }

export type AdminResults = {
  'node/status': AdminStatus
  'asset/list': readonly AdminAsset[]
  'asset/add': AdminAsset
  'asset/set': AdminAsset
  'symbol/list': readonly AdminSymbol[]
  'symbol/add': AdminSymbol & { readonly warnings: readonly string[] }
  'symbol/rates': AdminSymbol & { readonly warnings: readonly string[] }
  'symbol/halt': AdminSymbol
  'symbol/resume': AdminSymbol
  'account/list': readonly AdminAccount[]
  'account/add': AdminAccount
  'key/list': readonly AdminKey[]
  /** The only time that the secret is shown. */
  'key/add': AdminKey & { readonly secret: string }
  'key/enable': AdminKey
  'key/disable': AdminKey
  'balance/list': readonly AdminBalance[]
  /** Empty at the journal's end. */
  'journal/read': readonly AdminBatch[]
  /** Commands that every replay passes over. */
  'journal/quarantined': readonly number[]
  'money/credit': AdminTransfer
  'money/debit': AdminTransfer
  'money/move': AdminTransfer
}

/** `reason` is stable; `field` names what was wrong in the request, where one field was. */
export type AdminError = {
  readonly reason: string
  readonly message: string
  readonly field?: string | undefined
}

export type AdminAnswer<Operation extends AdminOperation = AdminOperation> =
  | { readonly ok: true; readonly result: AdminResults[Operation] }
  | { readonly ok: false; readonly error: AdminError }
