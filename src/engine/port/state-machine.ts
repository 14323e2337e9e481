/**
 * The deterministic machine as the engine drives it: what is applied, read and remembered. `Exchange` is the one
 * that runs; tests put faulty ones in its place.
 */
import type { AssetAudit } from '../../core/exchange/audit.ts'
import type { Command, EngineCommand } from '../../core/exchange/command.ts'
import type { PlaceOrder } from '../../core/exchange/commands/orders.ts'
import type { EventSink } from '../../core/exchange/event.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import type { Refused, Reply } from '../../core/exchange/reply.ts'
import { RULES_VERSION, rulesNeededToOffer } from '../../core/exchange/rules.ts'
import type { TestedOrder } from '../../core/exchange/tested-order.ts'
import type {
  AccountWithdrawals,
  Approval,
  Balance,
  Bootstrap,
  ClientList,
  ClientListQuery,
  ClientOrderAnswer,
  ClientOrderQuery,
  OpenOrder,
  OpenOrdersPage,
  OpenOrdersQuery,
  OrdersByNumberQuery,
} from '../../core/exchange/view.ts'
import type { Withdrawal } from '../../core/ledger/withdrawals.ts'
import type { Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber } from '../../units/ids.ts'
import type { Amount, Seq, TimeMs } from '../../units/quantities.ts'

export interface StateMachine {
  /** The last command applied or refused; 0: none. */
  readonly seq: Seq
  /** Time of that command. */
  readonly time: TimeMs
  /** Number of the newest trade; 0: there was none. They count from 1, without gaps. */
  readonly tradeCount: number
  /** The rules that the next command is applied under. */
  readonly rulesVersion: number

  /** Takes the next command. Throws only on a bug, and must not be used afterwards. */
  apply(command: Command, time: TimeMs, emit: EventSink): Reply

  /**
   * Passes over the next command: it is quarantined, and has no effect but that work which the engine ordered by itself is set aside.
   * `command`: what it was, where it is one of the engine's own.
   */
  refuse(time: TimeMs, command?: EngineCommand): Reply

  /**
   * What the engine is to order by itself at `time`, at most `max` commands, each to be applied right after the one before it; from the
   * state and the time alone; fewer where they could meet more than `stepsMax` resting orders, but at least one. What is still due is asked for again.
   */
  due(max: number, time: TimeMs, stepsMax?: number): readonly EngineCommand[]
  /** When something is due at the latest, though no command comes; undefined: nothing waits for a time. */
  readonly dueAt: TimeMs | undefined
  /** Whether any session waits for a connection, or has one: none has when the service returns. */
  readonly hasSessions: boolean

  openOrdersPage(query: OpenOrdersQuery): OpenOrdersPage
  /** Those of the orders named that are open and the account's, in the order in which they are named. */
  ordersByNumber(query: OrdersByNumberQuery): readonly OpenOrder[]
  isOpen(orderNumber: OrderNumber): boolean
  /** An open order, whoever's; undefined: there is none of this number. */
  openOrder(orderNumber: OrderNumber): OpenOrder | undefined
  /** Every open order of which something was executed or taken off, that was amended, or that was pending and is not any more. */
  begunOrders(): readonly OpenOrder[]
  testOrder(command: PlaceOrder): TestedOrder
  clientOrder(query: ClientOrderQuery): ClientOrderAnswer
  clientList(query: ClientListQuery): ClientList | undefined
  accountWithdrawals(accountId: AccountId): AccountWithdrawals
  withdrawal(reference: string): Withdrawal | undefined
  balances(accountId: AccountId): readonly Balance[]
  /** Of a known account and a listed asset; also while a command is applied: what its events so far come to. */
  balance(accountId: AccountId, assetId: AssetId): Balance
  /** What of it is not set aside in savings. */
  spot(accountId: AccountId, assetId: AssetId): Amount
  /** All assets, in the order of listing. */
  assets(): readonly Asset[]
  /** All symbols, in the order of listing: what `bootstrap` has of them, without copying the rest. */
  symbols(): readonly TradingSymbol[]
  /** What waits for a second person, or has lapsed and is not forgotten yet, in the order in which it was asked for. */
  approvals(): Iterable<Approval>
  bootstrap(): Bootstrap

  /** Ids of assets are 0 to this, exclusive. */
  readonly assetCount: number

  /** Adds up one asset from scratch. */
  auditAsset(assetId: AssetId): AssetAudit

  /** The whole state; equal bytes for equal states. */
  encodeSnapshot(): Uint8Array
}

/** Makes machines. */
export type StateMachineFactory = {
  empty(): StateMachine
  /** Throws when the bytes are no snapshot that this version of the rules can read. */
  fromSnapshot(payload: Uint8Array): StateMachine
}

export const EXCHANGE_FACTORY: StateMachineFactory = {
  empty: () => new Exchange(),
  fromSnapshot: (payload) => Exchange.decodeSnapshot(payload),
}

/**
 * Why a command must not even reach a journal that is under `rulesVersion`; undefined: it may. One that asks for rules
 * which this program lacks would stop every replay by it, this node's own included; one that the journal's rules do not have
 * yet would stop the program before, to which going back must work.
 */
export function inadmissible(command: Command, rulesVersion: number): Refused | undefined {
  if (rulesNeededToOffer(command) > rulesVersion) return { kind: 'Refused', reason: 'RULES_VERSION_TOO_LOW' }
  if (command.kind !== 'SetRulesVersion' || command.version <= RULES_VERSION) return undefined
  return { kind: 'Refused', reason: 'UNKNOWN_RULES_VERSION' }
}
