/**
 * The deterministic machine as driven by the engine: applying, reading and storing. `Exchange` is the real
 * one; tests replace it with faulty ones.
 */

import type { Command, EngineCommand } from '../../core/commands/command.ts'
import { rulesNeededBy } from '../../core/commands/command-rules.ts'
import type { PlaceOrder } from '../../core/commands/orders.ts'
import type { EventSink } from '../../core/events/event.ts'
import type { AssetAudit } from '../../core/exchange/audit.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { FIRST_RULES_VERSION, NUMBER_RULES, RULES_MIN, RULES_VERSION } from '../../core/exchange/rules.ts'
import type { TestedOrder } from '../../core/exchange/tested-order.ts'
import type { Withdrawal } from '../../core/ledger/withdrawals.ts'
import type { Refused, Reply } from '../../core/questions/reply.ts'
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
} from '../../core/questions/view.ts'
import type { Asset, TradingSymbol } from '../../core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber } from '../../units/ids.ts'
import type { Amount, Seq, TimeMs } from '../../units/quantities.ts'
import type { Tail } from './journal.ts'

export interface StateMachine {
  /** The last command applied or refused; 0 if there is none. */
  readonly seq: Seq
  /** Time of that command. */
  readonly time: TimeMs
  /** Number of the newest trade; 0 if there was none. Numbers rise, mostly by 1. */
  readonly tradeCount: number
  /** The last epoch of the journal for which numbers have jumped; 0 if there is none. */
  readonly epoch: number
  /** The rules version under which the next command is applied. */
  readonly rulesVersion: number
  /** The oldest rules version that its first command may choose; absent if it need not choose any. */
  readonly rulesMin?: number

  /** Applies the next command. Throws only on a bug; the machine must not be used afterwards. */
  apply(command: Command, time: TimeMs, emit: EventSink): Reply

  /**
   * Skips the next command: it is quarantined, and its only effect is that due work of the engine is set
   * aside. `command`: the skipped command, if it is one of the engine's own.
   */
  refuse(time: TimeMs, command?: EngineCommand): Reply

  /**
   * The commands that the engine must issue itself at `time`, at most `max`, each to be applied right after
   * the previous one. They follow only from the state and the time. There are fewer, but at least one, if
   * they could match more than `stepsMax` resting orders; the rest is returned by a later call.
   */
  due(max: number, time: TimeMs, stepsMax?: number): readonly EngineCommand[]
  /**
   * The latest time at which something is due without another command; undefined if nothing waits for a time.
   */
  readonly dueAt: TimeMs | undefined
  /**
   * Whether any session has a connection or waits for one; after a restart of the service no session has a
   * connection.
   */
  readonly hasSessions: boolean

  openOrdersPage(query: OpenOrdersQuery): OpenOrdersPage
  /** Those of the requested orders that are open and belong to the account, in the order of the request. */
  ordersByNumber(query: OrdersByNumberQuery): readonly OpenOrder[]
  isOpen(orderNumber: OrderNumber): boolean
  /** An open order of any account; undefined if there is none with this number. */
  openOrder(orderNumber: OrderNumber): OpenOrder | undefined
  /** Every open order that was partly executed or reduced, that was amended, or that is no longer pending. */
  begunOrders(): readonly OpenOrder[]
  /** The outcome of an order at `time`, which must not be before the last command's; changes nothing. */
  testOrder(command: PlaceOrder, time: TimeMs): TestedOrder
  clientOrder(query: ClientOrderQuery): ClientOrderAnswer
  clientList(query: ClientListQuery): ClientList | undefined
  accountWithdrawals(accountId: AccountId): AccountWithdrawals
  withdrawal(reference: string): Withdrawal | undefined
  balances(accountId: AccountId): readonly Balance[]
  /**
   * For a known account and a listed asset; also while a command is applied, with the effects of its events
   * so far.
   */
  balance(accountId: AccountId, assetId: AssetId): Balance
  /** The part of the balance outside savings. */
  spot(accountId: AccountId, assetId: AssetId): Amount
  /** All assets, in the order of listing. */
  assets(): readonly Asset[]
  /** All symbols, in the order of listing: the same as in `bootstrap`, without copying the rest. */
  symbols(): readonly TradingSymbol[]
  /**
   * Requests that wait for a second person, or that have expired and are not removed yet, in the order in
   * which they were made.
   */
  approvals(): Iterable<Approval>
  bootstrap(): Bootstrap

  /** Asset ids run from 0 to this number, exclusive. */
  readonly assetCount: number

  /** Adds up one asset from scratch. */
  auditAsset(assetId: AssetId): AssetAudit

  /** The complete state; equal bytes for equal states. */
  encodeSnapshot(): Uint8Array
}

/** Creates machines. */
export type StateMachineFactory = {
  /**
   * The oldest rules version that the first command of a journal may choose; absent if it need not choose
   * any.
   */
  readonly rulesMin?: number
  empty(): StateMachine
  /** Throws if the bytes are not a snapshot that this version of the rules can read. */
  fromSnapshot(payload: Uint8Array): StateMachine
}

/**
 * Whether numbers must jump before the machine assigns another one: the journal, which ends at `tail`, is in
 * an epoch for which they have not jumped. The first claim of a journal precedes all numbers.
 */
export function isEpochDue(
  { epoch, rulesVersion }: Pick<StateMachine, 'epoch' | 'rulesVersion'>,
  tail: Pick<Tail, 'epoch'>,
  firstEpoch: number,
): boolean {
  return rulesVersion >= NUMBER_RULES && tail.epoch > Math.max(epoch, firstEpoch)
}

const OPTIONS = { rulesMin: RULES_MIN }

export const EXCHANGE_FACTORY: StateMachineFactory = {
  ...OPTIONS,
  empty: () => new Exchange(OPTIONS),
  fromSnapshot: (payload) => Exchange.decodeSnapshot(payload, OPTIONS),
}

/**
 * The reason why a command must not even reach a journal under `rulesVersion`; undefined if it may. Two kinds
 * of commands would stop every replay by this program, including this node's own: a command that requires
 * rules which this program does not have, and a first command that does not choose rules of `rulesMin` or
 * newer. A command that the journal's rules do not have yet would stop the previous program, to which a
 * downgrade must be possible.
 */
export function inadmissible(
  command: Command,
  { rulesVersion, rulesMin = FIRST_RULES_VERSION }: Pick<StateMachine, 'rulesVersion' | 'rulesMin'>,
): Refused | undefined {
  const isFirst = rulesVersion < rulesMin && command.kind !== 'SetRulesVersion'
  if (isFirst || rulesNeededBy(command) > rulesVersion)
    return { kind: 'Refused', reason: 'RULES_VERSION_TOO_LOW' }
  if (command.kind !== 'SetRulesVersion') return undefined
  const isBelow = rulesVersion < rulesMin && command.version < rulesMin
  if (!isBelow && command.version <= RULES_VERSION) return undefined
  return { kind: 'Refused', reason: 'UNKNOWN_RULES_VERSION' }
}
