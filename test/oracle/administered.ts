/**
 * The state on which the oracle of operators' commands works: the records, and the money of the checker that
 * uses it.
 */
import {
  type Command,
  type CommandOf,
  isOperators,
  type OperatorCommand,
} from '../../src/core/commands/command.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { WithdrawalAddress } from '../../src/core/ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import type { Approval, WithdrawalHandling } from '../../src/core/questions/view.ts'
import type {
  Account,
  AddressBan,
  AdminToken,
  ApiKey,
  ApprovalsNeeded,
  Asset,
  FeeTier,
  OwnRole,
  TradingSymbol,
} from '../../src/core/registry/records.ts'
import type { AccountId, AssetId, SymbolId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import type { Bucket } from '../../src/units/order-enums.ts'
import type { Amount, TimeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import type { PhaseList } from './phases.ts'
import type { Limited } from './roles.ts'

export type Administered = {
  /** Time of the current command. */
  readonly time: TimeMs
  rulesVersion: number
  /** The next number of orders, lists, sessions and traders' withdrawals, which share one sequence. */
  nextNumber(): number
  /** Sorted by id, like symbols and accounts. */
  readonly assets: Asset[]
  readonly symbols: TradingSymbol[]
  readonly accounts: Account[]
  /** In the order of their creation, like all lists below. */
  readonly apiKeys: ApiKey[]
  /** The number of each key in its account, by its text; and how many keys each account has had. */
  readonly keyNumbers: Map<string, number>
  readonly keysMade: number[]
  readonly feeTiers: FeeTier[]
  readonly tokens: AdminToken[]
  readonly bans: AddressBan[]
  /** The operators' custom roles. */
  readonly roles: OwnRole[]
  readonly limited: Limited[]
  /** Assets for which more than one approval is needed. */
  readonly approvalsNeeded: ApprovalsNeeded[]
  readonly phases: PhaseList
  /** All withdrawals ever, except those that were requested by traders and canceled or refused. */
  readonly withdrawals: Withdrawal[]
  /** References of traders' ended withdrawals that are still remembered, in the order of their ends. */
  readonly endedWithdrawals: string[]
  /** Oldest first. */
  readonly addresses: WithdrawalAddress[]
  /** Requests that wait for a second person, expired or not. */
  readonly approvals: Approval[]
  /** Waiting withdrawals claimed by operators, with rejected requests about them. */
  readonly handlings: WithdrawalHandling[]
  /** By external reference. */
  readonly transfers: Map<string, Transfer>
  /** Whether the account has neither money nor open orders. */
  isEmpty(accountId: AccountId): boolean
  hasOpenOrders(symbolId: SymbolId): boolean
  /** Balance of a bucket, in ledger units. */
  unitsIn(assetId: AssetId, place: Place): bigint
  /** Moves ledger units; the balance of `from` must be sufficient. */
  moveUnits(assetId: AssetId, from: Place, to: Place, units: bigint): void
}

export type Place = readonly [accountId: AccountId, bucket: Bucket]

/** The transfer under an external reference: the same, whichever command requested it. */
export type Transfer = {
  readonly assetId: AssetId
  readonly from: Place
  readonly to: Place
  readonly units: bigint
}

export const OUTSIDE = 0 as AccountId
export const FEES = 1 as AccountId

/** Every operator's command except those about orders. */
export type AdministeredCommand = Exclude<OperatorCommand, CommandOf<'CancelOrders' | 'CancelAnyOrder'>>

export function isAdministered(command: Command): command is AdministeredCommand {
  return isOperators(command) && command.kind !== 'CancelOrders' && command.kind !== 'CancelAnyOrder'
}

export type Of<Kind extends AdministeredCommand['kind']> = CommandOf<Kind>
export type Emit = (event: ExchangeEvent) => void

export const NEWEST_RULES = 22

/** Limit of every text of an operator, in UTF-16 units. */
const TEXT_LONGEST = 200

export function isText(text: string, shortest: number): boolean {
  return text.length >= shortest && text.length <= TEXT_LONGEST && text.isWellFormed()
}

export function areAmounts(...amounts: readonly Amount[]): boolean {
  return amounts.every((one) => bigintOf(one) >= 0n && bigintOf(one) <= AMOUNT_MAX)
}

/** Removes the fields that are undefined. */
export function stripped<Record extends object>(record: Record): Record {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record
}

/** Replaces the record with the same name, or adds one. */
export function put<Record>(records: Record[], isSame: (record: Record) => boolean, record: Record): void {
  const index = records.findIndex(isSame)
  if (index < 0) records.push(record)
  else records[index] = record
}

/** The form of the exchange's own references: a UUID of version 7 whose kind is 5. */
export function isReserved(reference: string): boolean {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7500-80[01][0-9a-f]-[0-9a-f]{12}$/i
  return form.test(reference)
}
