/**
 * What the operations of the admin server work with, and how they say no.
 */
import type { Account, AddressBan, ApiKey, Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { BatchFeed } from '../../engine/port/feed.ts'
import type { EnginePort, HistoryPort } from '../../engine/port/ports.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { AdminRight, ReadingRight } from '../../units/admin-rights.ts'
import type { EventKind } from '../../units/event-words.ts'
import { meant } from '../../units/nearest.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { AccountsView } from '../../views/accounts.ts'
import type { BackOfficeView } from '../../views/back-office.ts'
import type { RegistryView } from '../../views/registry.ts'
import type { AdminError } from '../../wire/admin.ts'
import type { AdminFault, FaultWish } from '../../wire/admin-operations/faults.ts'
import type { TakenRight } from '../../wire/admin-operations/row.ts'
import type { AdminLoad, AdminMetrics } from '../../wire/admin-records.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../../wire/admin-webhooks.ts'
import type { ProgramVersion } from '../../wire/program-version.ts'
import { type AdminReason, ALL_REASONS, adminStatus } from '../../wire/reasons/catalogue.ts'
import type { ReportWish } from './records/report-wish.ts'
import type { ReferenceTurns } from './reference-turns.ts'
import type { TokenUse } from './roles/token-use.ts'
import type { StreamedText } from './streamed-text.ts'

/** Most names that an unknown one is compared with: there may be millions of accounts. */
const NAMES_COMPARED_MAX = 10_000

/** Who asks, as the token shown says. */
export type Caller = {
  /** Name of the token; undefined: the node's own, which whoever may read its file can show. */
  readonly token: string | undefined
  readonly role: string
  /** Those of the role. */
  readonly rights: readonly TakenRight[]
}

/** Bans that the node's own limits have made. */
export interface LimitBans {
  list(now: TimeMs): readonly AddressBan[]
  /** True when there was one. */
  lift(address: string): boolean
}

/** What keeps the master key. */
export interface MasterKeyKeeper {
  /** Makes a new key durable and seals with it from now on; goes on with a rotation that was begun. Throws `AdminRequestError`. */
  begin(): void
  /** Another sealing of the same secret, under the newest key; undefined: it is under that one. */
  reseal(sealed: Uint8Array, apiKey: string): Uint8Array | undefined
  /** Every secret is sealed under the newest key: the one before it goes. True when an operator has to take it away. */
  retire(): boolean
}

/** A webhook to be. */
export type NewWebhook = {
  readonly name: string
  readonly url: string
  /** Undefined: every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** Name of the account that alone is sent; undefined: all. */
  readonly account: string | undefined
  /** It is sent what comes after this number. */
  readonly position: number
}

/**
 * The webhooks of a node that has any, or has had. All that names one throws `AdminRequestError` where there is none of that name; what stores
 * something, `JournalFault`.
 */
export interface WebhookDesk {
  readonly isFull: boolean
  list(): readonly AdminWebhook[]
  has(name: string): boolean
  show(name: string): AdminWebhook
  /** Throws `AdminRequestError` for an address that is not sent to. */
  requireUrl(url: string): void
  /** Begins to send; the secret that signs. */
  add(webhook: NewWebhook): string
  pause(name: string): void
  /** Throws `AdminRequestError` for one that cannot go on there; undefined: where it stopped. */
  requireResumable(name: string, position: number | undefined): void
  resume(name: string, position: number | undefined): void
  /** Resolves once nothing of it is under way. */
  remove(name: string): Promise<void>
  /** What it gave up, the oldest first. */
  dead(name: string): readonly AdminDeadEvent[]
  /** Throws `AdminRequestError` where it has not given this event up, or nothing. */
  requireDead(name: string, number: number | undefined): void
  /** Sends what it gave up again: one event, or all. How many. */
  sendAgain(name: string, number: number | undefined): number
  /** One attempt. */
  test(name: string): Promise<AdminWebhookTest>
  /** Seals every secret under the newest key; how many were not. */
  reseal(masterKeys: Pick<MasterKeyKeeper, 'reseal'>): number
}

/** Where webhooks are: nothing of them is loaded or stored before there is a first one. */
export interface WebhookPlace {
  /** Undefined: there has been none. Throws as `open`. */
  find(): Promise<WebhookDesk | undefined>
  /** Throws `AdminRequestError` where what is stored of them cannot be read. */
  open(): Promise<WebhookDesk>
}

/** For whoever waits for news. */
export interface News {
  /** The server stops: nobody waits any more. */
  readonly isClosed: boolean
  /** Milliseconds, monotonic. */
  nowMs(): number
  /**
   * Resolves when there is a command after `after`, at `untilMs`, when `signal` says so, or when the server stops. `holder`: whose token
   * waits. Throws `AdminRequestError`.
   */
  after(after: Seq, untilMs: number, signal: AbortSignal, holder: Caller['token']): Promise<void>
}

/** Whoever waits for an answer. */
export type Asker = {
  /** It is gone, or the server stops. */
  readonly gone: AbortSignal
  /** Whether its token still opens the server. */
  readonly mayGoOn: () => boolean
}

/** Makes reports beside the node. */
export interface Reports {
  /** Resolves with its first bytes there. Throws `AdminRequestError`. */
  make(
    wish: ReportWish,
    contentType: string,
    context: Pick<AdminContext, 'caller' | 'asker'>,
  ): Promise<StreamedText>
}

/** What the node measures of itself. */
export interface Measures {
  /** What the server for probes would show now. */
  read(): Promise<AdminMetrics>
  /** Oldest first; what is later than `afterMs`, milliseconds since 1970. */
  load(afterMs: number): readonly AdminLoad[]
  /** What keeps the node from taking any order; empty: nothing does. */
  readonly orderStops: readonly string[]
}

export type AdminContext = {
  readonly caller: Caller
  readonly asker: Asker
  /** The server's time, which goes on also while a clock set back catches up. */
  readonly now: () => TimeMs
  readonly clock: () => ClockReading
  readonly measures: Measures
  readonly backOffice: BackOfficeView
  readonly limitBans: LimitBans
  readonly history: Pick<
    HistoryPort,
    'operatorActions' | 'events' | 'pastEvents' | 'orders' | 'numberedOrders' | 'fills'
  >
  readonly engine: EnginePort
  /** The journal's durable batches, for auditors and backups. */
  readonly feed: BatchFeed
  readonly registry: RegistryView
  readonly accounts: AccountsView
  /** Names the journal, so that numbers of another one are not taken for its own. */
  readonly journal: string
  /** For whoever waits for later commands. */
  readonly news: News
  /** What replays the journal beside the node. */
  readonly reports: Reports
  /** Sequence number of the last command whose effects the views show. */
  readonly seq: () => Seq
  /** When a key was last used, as far as this process remembers. */
  readonly lastUsed: (apiKey: string) => TimeMs | undefined
  /** When and from where named tokens were last used. */
  readonly tokenUse: TokenUse
  /** All operators' servers of the process have the same. */
  readonly referenceTurns: ReferenceTurns
  /** Version of the program. */
  readonly version: ProgramVersion
  readonly masterKeys: MasterKeyKeeper
  /** Encrypts a key's secret for the journal. */
  readonly sealSecret: (secret: string, apiKey: string) => Uint8Array
  /** Undefined: this process sends none. */
  readonly webhooks: WebhookPlace | undefined
  /** Undefined: this is no sandbox, or one with several gateways. */
  readonly faults?: FaultDesk | undefined
}

/** Where a sandbox keeps what is to go wrong between it and its clients: in memory alone. */
export type FaultDesk = {
  list(): readonly AdminFault[]
  /** The fields fit each other, and what they name is there. Undefined: there are as many as there may be. */
  add(wish: FaultWish, actor: string): AdminFault | undefined
  /** One, or without a number all; how many there were. */
  clear(number: number | undefined, actor: string): number
}

/** The operator's request cannot be done; the answer says why and, where one field is to blame, which. */
export class AdminRequestError extends Error {
  override readonly name = 'AdminRequestError'
  /** HTTP status of the answer. */
  readonly status: number
  readonly error: AdminError

  /** Without a message it is the catalogue's. */
  constructor(reason: AdminReason, { message = ALL_REASONS[reason].en, field }: Partial<AdminError> = {}) {
    super(message)
    this.status = adminStatus(reason)
    this.error = { reason, message, field }
  }
}

/** A field's value is not what it must be. */
export function invalid(field: string, message: string): AdminRequestError {
  return new AdminRequestError('INVALID_FIELD', { field, message: `${field}: ${message}` })
}

export function knownAsset(context: AdminContext, field: string, code: string): Asset {
  const asset = context.registry.assetByCode(code)
  if (asset !== undefined) return asset
  const names = () => context.registry.assets().map((each) => each.code)
  const known = { right: 'read', names } as const
  throw unknown(context, { reason: 'UNKNOWN_ASSET', field, what: 'asset', found: code, known })
}

export function knownSymbol(context: AdminContext, field: string, name: string): TradingSymbol {
  const symbol = context.registry.symbolByName(name)
  if (symbol !== undefined) return symbol
  const names = () => context.registry.symbols().map((each) => each.name)
  const known = { right: 'read', names } as const
  throw unknown(context, { reason: 'UNKNOWN_SYMBOL', field, what: 'symbol', found: name, known })
}

export function knownAccount(
  context: Pick<AdminContext, 'accounts' | 'caller'>,
  field: string,
  name: string,
): Account {
  const account = context.accounts.accountByName(name)
  if (account !== undefined) return account
  const names = () => context.accounts.accounts(NAMES_COMPARED_MAX).map((each) => each.name)
  const known = { right: 'read.accounts', names } as const
  throw unknown(context, { reason: 'UNKNOWN_ACCOUNT', field, what: 'account', found: name, known })
}

/** Whether a caller may read what a right protects: only then does a refusal or a warning say something of it that he has not said himself. */
export function mayRead({ caller }: Pick<AdminContext, 'caller'>, right: ReadingRight): boolean {
  return caller.rights.includes(right)
}

/** What an answer has of warnings: nothing where there is none. */
export function warned(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings }
}

/** What was named and is not there. */
type Unknown = {
  readonly reason: AdminReason
  readonly field: string
  /** What kind of thing. */
  readonly what: string
  readonly found: string
  /** Those there are, and the right that they are read by: the nearest is named to whoever has it. */
  readonly known?: { readonly right: ReadingRight; readonly names: () => readonly string[] }
}

export function unknown(context: Pick<AdminContext, 'caller'>, refused: Unknown): AdminRequestError {
  const { reason, field, what, found, known } = refused
  const near = known === undefined || !mayRead(context, known.right) ? '' : meant(found, known.names())
  return new AdminRequestError(reason, { field, message: `${field}: there is no ${what} ${found}${near}` })
}

export function knownKey(context: AdminContext, apiKey: string): ApiKey {
  const known = context.registry.apiKey(apiKey)
  if (known !== undefined) return known
  throw unknown(context, { reason: 'UNKNOWN_API_KEY', field: 'apiKey', what: 'key', found: apiKey })
}

/**
 * Refuses a named token what would let one person alone be two, or undo the need of a second one: that is for who may read
 * the data directory.
 */
export function requireOwnToken({ caller }: Pick<AdminContext, 'caller'>, what: string): void {
  if (caller.token === undefined) return
  throw new AdminRequestError('OWN_TOKEN_NEEDED', { message: ownTokenText(what) })
}

export function ownTokenText(what: string): string {
  return `${what} takes the node's own token: do it on its machine`
}

/** Refuses a caller whose role lacks a right that what is asked for takes. */
export function requireRight(
  { caller }: Pick<AdminContext, 'caller'>,
  right: AdminRight,
  what: string,
): void {
  if (caller.rights.includes(right)) return
  throw new AdminRequestError('ROLE_NOT_ALLOWED', { message: lackText(caller, right, what) })
}

/** Which right is missing, and whose role it is that lacks it. */
export function lackText({ role }: Caller, right: AdminRight, what: string): string {
  return `${what} takes the right ${right}, which the role ${role} of this token does not have`
}

/** An account that is not the house's own. */
export function traderAccount(context: AdminContext, field: string, name: string): Account {
  const account = knownAccount(context, field, name)
  if (account.role === 'trader') return account
  throw invalid(field, `${name} belongs to the house (${account.role})`)
}
