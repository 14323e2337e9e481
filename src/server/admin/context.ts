/** Context of the operations of the admin server, and their refusals. */

import type { AdminError } from '../../contract/admin/admin.ts'
import type { AdminMail } from '../../contract/admin/customers.ts'
import type { AdminFault, FaultRequest } from '../../contract/admin/operations/faults.ts'
import type { TakenRight } from '../../contract/admin/operations/row.ts'
import type { AdminLoad, AdminMetrics } from '../../contract/admin/records.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../../contract/admin/webhooks.ts'
import type {
  CustomerAnswer,
  CustomerAsked,
  CustomerQuestion,
} from '../../contract/customers/operator-questions.ts'
import type { ProgramVersion } from '../../contract/program-version.ts'
import { type AdminReason, ALL_REASONS, adminStatus } from '../../contract/reasons/catalogue.ts'
import type { Account, AddressBan, ApiKey, Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { BatchFeed } from '../../engine/port/feed.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { AdminRight, ReadingRight } from '../../units/admin-rights.ts'
import type { EventKind } from '../../units/event-enums.ts'
import { meant } from '../../units/nearest.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { AccountsView } from '../../views/accounts.ts'
import type { BackOfficeView } from '../../views/back-office.ts'
import type { RegistryView } from '../../views/registry.ts'
import type { SessionKeys } from '../access/auth/session-keys.ts'
import { isOfCustomers } from './accounts/customer-accounts.ts'
import type { CustomerBudget } from './accounts/customer-budget.ts'
import type { ReportRequest } from './records/report-request.ts'
import type { ReferenceTurns } from './reference-turns.ts'
import type { TokenUse } from './roles/token-use.ts'
import type { StreamedText } from './streamed-text.ts'

/** Maximum number of names that an unknown one is compared with: there may be millions of accounts. */
const NAMES_COMPARED_MAX = 10_000

/** The caller, as identified by the token. */
export type Caller = {
  /** Name of the token; undefined for the node's own token, which everyone who can read its file can use. */
  readonly token: string | undefined
  readonly role: string
  /** The rights of the role. */
  readonly rights: readonly TakenRight[]
}

/** Bans imposed by the node's own limits. */
export interface LimitBans {
  list(now: TimeMs): readonly AddressBan[]
  /** Returns true if there was a ban. */
  lift(address: string): boolean
}

/** The store of the master key. */
export interface MasterKeyKeeper {
  /**
   * Makes a new key durable and uses it for sealing from then on; continues a rotation that was started.
   * Throws `AdminRequestError`.
   */
  begin(): void
  /** The same secret sealed under the newest key; undefined if it is already sealed under that one. */
  reseal(sealed: Uint8Array, apiKey: string): Uint8Array | undefined
  /**
   * Removes the previous key once every secret is sealed under the newest one. Returns true if an operator
   * must remove it.
   */
  retire(): boolean
}

/** A webhook that is to be created. */
export type NewWebhook = {
  readonly name: string
  readonly url: string
  /** Undefined means every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** Name of the only account whose events are sent; undefined means all. */
  readonly account: string | undefined
  /** The webhook receives the events after this number. */
  readonly position: number
}

/**
 * The webhooks of a node that has any, or has had. All methods with a name throw `AdminRequestError` if there
 * is no webhook of that name; those that store something throw `JournalFault` if that fails.
 */
export interface WebhookControl {
  readonly isFull: boolean
  list(): readonly AdminWebhook[]
  has(name: string): boolean
  show(name: string): AdminWebhook
  /** Throws `AdminRequestError` for a URL that a webhook may not use. */
  requireUrl(url: string): void
  /** Starts to send; returns the secret that signs the requests. */
  add(webhook: NewWebhook): string
  pause(name: string): void
  /**
   * Throws `AdminRequestError` if the webhook cannot continue at `position`; if that is undefined, it
   * continues where it stopped.
   */
  requireResumable(name: string, position: number | undefined): void
  resume(name: string, position: number | undefined): void
  /** Resolves once the webhook has no pending request. */
  remove(name: string): Promise<void>
  /** Undelivered events, oldest first. */
  dead(name: string): readonly AdminDeadEvent[]
  /**
   * Throws `AdminRequestError` if the webhook has not given up event `number`; without a number, if it has
   * given up none.
   */
  requireDead(name: string, number: number | undefined): void
  /** Sends one event that was given up, or all of them, once more. Returns their number. */
  sendAgain(name: string, number: number | undefined): number
  /** Makes one delivery attempt. */
  test(name: string): Promise<AdminWebhookTest>
  /** Seals every secret under the newest key; returns how many were sealed under another one. */
  reseal(masterKeys: Pick<MasterKeyKeeper, 'reseal'>): number
}

/** Access to webhooks: nothing about them is loaded or stored before the first one exists. */
export interface WebhookPlace {
  /** Undefined if there has never been a webhook. Throws like `open`. */
  find(): Promise<WebhookControl | undefined>
  /** Throws `AdminRequestError` if their stored data cannot be read. */
  open(): Promise<WebhookControl>
}

/** Lets clients wait for later events. */
export interface News {
  /** Whether the server stops and has released all waiting clients. */
  readonly isClosed: boolean
  /** Milliseconds, monotonic. */
  nowMs(): number
  /**
   * Resolves when there is a command after `after`, at `untilMs`, when `signal` is aborted, or when the
   * server stops. `holder` is the token that waits. Throws `AdminRequestError`.
   */
  after(after: Seq, untilMs: number, signal: AbortSignal, holder: Caller['token']): Promise<void>
}

/** The request that waits for an answer. */
export type Asker = {
  /** Aborted when the caller has disconnected or the server stops. */
  readonly gone: AbortSignal
  /** Whether the caller's token still permits the operation. */
  readonly mayGoOn: () => boolean
}

/** Creates reports in processes beside the node. */
export interface Reports {
  /** Resolves when its first bytes are available. Throws `AdminRequestError`. */
  make(
    request: ReportRequest,
    contentType: string,
    context: Pick<AdminContext, 'caller' | 'asker'>,
  ): Promise<StreamedText>
}

/** Measurements of the node. */
export interface Measures {
  /** The current text of the monitoring server. */
  read(): Promise<AdminMetrics>
  /** Samples later than `afterMs` (milliseconds since 1970), oldest first. */
  load(afterMs: number): readonly AdminLoad[]
  /** Causes that prevent the node from accepting any order; empty if there are none. */
  readonly orderStops: readonly string[]
}

export type AdminContext = {
  readonly caller: Caller
  readonly asker: Asker
  /** The server's time, which also advances while a clock that was set back catches up. */
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
  /** Identifies the journal, so that numbers of another journal are not confused with those of this one. */
  readonly journal: string
  /** Lets clients wait for later commands. */
  readonly news: News
  /** Creates reports. */
  readonly reports: Reports
  /** Sequence number of the last command whose effects the views show. */
  readonly seq: () => Seq
  /** The time of a key's last use, if this process has recorded one. */
  readonly lastUsed: (apiKey: string) => TimeMs | undefined
  /** The time and the address of the last use of each named token. */
  readonly tokenUse: TokenUse
  /** Shared by all admin servers of the process. */
  readonly referenceTurns: ReferenceTurns
  /** Version of the program. */
  readonly version: ProgramVersion
  readonly masterKeys: MasterKeyKeeper
  /** Encrypts a key's secret for the journal. */
  readonly sealSecret: (secret: string, apiKey: string) => Uint8Array
  /** Undefined if this process sends none. */
  readonly webhooks: WebhookPlace | undefined
  /** Undefined if there are no customers. */
  readonly customers?: CustomerControl | undefined
  /** Undefined if this is not a sandbox, or is one with several gateways. */
  readonly faults?: FaultControl | undefined
}

/** Operations on customers who registered themselves. */
export type CustomerControl = {
  readonly sessionKeys: SessionKeys
  /** The operations that their process may still request today. */
  readonly budget: CustomerBudget
  /** Called with each account that their process opens, and with each repeat. */
  onOpened(account: string): Promise<void>
  /** The answer of the customers' process; undefined if it cannot be reached. */
  ask<Name extends CustomerQuestion>(
    question: Name,
    asked: CustomerAsked<Name>,
  ): Promise<CustomerAnswer<Name> | undefined>
  /** Newest first; undefined if their process cannot be reached, or this is not a sandbox. */
  mails(limit: number): Promise<readonly AdminMail[] | undefined>
}

/** The faults that a sandbox simulates between itself and its clients; they exist in memory only. */
export type FaultControl = {
  list(): readonly AdminFault[]
  /**
   * Adds a fault whose fields are consistent and whose references exist. Returns undefined if the maximum
   * number of faults is reached.
   */
  add(request: FaultRequest, actor: string): AdminFault | undefined
  /** Removes one fault, or all if no number is given; returns how many there were. */
  clear(number: number | undefined, actor: string): number
}

/**
 * The operator's request cannot be carried out; the answer states the reason and, if one field is the cause,
 * its name.
 */
export class AdminRequestError extends Error {
  override readonly name = 'AdminRequestError'
  /** HTTP status of the answer. */
  readonly status: number
  readonly error: AdminError

  /** The message defaults to the catalogue's text. */
  constructor(reason: AdminReason, { message = ALL_REASONS[reason].en, field }: Partial<AdminError> = {}) {
    super(message)
    this.status = adminStatus(reason)
    this.error = { reason, message, field }
  }
}

/** The refusal of a field with an invalid value. */
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
  if (account !== undefined && (!isOfCustomers(context) || account.customer !== undefined)) return account
  const names = () => context.accounts.accounts(NAMES_COMPARED_MAX).map((each) => each.name)
  const known = { right: 'read.accounts', names } as const
  throw unknown(context, { reason: 'UNKNOWN_ACCOUNT', field, what: 'account', found: name, known })
}

/**
 * Whether a caller may read data that a right protects. Only then may a refusal or a warning contain such
 * data beyond the caller's own input.
 */
export function mayRead({ caller }: Pick<AdminContext, 'caller'>, right: ReadingRight): boolean {
  return caller.rights.includes(right)
}

/** The warnings part of an answer: absent if there are none. */
export function warned(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings }
}

/** The given name, which does not exist. */
type Unknown = {
  readonly reason: AdminReason
  readonly field: string
  /** The kind of thing. */
  readonly what: string
  readonly found: string
  /**
   * The existing names, and the right needed to read them: the nearest one is suggested to callers with that
   * right.
   */
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
 * Refuses named tokens an operation that would let one person act as two, or remove the need for a second
 * one. Such operations are reserved for those who may read the data directory.
 */
export function requireOwnToken({ caller }: Pick<AdminContext, 'caller'>, what: string): void {
  if (caller.token === undefined) return
  throw new AdminRequestError('OWN_TOKEN_NEEDED', { message: ownTokenText(what) })
}

export function ownTokenText(what: string): string {
  return `${what} needs the node's own token: do it on the node's machine`
}

/** Refuses a caller whose role lacks a right that the operation requires. */
export function requireRight(
  { caller }: Pick<AdminContext, 'caller'>,
  right: AdminRight,
  what: string,
): void {
  if (caller.rights.includes(right)) return
  throw new AdminRequestError('ROLE_NOT_ALLOWED', { message: lackText(caller, right, what) })
}

/** A text that names the missing right, and the role that lacks it. */
export function lackText({ role }: Caller, right: TakenRight, what: string): string {
  return `${what} needs the right ${right}, which the role ${role} of this token lacks`
}

/** An account that is not the house's own. */
export function traderAccount(context: AdminContext, field: string, name: string): Account {
  const account = knownAccount(context, field, name)
  if (account.role === 'trader') return account
  throw invalid(field, `${name} belongs to the house (${account.role})`)
}
