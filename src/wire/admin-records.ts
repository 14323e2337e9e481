/**
 * What the admin server shows: records as operators read them. Decimals are text in the asset's own units, times are ISO
 * 8601.
 */
import type { AdminRight } from '../units/admin-rights.ts'
import type { AccountRestriction, ApprovableKind } from '../units/operator-words.ts'
import type { ExchangePhase, Permission, SelfTradeMode, SymbolState } from '../units/order-words.ts'

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
  /** Most that one credit may bring; `0`: no limit. */
  readonly creditMax: string
  /** Transfers above it need a second person; `0`: none does. */
  readonly approvalAbove: string
  readonly withdrawMin: string
  readonly withdrawMax: string
  readonly addressDelayMinutes: number
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
  /** Prices and quantities of new orders are multiples of these two. */
  readonly tickSize: string
  readonly stepSize: string
  readonly selfTradeMode: SelfTradeMode
  readonly openOrdersMax: number
  readonly levelsMax: number
  /** The price band, both included; null: any price. */
  readonly minPrice: string | null
  readonly maxPrice: string | null
}

/** A phase of the whole exchange, from when on it is in force, and who ordered it. */
export type AdminPhase = {
  readonly phase: ExchangePhase
  readonly at: string
  readonly by: string
  readonly note: string
}

export type AdminExchange = {
  readonly phase: ExchangePhase
  /** null: since it began. */
  readonly since: string | null
  /** Who ordered it, and why; both empty of the phase that every exchange begins in. */
  readonly by: string
  readonly note: string
  /** In the order of their moments. */
  readonly planned: readonly AdminPhase[]
}

export type AdminAccount = {
  readonly name: string
  readonly role: string
  readonly createdAt: string
  /** What it is forbidden. */
  readonly restrictions: readonly AccountRestriction[]
  readonly closed: boolean
  /** null: it pays the symbols' own rates. */
  readonly feeTier: string | null
  /** null: the symbols' own limits. */
  readonly openOrdersMax: number | null
  /** What operators have noted of it: '' and empty lists where they have not. */
  readonly customerId: string
  readonly labels: readonly string[]
  /** Each `name=value`. */
  readonly fields: readonly string[]
  readonly remark: string
  /** In place of tier, limit and the symbols' own; null: none. */
  readonly terms: AdminSpecialTerms | null
}

/** Terms of one account alone. What is null it has not, or has no end. */
export type AdminSpecialTerms = {
  readonly makerRate: string | null
  readonly takerRate: string | null
  readonly ratesUntil: string | null
  /** False: they are over. */
  readonly ratesInForce: boolean
  readonly openOrdersMax: number | null
  readonly openOrdersUntil: string | null
  readonly openOrdersInForce: boolean
  /** So many times the limits of orders in a window. */
  readonly orderRateTimes: number | null
  readonly orderRateUntil: string | null
  readonly orderRateInForce: boolean
}

export type AdminKey = {
  readonly apiKey: string
  readonly account: string
  readonly label: string
  readonly permissions: readonly Permission[]
  readonly addresses: readonly string[]
  readonly enabled: boolean
  readonly revoked: boolean
  /** It refuses signatures that are not strict ones. */
  readonly strict: boolean
  readonly createdAt: string
  /** null: never. */
  readonly expiresAt: string | null
  /** Until when the secret before the last rotation opens as well; null: it does not. */
  readonly previousSecretUntil: string | null
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
  /** 12 hexadecimal digits, with `+dirty` where files were changed; `unknown`: it was built without a repository. */
  readonly commit: string
  /** ISO 8601; `unknown` with the commit. */
  readonly commitDate: string
  /** What keeps the node from taking any order, as words (docs/reference/monitoring.md#what-stops-all-orders); empty: nothing does. */
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

/** What the server for probes shows (docs/reference/monitoring.md), for whoever reaches the admin server alone. */
export type AdminMetrics = {
  readonly ready: boolean
  readonly phase: string
  /** What the check of the stored journal has come to. */
  readonly journal: string
  /** What it cannot do although it serves. */
  readonly degraded: readonly string[]
  /** null: it is no engine of a cluster. */
  readonly cluster: AdminCluster | null
  /** null: its journal is in a database, of whose backups it knows nothing. */
  readonly backups: AdminBackups | null
  /** Metrics in Prometheus' text format. */
  readonly text: string
}

/** What an engine knows of its cluster. */
export type AdminCluster = {
  /** Of this engine. */
  readonly name: string
  readonly role: string
  /** null: none is known. */
  readonly leader: string | null
  readonly epoch: number
  /** The engines and historians that the file of the cluster names, whether they run or not. */
  readonly members: readonly AdminClusterMember[]
}

export type AdminClusterMember = {
  readonly name: string
  readonly kind: 'ENGINE' | 'HISTORIAN'
  /** `host:port` of its admin server, as its machine has it; null: any free port of 127.0.0.1, or it has none. */
  readonly admin: string | null
}

/** What `bourse backup` has made of a node's directory. */
export type AdminBackups = {
  /** The newest that was read back and replayed: where it was made, when, up to which command and its time, and how large; null: none is known. */
  readonly newest: {
    readonly directory: string
    readonly createdAt: string
    readonly seq: number
    readonly time: string
    readonly bytes: number
  } | null
  /** The last attempt, where it has come to nothing. */
  readonly failed: { readonly at: string; readonly problem: string } | null
}

/** What a node had counted since it started, at one moment: how fast it was lies between two of them. */
export type AdminLoad = {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly commands: number
  readonly commits: number
  /** What all commits took, the sync to the disk included. */
  readonly commitSeconds: number
  readonly requests: number
  readonly trades: number
  /** Of all threads. */
  readonly cpuSeconds: number
}

/** One batch as the journal holds it; bytes as base64. Its form is the journal's, not the server's. */
export type AdminBatch = {
  readonly position: number
  readonly epoch: number
  /** As the journal stores it: 1, commands. */
  readonly kind: number
  readonly firstSeq: number
  readonly count: number
  readonly time: number
  readonly previousHash: string
  readonly hash: string
  readonly data: string
}

/** A file that has a part of the journal, as the journal records it; hashes as base64. */
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
  /** Of the journal's first batch. */
  readonly firstHash: string
  /** SHA-256 of the file's contents. */
  readonly digest: string
  /** Size of the file. */
  readonly bytes: number
  /** Relative to the data directory, or absolute. */
  readonly file: string
}

/** `repeated`: the reference had been used before for the very same transfer; nothing was done again. */
export type AdminTransfer = {
  readonly repeated: boolean
  /** It waits for a second person, or for one more; nothing has moved. */
  readonly pending: boolean
}

export type AdminFeeTier = {
  readonly name: string
  /** What is paid of a symbol's rates: `1` is the whole rate, `0.5` half of it. */
  readonly makerShare: string
  readonly takerShare: string
}

/** A withdrawal that waits. */
export type AdminWithdrawal = {
  readonly reference: string
  readonly account: string
  readonly asset: string
  readonly amount: string
  readonly requestedAt: string
  /** Of one that its trader has asked for; null: an operator holds it. */
  readonly asked: AdminAsked | null
  /** What is asked of it and waits for a second person: nothing else can be done with it meanwhile. null: nothing. */
  readonly waits: AdminRequest | null
  /** The last request about it that was rejected, since it was claimed if it was; null: none. */
  readonly rejected: AdminRejection | null
}

/** Somebody asked for it, and a second person is to agree. */
export type AdminRequest = {
  readonly kind: ApprovableKind
  readonly requestedBy: string
  readonly requestedAt: string
  readonly note: string
}

/** Somebody asked for it, and it was rejected. */
export type AdminRejection = {
  readonly kind: ApprovableKind
  readonly requestedBy: string
  readonly rejectedBy: string
  readonly rejectedAt: string
  /** What who rejected it noted. */
  readonly note: string
}

/** What a trader has asked for. */
export type AdminAsked = {
  readonly address: string
  /** Empty: none. */
  readonly tag: string
  /** The trader's own id; null: none. */
  readonly withdrawOrderId: string | null
  /** null: nobody has claimed it. */
  readonly claimedAt: string | null
  /** null: nobody has, or before rules 12. */
  readonly claimedBy: string | null
  /** Who approved the claim; empty: it needed nobody. */
  readonly approvedBy: readonly string[]
}

/** Where money of an account may be withdrawn to, as whoever changes it names it. */
export type AdminAddressPlace = { account: string; asset: string; address: string; tag?: string | undefined }

/** Where money of an account may be withdrawn to. */
export type AdminWithdrawalAddress = {
  readonly account: string
  readonly asset: string
  readonly address: string
  readonly tag: string
  readonly label: string
  readonly addedAt: string
  /** From then on money may go there. */
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
  /** Of a `RefuseWithdrawal`: what its trader is told; empty: nothing. */
  readonly reason: string
  readonly requestedAt: string
  /** So many people are to approve it. */
  readonly needed: number
  /** Who has, so far, and still could. */
  readonly approvedBy: readonly string[]
  /** Whose tokens still may, the first 20. */
  readonly mayApprove: readonly string[]
  /** It is forgotten then. */
  readonly expiresAt: string
}

export type AdminTokenInfo = {
  readonly name: string
  readonly role: string
  readonly createdAt: string
  readonly revoked: boolean
  /** Its time is over: it opens nothing. */
  readonly expired: boolean
  /** null: never. */
  readonly expiresAt: string | null
  /** Addresses and ranges that it opens from; empty: from anywhere. */
  readonly addresses: readonly string[]
  /** As far as the running node remembers: not journaled; null: not since it started. */
  readonly lastUsedAt: string | null
  readonly lastUsedFrom: string | null
}

export type AdminRoleInfo = {
  readonly name: string
  /** Every exchange has it, and nobody changes it. */
  readonly builtIn: boolean
  readonly rights: readonly AdminRight[]
  readonly limits: readonly AdminRoleLimit[]
}

/** What the tokens of a role may move in an asset, with one command and all together in a day (UTC); `0`: no limit. */
export type AdminRoleLimit = {
  readonly asset: string
  readonly inEach: string
  readonly inDay: string
  /** What of the day is left; null: it is not limited. */
  readonly inLeft: string | null
  readonly outEach: string
  readonly outDay: string
  readonly outLeft: string | null
  /** When both begin anew. */
  readonly dayEndsAt: string
}

/** How many people beside who asks approve what is above an asset's threshold. */
export type AdminApprovalRules = {
  readonly needed: number
  /** Assets that have a number of their own. */
  readonly assets: readonly { readonly asset: string; readonly needed: number }[]
}

export type AdminBan = {
  readonly address: string
  readonly until: string
  /** Who banned it: an operator, or the limits of the node, which forget at a restart. */
  readonly by: 'OPERATOR' | 'LIMITS'
}

/** How far the rotation of the master key is: ask again while `left` is above 0. */
export type AdminResealed = {
  /** Secrets sealed anew by this request. */
  readonly resealed: number
  readonly left: number
  /** All is done, and the old key is still in the environment of the node: to be taken out of there. */
  readonly removePrevious: boolean
}

/** At most so many at a time; ask again while `left` is above 0. */
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
  /** What was asked for, by name; sealed secrets and digests have no words. */
  readonly fields: AdminActionFields
}

export type AdminActionFields = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The clock of the node and the server's time, which is the sequencer's. */
export type AdminClock = {
  /** Where it is not, new orders are refused. */
  readonly trusted: boolean
  readonly serverTime: string
  /** What the clock shows. */
  readonly clock: string
  /** By so many milliseconds the clock is ahead; behind, where it is negative. */
  readonly aheadMs: number
}
