/** What the oracle of operators' commands works on: the records themselves and the money beside them, whoever keeps them. */
import {
  type Command,
  type CommandOf,
  isOperators,
  type OperatorCommand,
} from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import type { Approval, WithdrawalHandling } from '../../src/core/exchange/view.ts'
import type { WithdrawalAddress } from '../../src/core/ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
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
import type { Bucket } from '../../src/units/order-words.ts'
import type { Amount, TimeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import type { PhaseList } from './phases.ts'
import type { Limited } from './roles.ts'

export type Administered = {
  /** Of the command that is carried out. */
  readonly time: TimeMs
  rulesVersion: number
  /** The next number of orders, lists, sessions and withdrawals of traders, which are numbered together. */
  nextNumber(): number
  /** By id, as symbols and accounts. */
  readonly assets: Asset[]
  readonly symbols: TradingSymbol[]
  readonly accounts: Account[]
  /** In the order in which they were made, as all that follow. */
  readonly apiKeys: ApiKey[]
  readonly feeTiers: FeeTier[]
  readonly tokens: AdminToken[]
  readonly bans: AddressBan[]
  /** The operators' own. */
  readonly roles: OwnRole[]
  readonly limited: Limited[]
  /** Where it is not one. */
  readonly approvalsNeeded: ApprovalsNeeded[]
  readonly phases: PhaseList
  /** All there ever were, but what traders have asked for and did not get. */
  readonly withdrawals: Withdrawal[]
  /** References of those of traders that have ended and are remembered, in the order of their ends. */
  readonly endedWithdrawals: string[]
  /** The oldest first. */
  readonly addresses: WithdrawalAddress[]
  /** What waits for a second person, in time or not. */
  readonly approvals: Approval[]
  /** Who has withdrawals that wait in hand, and what of them was rejected. */
  readonly handlings: WithdrawalHandling[]
  /** By external reference. */
  readonly transfers: Map<string, Transfer>
  /** Whether the account has neither money nor open orders. */
  isEmpty(accountId: AccountId): boolean
  hasOpenOrders(symbolId: SymbolId): boolean
  /** What is in a bucket, in ledger units. */
  unitsIn(assetId: AssetId, place: Place): bigint
  /** Moves ledger units; what `from` has is enough. */
  moveUnits(assetId: AssetId, from: Place, to: Place, units: bigint): void
}

export type Place = readonly [accountId: AccountId, bucket: Bucket]

/** What an external reference was used for: the same whichever command asked for it. */
export type Transfer = {
  readonly assetId: AssetId
  readonly from: Place
  readonly to: Place
  readonly units: bigint
}

export const OUTSIDE = 0 as AccountId
export const FEES = 1 as AccountId

/** Every command of an operator but the one that is about orders. */
export type AdministeredCommand = Exclude<OperatorCommand, CommandOf<'CancelOrders' | 'CancelAnyOrder'>>

export function isAdministered(command: Command): command is AdministeredCommand {
  return isOperators(command) && command.kind !== 'CancelOrders' && command.kind !== 'CancelAnyOrder'
}

export type Of<Kind extends AdministeredCommand['kind']> = CommandOf<Kind>
export type Emit = (event: ExchangeEvent) => void

export const NEWEST_RULES = 11

/** From the second version of the rules on operators are bound by switches, tokens and delistings. */
export function isStrict({ rulesVersion }: { readonly rulesVersion: number }): boolean {
  return rulesVersion >= 2
}

/** Of every text of an operator, in UTF-16 units. */
const TEXT_LONGEST = 200

export function isText(text: string, shortest: number): boolean {
  return text.length >= shortest && text.length <= TEXT_LONGEST && text.isWellFormed()
}

export function areAmounts(...amounts: readonly Amount[]): boolean {
  return amounts.every((one) => bigintOf(one) >= 0n && bigintOf(one) <= AMOUNT_MAX)
}

/** Leaves out what is undefined. */
export function stripped<Record extends object>(record: Record): Record {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record
}

/** Replaces the record that has the same name, or adds one. */
export function put<Record>(records: Record[], isSame: (record: Record) => boolean, record: Record): void {
  const index = records.findIndex(isSame)
  if (index < 0) records.push(record)
  else records[index] = record
}

/** A second person agrees before a withdrawal is claimed, or a claimed one refused, from this version of the rules on. */
export const PAYING_RULES = 12

/** Traders ask for withdrawals from this version of the rules on. */
export const WITHDRAWAL_RULES = 11

/** The form of the exchange's own references: a UUID of version 7 whose kind is 5. */
export function isReserved({ rulesVersion }: Administered, reference: string): boolean {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7500-80[01][0-9a-f]-[0-9a-f]{12}$/i
  return rulesVersion >= WITHDRAWAL_RULES && form.test(reference)
}
