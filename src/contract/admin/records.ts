/**
 * The records of the admin server for operators. Decimals are text in the asset's own units, times are ISO
 * 8601.
 */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { AccountRestriction, ApprovableKind } from '../../units/operator-enums.ts'
import type {
  ExchangePhase,
  KeyKind,
  KeyWire,
  Permission,
  SelfTradeMode,
  SymbolState,
} from '../../units/order-enums.ts'

export type AdminAsset = {
  readonly code: string
  readonly name: string
  readonly fraction: number
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
  /** `0` means no cap. */
  readonly supplyCap: string
  /** Maximum amount of one credit; `0` means no limit. */
  readonly creditMax: string
  /** Transfers above this amount need a second person; `0` means that no transfer does. */
  readonly approvalAbove: string
  readonly withdrawMin: string
  readonly withdrawMax: string
  readonly addressDelayMinutes: number
}

export type AdminSymbol = {
  readonly symbol: string
  /** Its name for clients of Binance. */
  readonly binanceName: string
  readonly state: SymbolState
  readonly baseFraction: number
  readonly quoteFraction: number
  readonly takerRate: string
  readonly makerRate: string
  readonly minTotal: string
  readonly minQuantity: string
  /** Prices and quantities of new orders are multiples of these two. */
  readonly tickSize: string
  readonly stepSize: string
  readonly selfTradeMode: SelfTradeMode
  readonly openOrdersMax: number
  readonly levelsMax: number
  /** The price band, both inclusive; null if any price is allowed. */
  readonly minPrice: string | null
  readonly maxPrice: string | null
}

/** A phase of the whole exchange, the time from which it is in force, and the operator who ordered it. */
export type AdminPhase = {
  readonly phase: ExchangePhase
  readonly at: string
  readonly by: string
  readonly note: string
}

export type AdminExchange = {
  readonly phase: ExchangePhase
  /** Null if it has been in force since the beginning. */
  readonly since: string | null
  /** The actor and the reason; both empty for the initial phase. */
  readonly by: string
  readonly note: string
  /** In the order of their times. */
  readonly planned: readonly AdminPhase[]
}

export type AdminAccount = {
  readonly name: string
  readonly role: string
  readonly createdAt: string
  /** All restrictions, whoever set them. */
  readonly restrictions: readonly AccountRestriction[]
  /** The restrictions that operators have set. */
  readonly operatorRestrictions: readonly AccountRestriction[]
  /** The restrictions that the customer has set; operators cannot lift them. */
  readonly customerRestrictions: readonly AccountRestriction[]
  readonly closed: boolean
  /** Null if the symbols' own rates apply. */
  readonly feeTier: string | null
  /** Null if the symbols' own limits apply. */
  readonly openOrdersMax: number | null
  /** Notes of operators: '' and empty lists if there are none. */
  readonly customerId: string
  readonly labels: readonly string[]
  /** Each `name=value`. */
  readonly fields: readonly string[]
  readonly remark: string
  /** Special terms, which replace tier, limit and the symbols' own terms; null if there are none. */
  readonly terms: AdminSpecialTerms | null
}

/** Terms of only one account. A field that is null is not set, or has no end. */
export type AdminSpecialTerms = {
  readonly makerRate: string | null
  readonly takerRate: string | null
  readonly ratesUntil: string | null
  /** False if the terms have expired. */
  readonly ratesInForce: boolean
  readonly openOrdersMax: number | null
  readonly openOrdersUntil: string | null
  readonly openOrdersInForce: boolean
  /** The factor by which the account's order limits in a window are multiplied. */
  readonly orderRateTimes: number | null
  readonly orderRateUntil: string | null
  readonly orderRateInForce: boolean
}

export type AdminKey = {
  readonly apiKey: string
  readonly account: string
  /**
   * Its number among all keys that the account has had, to which orders refer; null if it is not known yet.
   */
  readonly number: number | null
  readonly label: string
  readonly kind: KeyKind
  /** Base64; null if the key has a secret instead. */
  readonly publicKey: string | null
  readonly wire: KeyWire
  readonly permissions: readonly Permission[]
  readonly addresses: readonly string[]
  readonly enabled: boolean
  readonly revoked: boolean
  /** Only strict signatures are valid. */
  readonly strict: boolean
  readonly createdAt: string
  /** Null if it never expires. */
  readonly expiresAt: string | null
  /** The time until which the secret before the last rotation is also valid; null if it is not valid. */
  readonly previousSecretUntil: string | null
  /**
   * Not journaled: only what the running node remembers. Null if the key has not been used since the node
   * started.
   */
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
  /**
   * 12 hexadecimal digits, with `+dirty` if files were changed; `unknown`: it was built without a repository.
   */
  readonly commit: string
  /** ISO 8601; `unknown` if the commit is unknown. */
  readonly commitDate: string
  /**
   * The causes that keep the node from accepting any order, as words
   * (docs/reference/monitoring.md#what-stops-all-orders); empty if there are none.
   */
  readonly orderStops: readonly string[]
  /** Sequence number of the last command whose effects are shown. */
  readonly seq: number
  readonly assets: number
  readonly symbols: number
  readonly accounts: number
  readonly apiKeys: number
  /** Version of the rules in force. */
  readonly rules: number
}

/**
 * The data of the monitoring server (docs/reference/monitoring.md), for clients that reach only the admin
 * server.
 */
export type AdminMetrics = {
  readonly ready: boolean
  readonly phase: string
  /** The result of the check of the stored journal. */
  readonly journal: string
  /** Functions that do not work although the node serves requests. */
  readonly degraded: readonly string[]
  /** Null if the node is not an engine of a cluster. */
  readonly cluster: AdminCluster | null
  /** Null if the journal is in a database, whose backups the node cannot see. */
  readonly backups: AdminBackups | null
  /** Metrics in Prometheus' text format. */
  readonly text: string
}

/** The cluster, as seen by an engine. */
export type AdminCluster = {
  /** The name of this engine. */
  readonly name: string
  readonly role: string
  /** Null if none is known. */
  readonly leader: string | null
  readonly epoch: number
  /** The engines and historians in the cluster's file, whether they run or not. */
  readonly members: readonly AdminClusterMember[]
  /** The customers processes in the cluster's file, as seen by this engine. */
  readonly customers: readonly AdminCustomersProcess[]
}

/** How a customers process answers an engine. */
export type CustomersProcessState =
  | 'ANSWERS'
  | 'NO_ANSWER'
  /** The engine does not trust its certificate. */
  | 'CERTIFICATE_REFUSED'
  /** It does not accept the engine's secret. */
  | 'SECRET_REFUSED'
  | 'NOT_ASKED_YET'

export type AdminCustomersProcess = {
  readonly name: string
  readonly state: CustomersProcessState
  /**
   * ISO 8601: the time at which it started, or since which it has not answered; null if it has not been
   * contacted yet.
   */
  readonly since: string | null
  /** The build; null while the process does not answer, or if its build does not report it. */
  readonly version: string | null
  readonly commit: string | null
  /** The services that it cannot reach: it refuses requests that need them. */
  readonly lacks: readonly CustomersLack[]
}

/** `STORE`: its databases do not answer; `EXCHANGE`: no leading engine answers it. */
export const CUSTOMERS_LACKS = ['STORE', 'EXCHANGE'] as const
export type CustomersLack = (typeof CUSTOMERS_LACKS)[number]

export type AdminClusterMember = {
  readonly name: string
  readonly kind: 'ENGINE' | 'HISTORIAN'
  /**
   * `host:port` of its admin server, as configured on its own machine; null if it has none, or uses any free
   * port of 127.0.0.1.
   */
  readonly admin: string | null
}

/** The backups of a node's directory made by `bourse backup`. */
export type AdminBackups = {
  /**
   * The newest backup that was read back and replayed: its location, its time, its last command with that
   * command's time, and its size; null if none is known.
   */
  readonly newest: {
    readonly directory: string
    readonly createdAt: string
    readonly seq: number
    readonly time: string
    readonly bytes: number
  } | null
  /** The last attempt, if it failed. */
  readonly failed: { readonly at: string; readonly problem: string } | null
}

/**
 * Counters of a node since its start, at one time: rates are computed from the differences between two
 * readings.
 */
export type AdminLoad = {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly commands: number
  readonly commits: number
  /** The total time of all commits, including the sync to disk. */
  readonly commitSeconds: number
  readonly requests: number
  readonly trades: number
  /** CPU time of all threads. */
  readonly cpuSeconds: number
}

/** One batch as stored in the journal; bytes as base64. Its format is the journal's, not the server's. */
export type AdminBatch = {
  readonly position: number
  readonly epoch: number
  /** The stored number: 1 means commands. */
  readonly kind: number
  readonly firstSeq: number
  readonly count: number
  readonly time: number
  readonly previousHash: string
  readonly hash: string
  readonly data: string
}

/** A file with a part of the journal, as recorded in the journal; hashes as base64. */
export type AdminArchive = {
  /** Position and command before its first batch. */
  readonly afterPosition: number
  readonly afterSeq: number
  /** The end of its last batch. */
  readonly position: number
  readonly epoch: number
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly hash: string
  /** Hash of the journal's first batch. */
  readonly firstHash: string
  /** SHA-256 of the file's contents. */
  readonly digest: string
  /** Size of the file. */
  readonly bytes: number
  /** Relative to the data directory, or absolute. */
  readonly file: string
}

/** `repeated`: the reference was used before for exactly the same transfer; nothing was done again. */
export type AdminTransfer = {
  readonly repeated: boolean
  /** The transfer waits for one or more approvers; nothing has moved. */
  readonly pending: boolean
}

export type AdminFeeTier = {
  readonly name: string
  /** The share of a symbol's rates that is paid: `1` is the full rate, `0.5` half of it. */
  readonly makerShare: string
  readonly takerShare: string
}

/** A pending withdrawal. */
export type AdminWithdrawal = {
  readonly reference: string
  readonly account: string
  readonly asset: string
  readonly amount: string
  readonly requestedAt: string
  /** The request of the trader who asked for the withdrawal; null if an operator holds the amount. */
  readonly asked: AdminAsked | null
  /**
   * The request about this withdrawal that waits for a second person: until it is decided, no other request
   * is possible. Null if there is none.
   */
  readonly waits: AdminRequest | null
  /**
   * The last rejected request about this withdrawal, or, if it is claimed, the last one since the claim; null
   * if there is none.
   */
  readonly rejected: AdminRejection | null
}

/** A request that waits for a second person. */
export type AdminRequest = {
  readonly kind: ApprovableKind
  readonly requestedBy: string
  readonly requestedAt: string
  readonly note: string
}

/** A rejected request. */
export type AdminRejection = {
  readonly kind: ApprovableKind
  readonly requestedBy: string
  readonly rejectedBy: string
  readonly rejectedAt: string
  /** The note of the person who rejected it. */
  readonly note: string
}

/** The fields of a trader's request. */
export type AdminAsked = {
  readonly address: string
  /** Empty if there is none. */
  readonly tag: string
  /** The trader's own id; null if there is none. */
  readonly withdrawOrderId: string | null
  /** Null if it is not claimed. */
  readonly claimedAt: string | null
  /** Null if it is not claimed, or was claimed before rules 12. */
  readonly claimedBy: string | null
  /** The approvers of the claim; empty if none were needed. */
  readonly approvedBy: readonly string[]
}

/** A withdrawal address of an account, as identified in changes. */
export type AdminAddressPlace = { account: string; asset: string; address: string; tag?: string | undefined }

/** An address to which an account's money may be withdrawn. */
export type AdminWithdrawalAddress = {
  readonly account: string
  readonly asset: string
  readonly address: string
  readonly tag: string
  readonly label: string
  readonly addedAt: string
  /** From this time on money may be sent there. */
  readonly usableAt: string
}

/** A transfer that waits for a second person. */
export type AdminApproval = {
  readonly reference: string
  readonly kind: ApprovableKind
  readonly account: string
  readonly asset: string
  readonly amount: string
  readonly requestedBy: string
  readonly note: string
  /** For a `RefuseWithdrawal`: the reason shown to the withdrawal's trader; empty if there is none. */
  readonly reason: string
  readonly requestedAt: string
  /** The number of approvers that it needs. */
  readonly needed: number
  /** The approvers so far whose approval still counts. */
  readonly approvedBy: readonly string[]
  /** The tokens that may still approve, the first 20. */
  readonly mayApprove: readonly string[]
  /** The time at which it expires. */
  readonly expiresAt: string
}

export type AdminTokenInfo = {
  readonly name: string
  readonly role: string
  readonly createdAt: string
  readonly revoked: boolean
  /** It has expired and is no longer valid. */
  readonly expired: boolean
  /** Null if it never expires. */
  readonly expiresAt: string | null
  /** Addresses and ranges from which it is valid; empty if it is valid from anywhere. */
  readonly addresses: readonly string[]
  /**
   * Not journaled: only what the running node remembers. Null if the token has not been used since the node
   * started.
   */
  readonly lastUsedAt: string | null
  readonly lastUsedFrom: string | null
}

export type AdminRoleInfo = {
  readonly name: string
  /** A built-in role, which cannot be changed. */
  readonly builtIn: boolean
  readonly rights: readonly AdminRight[]
  readonly limits: readonly AdminRoleLimit[]
}

/**
 * The limits of a role's tokens in an asset, per command and all together per UTC day; `0` means no limit.
 */
export type AdminRoleLimit = {
  readonly asset: string
  readonly inEach: string
  readonly inDay: string
  /** The rest of the day's limit; null if there is no limit. */
  readonly inLeft: string | null
  readonly outEach: string
  readonly outDay: string
  readonly outLeft: string | null
  /** The time at which `inLeft` and `outLeft` are reset. */
  readonly dayEndsAt: string
}

/** The number of people, besides the requester, who must approve an amount above an asset's threshold. */
export type AdminApprovalRules = {
  readonly needed: number
  /** Assets with a number of their own. */
  readonly assets: readonly { readonly asset: string; readonly needed: number }[]
}

export type AdminBan = {
  readonly address: string
  readonly until: string
  /** The origin of the ban: an operator, or the limits of the node, whose bans end with a restart. */
  readonly by: 'OPERATOR' | 'LIMITS'
}

/** The progress of the master key's rotation: request it again while `left` is above 0. */
export type AdminResealed = {
  /** Number of secrets encrypted again by this request. */
  readonly resealed: number
  readonly left: number
  /**
   * The rotation is complete. The old key is still in the environment of the node, from which it must be
   * removed.
   */
  readonly removePrevious: boolean
}

/** The number per request is limited; repeat the request while `left` is above 0. */
export type AdminOrdersCanceled = { readonly canceled: number; readonly left: number }

/** One command of an operator, from the journal. */
export type AdminAction = {
  readonly seq: number
  readonly time: string
  readonly kind: string
  readonly actor: string
  readonly note: string
  /** `done`, `repeated`, `waits for approval` or the reason of the refusal. */
  readonly outcome: string
  /** The parameters, by name; sealed secrets and digests are omitted. */
  readonly fields: AdminActionFields
}

export type AdminActionFields = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The clock of the node and the server's time, which is the sequencer's. */
export type AdminClock = {
  /** Whether the clock is trusted; if not, new orders are refused. */
  readonly trusted: boolean
  readonly serverTime: string
  /** The time of the clock. */
  readonly clock: string
  /** The number of milliseconds by which the clock is ahead; negative if it is behind. */
  readonly aheadMs: number
}
