/**
 * The contract of the admin server: what an operator asks of a running node and what it answers. Every operation is
 * `POST /admin/v1/<operation>` with a JSON body and a bearer token. Decimals are text in the asset's own units.
 */
import type { AdminRight } from '../units/admin-rights.ts'
import type { EventKind } from '../units/event-words.ts'
import type { AccountRestriction } from '../units/operator-words.ts'
import type { Bucket, Permission, SelfTradeMode } from '../units/order-words.ts'
import type { AdminAuditPage, AdminAuditSearch } from './admin-audit.ts'
import type { AdminEventPage, AdminEventRequest } from './admin-events.ts'
import type { AdminFault, FaultWish } from './admin-faults.ts'
import type {
  AdminAccount,
  AdminAction,
  AdminAddressPlace,
  AdminApproval,
  AdminApprovalRules,
  AdminArchive,
  AdminAsset,
  AdminBalance,
  AdminBan,
  AdminBatch,
  AdminClock,
  AdminExchange,
  AdminFeeTier,
  AdminKey,
  AdminLoad,
  AdminMetrics,
  AdminOrdersCanceled,
  AdminResealed,
  AdminRoleInfo,
  AdminStatus,
  AdminSymbol,
  AdminTokenInfo,
  AdminTransfer,
  AdminWithdrawal,
  AdminWithdrawalAddress,
} from './admin-records.ts'
import type {
  AdminEndedWithdrawalPage,
  AdminFillPage,
  AdminOrder,
  AdminOrderPage,
  AdminOrderShown,
  AdminStory,
  AdminTransferShown,
} from './admin-support.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from './admin-webhooks.ts'
import type { AdminReason } from './reasons/catalogue.ts'

/** What programs read the numbered feed by (docs/reference/events.md), under `ADMIN_PATH`: a GET, or a WebSocket. */
export const EVENTS_PATH = 'events'

/** Reports that a running node makes. */
export const REPORT_NAMES = ['statements', 'trades', 'fees', 'balances'] as const
export type ReportName = (typeof REPORT_NAMES)[number]

/** Those whose answer is a text of any length, sent as it is made. One that could not be made whole breaks off; a refusal is JSON as everywhere. */
export const STREAMED_OPERATIONS = ['report/show', 'liabilities/show'] as const
export type StreamedOperation = (typeof STREAMED_OPERATIONS)[number]

/** Where operations stand under the server's address. */
export const ADMIN_PATH = '/admin/v1/'

/** The file in the data directory with the server's address and its token, for a local operator; mode 0600. */
export const ADMIN_FILE = 'admin.json'

/** What named tokens begin with, so that one is known when it is found where it does not belong. */
export const TOKEN_MARK = 'bourse_'

export type AdminAddress = {
  /** `http://127.0.0.1:<port>`: the server for this machine. */
  readonly url: string
  readonly token: string
  /** `http://<host>:<port>` of health and metrics, which need no token; absent where an older node wrote the file. */
  readonly monitoringUrl?: string
  /** Process id of the node that wrote it; undefined where no file says it. */
  readonly pid: number | undefined
}

/**
 * Why it is done, for the journal's audit trail, and who does it: `actor` counts with the node's own token alone, a
 * named token says it itself.
 */
export type AuditFields = { readonly actor?: string | undefined; readonly note?: string | undefined }

export type AssetFlagFields = {
  readonly isDeposit?: boolean | undefined
  readonly isWithdraw?: boolean | undefined
  readonly isTrade?: boolean | undefined
  readonly isSaving?: boolean | undefined
}

/** A page of a list: the entries after the one of this name, at most so many (1 to 1000). Without both: all. */
export type AdminPageFields = { after?: string | undefined; limit?: number | undefined }

export type AdminRequests = {
  'node/status': Record<string, never>
  'rules/set': AuditFields & { version: number }
  'asset/list': AdminPageFields
  'asset/add': AuditFields &
    AssetFlagFields & {
      code: string
      name?: string | undefined
      fraction: number
      supplyCap?: string | undefined
    }
  'asset/set': AuditFields &
    AssetFlagFields & {
      code: string
      name?: string | undefined
      supplyCap?: string | undefined
      creditMax?: string | undefined
      approvalAbove?: string | undefined
    }
  /** In the asset's own decimals; `0`: no limit of its own. What is not named stays. */
  'asset/withdrawals': AuditFields & {
    code: string
    withdrawMin?: string | undefined
    withdrawMax?: string | undefined
    addressDelayMinutes?: number | undefined
  }
  'symbol/list': AdminPageFields
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
  'symbol/rates': AuditFields & {
    symbol: string
    takerRate?: string | undefined
    makerRate?: string | undefined
  }
  'symbol/halt': AuditFields & { symbol: string }
  'symbol/resume': AuditFields & { symbol: string }
  'symbol/cancel-only': AuditFields & { symbol: string }
  'symbol/delist': AuditFields & { symbol: string }
  /** What is not named stays. Both prices are given, or neither; both `0`: no band. */
  'symbol/set': AuditFields & {
    symbol: string
    minTotal?: string | undefined
    minQuantity?: string | undefined
    selfTradeMode?: SelfTradeMode | undefined
    openOrdersMax?: number | undefined
    levelsMax?: number | undefined
    minPrice?: string | undefined
    maxPrice?: string | undefined
  }
  /** In the symbol's own decimals. What is not named stays. */
  'symbol/increments': AuditFields & {
    symbol: string
    tickSize?: string | undefined
    stepSize?: string | undefined
  }
  /** The phase of all symbols together. */
  'exchange/show': Record<string, never>
  'exchange/halt': AuditFields
  'exchange/close': AuditFields
  'exchange/open': AuditFields
  /** In the order of their moments, each as `CLOSED@2026-12-01T02:00:00Z` or `CLOSED@+30m`; they take the place of those planned before. */
  'exchange/plan': AuditFields & { steps: string[] }
  'exchange/unplan': AuditFields
  'tier/list': AdminPageFields
  'tier/set': AuditFields & { name: string; makerShare: string; takerShare: string }
  /** Of an account, of a symbol, or of an account in a symbol. */
  'order/cancel-all': AuditFields & { account?: string | undefined; symbol?: string | undefined }
  /** Open ones, or with `all` those that ended too; newest first. `before`: what `next` said. */
  'order/list': {
    account: string
    symbol?: string | undefined
    all?: boolean | undefined
    before?: string | undefined
    limit?: number | undefined
  }
  'order/cancel': AuditFields & { order: string }
  /** By the order's id, or as `<account>:<client order id>`. */
  'order/show': { order: string }
  'order/fills': { order: string; before?: string | undefined; limit?: number | undefined }
  'account/story': { account: string }
  'account/list': {
    after?: string | undefined
    limit?: number | undefined
    label?: string | undefined
  }
  'account/find': { customerId: string }
  /** What is not named stays; a field is `name=value`. An empty text, an empty list: none. */
  'account/note': AuditFields & {
    account: string
    customerId?: string | undefined
    labels?: string[] | undefined
    fields?: string[] | undefined
    remark?: string | undefined
  }
  /** What is not named stays. Both rates are given or neither, both empty: none of its own; `openOrdersMax` or `orderRateTimes` 0: none of its own. */
  'account/terms': AuditFields & {
    account: string
    makerRate?: string | undefined
    takerRate?: string | undefined
    openOrdersMax?: number | undefined
    orderRateTimes?: number | undefined
    /** Of what is named. Absent: without an end. */
    until?: string | undefined
  }
  'account/add': AuditFields & { name: string }
  'account/show': { account: string }
  'account/restrict': AuditFields & { account: string; restrictions: AccountRestriction[] }
  'account/freeze': AuditFields & { account: string }
  'account/unfreeze': AuditFields & { account: string }
  'account/close': AuditFields & { account: string }
  /** `feeTier` empty: none; `openOrdersMax` 0: the symbols' own. What is not named stays. */
  'account/set': AuditFields & {
    account: string
    feeTier?: string | undefined
    openOrdersMax?: number | undefined
  }
  'key/list': AdminPageFields & { account: string }
  'key/add': AuditFields & {
    account: string
    label?: string | undefined
    permissions?: Permission[] | undefined
    addresses?: string[] | undefined
    expiresAt?: string | undefined
    strict?: boolean | undefined
  }
  /** What is not named stays; `expiresAt` empty: never. */
  'key/set': AuditFields & {
    apiKey: string
    label?: string | undefined
    permissions?: Permission[] | undefined
    addresses?: string[] | undefined
    expiresAt?: string | undefined
    strict?: boolean | undefined
  }
  /** The old secret opens for so many minutes more; without it, it does not. */
  'key/rotate': AuditFields & { apiKey: string; overlapMinutes?: number | undefined }
  'key/revoke': AuditFields & { apiKey: string }
  'key/enable': AuditFields & { apiKey: string }
  'key/disable': AuditFields & { apiKey: string }
  'master-key/rotate': AuditFields
  'balance/list': { account: string }
  /** Stored batches that end after command `after`, oldest first. */
  'journal/read': { after: number; bytesMax?: number | undefined }
  'journal/quarantined': Record<string, never>
  /** Files that have the older part of the journal, oldest first. */
  'journal/archives': Record<string, never>
  /** Records a complete file, which `bourse archive` has made. */
  'archive/record': AdminArchive
  /** Removes at most so many of the oldest batches that a recorded file holds. */
  'archive/trim': { batchesMax: number }
  'money/credit': MoneyFields
  'money/debit': MoneyFields
  'money/move': MoneyFields & { from: MovableBucket; to: MovableBucket }
  'savings/deposit': MoneyFields
  'savings/withdraw': MoneyFields
  'house/payout': Omit<MoneyFields, 'account'>
  /** In the order in which they were asked for, those behind `after` (a reference). */
  'withdrawal/list': AdminPageFields & { account?: string | undefined }
  'withdrawal/ended': {
    account?: string | undefined
    before?: number | undefined
    limit?: number | undefined
  }
  'transfer/show': { reference: string }
  'withdrawal/hold': MoneyFields
  'withdrawal/complete': AuditFields & { reference: string }
  'withdrawal/cancel': AuditFields & { reference: string }
  /** From then on the trader who asked for it cannot cancel it. */
  'withdrawal/claim': AuditFields & { reference: string }
  /** As cancelling it; `reason` is for the trader who asked for it. */
  'withdrawal/refuse': AuditFields & { reference: string; reason: string }
  'address/list': { account: string }
  /** `atOnce`: without the delay that a new address waits. */
  'address/add': AuditFields &
    AdminAddressPlace & { label?: string | undefined; atOnce?: boolean | undefined }
  'address/remove': AuditFields & AdminAddressPlace
  'approval/list': AdminPageFields
  'approval/approve': AuditFields & { reference: string }
  'approval/reject': AuditFields & { reference: string }
  'approval/show': Record<string, never>
  /** Of an asset, or of all that have no number of their own; 0, of an asset: it has none. */
  'approval/needed': AuditFields & { needed: number; asset?: string | undefined }
  'token/list': AdminPageFields
  /** Without `expiresAt` it opens for ever, without `addresses` from anywhere. */
  'token/add': AuditFields & TokenTermFields & { name: string; role: string }
  /** What is not named stays; `expiresAt` empty: never; no addresses: from anywhere. */
  'token/set': AuditFields & TokenTermFields & { name: string }
  'token/revoke': AuditFields & { name: string }
  /** The roles that every exchange has come first. */
  'role/list': AdminPageFields
  'role/set': AuditFields & { name: string; rights: AdminRight[] }
  'role/remove': AuditFields & { name: string }
  /** What is not named stays; `0`: no limit. */
  'role/limit': AuditFields & {
    role: string
    asset: string
    inEach?: string | undefined
    inDay?: string | undefined
    outEach?: string | undefined
    outDay?: string | undefined
  }
  'ban/list': AdminPageFields
  'ban/add': AuditFields & { address: string; minutes: number }
  'ban/lift': AuditFields & { address: string }
  'clock/show': Record<string, never>
  'fault/list': Record<string, never>
  'fault/add': AuditFields & FaultWish
  /** Without a number: all of them. */
  'fault/clear': AuditFields & { number?: number | undefined }
  /** What the node measures of itself, and whether it is well. */
  'metrics/show': Record<string, never>
  /** What it did in the last hour, look by look; later than `after` (milliseconds since 1970) alone. */
  'load/show': { after?: number | undefined }
  'clock/accept': AuditFields
  /** The newest first; older than command `before` where that is given. */
  'audit/list': {
    before?: number | undefined
    limit?: number | undefined
    actor?: string | undefined
    kind?: string | undefined
  }
  'audit/find': AdminAuditSearch
  /** The same as `GET /admin/v1/events`. */
  'event/list': AdminEventRequest
  'webhook/list': Record<string, never>
  'webhook/show': { name: string }
  /** Sends what comes after `after`; without it, what happens from now on. */
  'webhook/add': AuditFields & {
    name: string
    url: string
    kinds?: EventKind[] | undefined
    account?: string | undefined
    after?: number | undefined
  }
  'webhook/pause': AuditFields & { name: string }
  /** Where it stopped, or with what comes after `after`. */
  'webhook/resume': AuditFields & { name: string; after?: number | undefined }
  'webhook/remove': AuditFields & { name: string }
  /** One attempt at once, with something that is no event. */
  'webhook/test': AuditFields & { name: string }
  /** One of the events that it gave up, or all. */
  'webhook/retry': AuditFields & { name: string; number?: number | undefined }
  /** What a webhook gave up, the oldest first. */
  'dead-event/list': { name: string }
  /** Days and moments as `bourse report` takes them; `csv` without a format. */
  'report/show': {
    report: ReportName
    from?: string | undefined
    to?: string | undefined
    at?: string | undefined
    account?: string | undefined
    format?: 'csv' | 'json' | undefined
  }
  /** The root of the proof of liabilities, or with an account what is given to its owner. */
  'liabilities/show': { at?: string | undefined; account?: string | undefined }
}

type TokenTermFields = { expiresAt?: string | undefined; addresses?: string[] | undefined }

export type MovableBucket = Exclude<Bucket, 'locked'>

/** `reference` names the transfer in the operator's own books: the same one again changes nothing. */
type MoneyFields = AuditFields & { account: string; asset: string; amount: string; reference: string }

export type AdminOperation = keyof AdminRequests

export type AdminResults = {
  'node/status': AdminStatus
  'rules/set': { readonly version: number }
  'asset/list': readonly AdminAsset[]
  'asset/add': AdminAsset
  'asset/set': AdminAsset
  'asset/withdrawals': AdminAsset
  'symbol/list': readonly AdminSymbol[]
  'symbol/add': AdminSymbol & { readonly warnings: readonly string[] }
  'symbol/rates': AdminSymbol & { readonly warnings: readonly string[] }
  'symbol/halt': AdminSymbol
  'symbol/resume': AdminSymbol
  'symbol/cancel-only': AdminSymbol
  'symbol/delist': AdminSymbol
  'symbol/set': AdminSymbol & { readonly warnings: readonly string[] }
  'symbol/increments': AdminSymbol
  'exchange/show': AdminExchange
  'exchange/halt': AdminExchange
  'exchange/close': AdminExchange
  'exchange/open': AdminExchange
  'exchange/plan': AdminExchange
  'exchange/unplan': AdminExchange
  'tier/list': readonly AdminFeeTier[]
  'tier/set': AdminFeeTier
  'order/cancel-all': AdminOrdersCanceled
  'order/list': AdminOrderPage
  'order/cancel': AdminOrder
  'order/show': AdminOrderShown
  'order/fills': AdminFillPage
  'account/story': AdminStory
  'account/list': readonly AdminAccount[]
  'account/find': AdminAccount
  'account/note': AdminAccount
  'account/terms': AdminAccount
  'account/add': AdminAccount
  'account/show': AdminAccount
  'account/restrict': AdminAccount
  'account/freeze': AdminAccount
  'account/unfreeze': AdminAccount
  'account/close': AdminAccount
  'account/set': AdminAccount
  'key/list': readonly AdminKey[]
  /** The only time that the secret is shown. */
  'key/add': AdminKey & { readonly secret: string }
  'key/set': AdminKey
  /** The only time that the new secret is shown. */
  'key/rotate': AdminKey & { readonly secret: string }
  'key/revoke': AdminKey
  'key/enable': AdminKey
  'key/disable': AdminKey
  'master-key/rotate': AdminResealed
  'balance/list': readonly AdminBalance[]
  /** Empty at the journal's end. */
  'journal/read': readonly AdminBatch[]
  /** Commands that every replay passes over. */
  'journal/quarantined': readonly number[]
  'journal/archives': readonly AdminArchive[]
  'archive/record': { readonly recorded: true }
  'archive/trim': { readonly removed: number; readonly left: number }
  'money/credit': AdminTransfer
  'money/debit': AdminTransfer
  'money/move': AdminTransfer
  'savings/deposit': AdminTransfer
  'savings/withdraw': AdminTransfer
  'house/payout': AdminTransfer
  'withdrawal/list': readonly AdminWithdrawal[]
  'withdrawal/ended': AdminEndedWithdrawalPage
  'transfer/show': AdminTransferShown
  'withdrawal/hold': AdminTransfer
  'withdrawal/complete': AdminTransfer
  'withdrawal/cancel': AdminTransfer
  'withdrawal/claim': AdminTransfer
  'withdrawal/refuse': AdminTransfer
  'address/list': readonly AdminWithdrawalAddress[]
  'address/add': AdminWithdrawalAddress
  'address/remove': { readonly removed: boolean }
  'approval/list': readonly AdminApproval[]
  'approval/approve': AdminTransfer
  'approval/reject': AdminTransfer
  'approval/show': AdminApprovalRules
  'approval/needed': AdminApprovalRules
  'token/list': readonly AdminTokenInfo[]
  /** The only time that the token is shown. */
  'token/add': AdminTokenInfo & { readonly token: string }
  'token/set': AdminTokenInfo
  'token/revoke': AdminTokenInfo
  'role/list': readonly AdminRoleInfo[]
  'role/set': AdminRoleInfo
  'role/remove': { readonly removed: boolean }
  'role/limit': AdminRoleInfo
  'ban/list': readonly AdminBan[]
  'ban/add': AdminBan
  /** True when there was a ban. */
  'ban/lift': { readonly lifted: boolean }
  'clock/show': AdminClock
  'fault/list': readonly AdminFault[]
  'fault/add': AdminFault
  /** How many have ended. */
  'fault/clear': { readonly cleared: number }
  'metrics/show': AdminMetrics
  'load/show': readonly AdminLoad[]
  /** `before`: the server's time until then. */
  'clock/accept': AdminClock & { readonly before: string }
  'audit/list': readonly AdminAction[]
  'audit/find': AdminAuditPage
  'event/list': AdminEventPage
  'webhook/list': readonly AdminWebhook[]
  'webhook/show': AdminWebhook
  /** The only time that the secret is shown. */
  'webhook/add': AdminWebhook & { readonly secret: string }
  'webhook/pause': AdminWebhook
  'webhook/resume': AdminWebhook
  /** As it was. */
  'webhook/remove': AdminWebhook
  'webhook/test': AdminWebhookTest
  /** How many are to be sent again. */
  'webhook/retry': { readonly count: number }
  'dead-event/list': readonly AdminDeadEvent[]
  /** A text, as it is. */
  'report/show': never
  'liabilities/show': never
}

/** `reason` is stable; `field` names what was wrong in the request, where one field was. */
export type AdminError = {
  readonly reason: AdminReason
  readonly message: string
  readonly field?: string | undefined
}

export type AdminAnswer<Operation extends AdminOperation = AdminOperation> =
  | { readonly ok: true; readonly result: AdminResults[Operation] }
  | { readonly ok: false; readonly error: AdminError }
