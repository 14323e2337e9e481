/**
 * Converts the events of a replay to the records of history: trades, transfers, orders, operators' actions.
 * It is deterministic, so that a deleted history is rebuilt identically.
 */
import {
  type Command,
  isOperators,
  isWithdrawing,
  type OperatorCommand,
} from '../../core/commands/command.ts'
import type { EventSink, ExchangeEvent, ExternalTransfer, OrdersMatched } from '../../core/events/event.ts'
import { amountSum, baseUnits, difference, lotScale, negated } from '../../core/ledger/money.ts'
import type { Balance } from '../../core/questions/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { type AccountId, FEES_ACCOUNT, type SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { type Amount, NO_AMOUNT, type Seq, type TimeMs } from '../../units/quantities.ts'
import type { OperatorAction } from '../port/ports.ts'
import type { StateMachine } from '../port/state-machine.ts'
import type { HistoryTransfer } from '../port/transfer.ts'
import type { ReplayedCommand } from '../writer/recovery/replay.ts'
import { aggregated } from './aggregates.ts'
import { ApprovalWatch } from './approval-watch.ts'
import { eventsOf, lapsesOf, type ToldEvent } from './event-projection.ts'
import type { HistoryRecords, HistoryTrade, PartyBalances, PartyRecord } from './history.ts'
import type { NumberedEvent } from './numbered-events.ts'
import { type OrderMachine, OrderProjection } from './order-projection.ts'
import { type MarketTerms, marketTerms } from './positions/markets.ts'
import { tradeRecord } from './trade-records.ts'
import { type UpdateMachine, UpdateProjection } from './update-projection.ts'

/** Queries of a projection to the machine that emits its events, while a command is applied. */
export type ProjectedMachine = Pick<
  StateMachine,
  'symbols' | 'assets' | 'approvals' | 'spot' | 'tradeCount'
> &
  OrderMachine &
  UpdateMachine

export class HistoryProjection {
  readonly #machine: ProjectedMachine
  readonly #symbolById = new Map<SymbolId, TradingSymbol>()
  #listings: MarketTerms[] = []
  #trades: HistoryTrade[] = []
  /** Trades of the current command. */
  #caused: HistoryTrade[] = []
  #transfers: HistoryTransfer[] = []
  #actions: OperatorAction[] = []
  #events: NumberedEvent[] = []
  /** The effects of the current command that the feed reports. */
  #told: ToldEvent[] = []
  readonly #approvals: ApprovalWatch
  readonly #orders: OrderProjection
  readonly #updates: UpdateProjection

  /** `machine` is in its state before the first event. */
  constructor(machine: ProjectedMachine) {
    this.#machine = machine
    this.#approvals = new ApprovalWatch(machine.approvals(), machine.time)
    this.#orders = new OrderProjection(machine)
    this.#updates = new UpdateProjection(machine, (id) => this.#symbol(id))
    for (const symbol of machine.symbols()) this.#symbolById.set(symbol.id, symbol)
  }

  /** Receives the events, in order, each before the machine continues. */
  readonly sink: EventSink = (event: ExchangeEvent): void => {
    this.#orders.take(event)
    this.#updates.take(event)
    switch (event.kind) {
      case 'OrdersMatched':
        this.#trade(event)
        break
      case 'SymbolChanged':
        if (!this.#symbolById.has(event.symbol.id)) this.#listings.push(marketTerms(event.symbol))
        this.#symbolById.set(event.symbol.id, event.symbol)
        this.#told.push(event)
        break
      case 'ExternalTransfer':
        this.#external(event)
        this.#told.push(event)
        break
      case 'WithdrawalChanged':
        if (event.withdrawal.state === 'COMPLETED') this.#wasWithdrawal()
        this.#told.push(event)
        break
      case 'AccountCreated':
      case 'AccountChanged':
      case 'ApiKeyChanged':
      case 'AssetChanged':
      case 'FeeTierChanged':
      case 'BalanceMoved':
      case 'PhasesChanged':
      case 'ApprovalGiven':
      case 'WithdrawalAddressChanged':
        this.#told.push(event)
        break
      case 'ApprovalChanged':
        this.#approvals.take(event)
        this.#told.push(event)
        break
    }
  }

  /**
   * Notes a command after it was applied and before the next one; nothing is noted for a quarantined command.
   */
  note({ seq, time, command, reply }: ReplayedCommand): void {
    this.#orders.endCommand()
    this.#updates.endCommand()
    this.#endTrades()
    const told = this.#told
    this.#tell(seq, time, command)
    if (command === undefined || !isOperators(command)) return
    this.#actions.push({ seq, time, command, reply, accountId: accountOf(command, told) })
    if (reply.kind !== 'Done' || reply.repeated) return
    if (command.kind === 'MoveSavings') this.#saved(command, command.isDeposit)
    else if (command.kind === 'MoveBetweenBuckets') {
      if (command.to === 'savings') this.#saved(command, true)
      else if (command.from === 'savings') this.#saved(command, false)
    }
  }

  /** All records since the last call. */
  drain(): HistoryRecords {
    const [listings, trades, transfers] = [this.#listings, this.#trades, this.#transfers]
    const [actions, events] = [this.#actions, this.#events]
    this.#listings = []
    this.#trades = []
    this.#transfers = []
    this.#actions = []
    this.#events = []
    const orders = this.#orders.drain()
    return { listings, trades, transfers, actions, events, ...orders, updates: this.#updates.drain() }
  }

  /** Effects of orders are reported only as trades. */
  #tell(seq: Seq, time: TimeMs, command: Command | undefined): void {
    if (this.#told.length > 0) {
      const told = this.#told
      this.#told = []
      if (command !== undefined && isTold(command))
        this.#events.push(...eventsOf({ seq, time }, command, told, this.#machine))
    }
    if (this.#approvals.isDue(time)) {
      const lapsed = this.#approvals.drain(time)
      this.#events.push(...lapsesOf({ seq, time }, lapsed, this.#machine))
    }
  }

  #trade(event: OrdersMatched): void {
    this.#caused.push(historyTrade(event, this.#symbol(event.symbolId), this.#machine))
  }

  #endTrades(): void {
    if (this.#caused.length === 0) return
    for (const trade of aggregated(this.#caused)) this.#trades.push(trade)
    this.#caused = []
  }

  #symbol(id: SymbolId): TradingSymbol {
    const symbol = this.#symbolById.get(id)
    invariant(symbol !== undefined, () => `an event belongs to symbol ${id}, which is not listed`)
    return symbol
  }

  #external({ accountId, assetId, amount, reference }: ExternalTransfer): void {
    // The house has no statements.
    if (accountId === FEES_ACCOUNT) return
    const cause = amount > 0 ? 'CREDIT' : 'DEBIT'
    this.#transfer({ accountId, assetId, cause, spot: amount, savings: NO_AMOUNT, reference })
  }

  /** Marks the debit of this command as the end of a withdrawal. */
  #wasWithdrawal(): void {
    const debit = this.#transfers.pop()
    invariant(
      debit?.cause === 'DEBIT',
      () => `expected a completed withdrawal's debit, found ${debit?.cause}`,
    )
    this.#transfers.push({ ...debit, cause: 'WITHDRAWAL' })
  }

  #saved(
    {
      accountId,
      asset,
      amount,
      reference,
    }: Pick<HistoryTransfer, 'accountId' | 'reference'> & {
      readonly asset: string
      readonly amount: Amount
    },
    isDeposit: boolean,
  ): void {
    const assetId = this.#machine.assets().find(({ code }) => code === asset)?.id
    invariant(assetId !== undefined, () => `asset ${asset} of a savings move must be listed`)
    const [spot, savings] = isDeposit ? [negated(amount), amount] : [amount, negated(amount)]
    const cause = isDeposit ? 'SAVINGS_DEPOSIT' : 'SAVINGS_WITHDRAWAL'
    this.#transfer({ accountId, assetId, cause, spot, savings, reference })
  }

  #transfer(what: Omit<HistoryTransfer, 'seq' | 'time' | 'spotAfter' | 'savingsAfter'>): void {
    const { seq, time } = this.#machine
    const balance = this.#machine.balance(what.accountId, what.assetId)
    const after = { spotAfter: spotOf(balance), savingsAfter: balance.savings }
    this.#transfers.push({ seq, time, ...what, ...after })
  }
}

/**
 * The account that an operator's command concerns, from the command or its effects; undefined if not exactly
 * one.
 */
function accountOf(command: OperatorCommand, told: readonly ToldEvent[]): AccountId | undefined {
  if ('accountId' in command) return command.accountId
  const accounts = told.flatMap((event) => accountOfEvent(event) ?? [])
  return accounts.at(0)
}

function accountOfEvent(event: ToldEvent): AccountId | undefined {
  switch (event.kind) {
    case 'ExternalTransfer':
      return event.accountId === FEES_ACCOUNT ? undefined : event.accountId
    case 'WithdrawalChanged':
      return event.withdrawal.accountId
    case 'ApprovalChanged':
    case 'ApprovalGiven':
      return event.approval.accountId === FEES_ACCOUNT ? undefined : event.approval.accountId
    case 'AccountCreated':
      return event.account.role === 'trader' ? event.account.id : undefined
    case 'AccountChanged':
      return event.account.id
    case 'ApiKeyChanged':
      return event.apiKey.accountId
    case 'BalanceMoved':
      return event.accountId
    case 'WithdrawalAddressChanged':
      return event.address.accountId
    case 'AssetChanged':
    case 'SymbolChanged':
    case 'FeeTierChanged':
    case 'PhasesChanged':
      return undefined
  }
}

/** Whether the feed reports the effects of a command, besides trades. */
function isTold(command: Command): boolean {
  return isOperators(command) || command.kind === 'EnterPhase' || isWithdrawing(command)
}

/** The part of a balance outside savings. */
export function spotOf({ free, locked, freeze }: Balance): Amount {
  return amountSum(amountSum(free, locked), freeze)
}

/**
 * The record in history of `event`, just caused by `machine`. The aggregate that it closes is not known yet.
 */
export function historyTrade(
  event: OrdersMatched,
  symbol: TradingSymbol,
  machine: Pick<ProjectedMachine, 'seq' | 'spot'>,
): HistoryTrade {
  const { symbolId, tradeNumber, symbolTrade, price, quantity, time, takerSide, maker, taker } = event
  const takerAfter = spotAfter(machine, taker.accountId, symbol)
  const makerAfter =
    maker.accountId === taker.accountId
      ? beforeParty(takerAfter, event, symbol)
      : spotAfter(machine, maker.accountId, symbol)
  return {
    seq: machine.seq,
    symbolId,
    trade: { tradeNumber, symbolTrade, price, quantity, time, takerSide },
    aggregate: undefined,
    maker: partyRecord(event, 'maker', symbol, makerAfter),
    taker: partyRecord(event, 'taker', symbol, takerAfter),
  }
}

function spotAfter(
  machine: Pick<ProjectedMachine, 'spot'>,
  accountId: AccountId,
  symbol: TradingSymbol,
): PartyBalances {
  return { base: machine.spot(accountId, symbol.base), quote: machine.spot(accountId, symbol.quote) }
}

/**
 * In a trade of an account with itself, the maker's side comes first: its balances are those before the
 * taker's side.
 */
function beforeParty(after: PartyBalances, event: OrdersMatched, symbol: TradingSymbol): PartyBalances {
  const { takerSide, taker, quantity } = event
  const delivered = baseUnits(quantity, lotScale(symbol.baseFraction, symbol.basePrecision))
  if (takerSide === 'BUY') {
    const received = difference(delivered, taker.commission)
    return { base: difference(after.base, received), quote: amountSum(after.quote, taker.total) }
  }
  const received = difference(taker.total, taker.commission)
  return { base: amountSum(after.base, delivered), quote: difference(after.quote, received) }
}

function partyRecord(
  event: OrdersMatched,
  role: 'maker' | 'taker',
  symbol: TradingSymbol,
  after: PartyBalances,
): PartyRecord {
  return { accountId: event[role].accountId, record: tradeRecord(event, role, symbol), after }
}
