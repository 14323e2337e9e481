/**
 * Applies the same steps to the reference exchange and the core, and compares everything observable after
 * every step: the answer, the events, every balance of every account, every book, every open order, the
 * registry.
 */

import { type Command, ENGINE_KINDS, type EngineCommand } from '../../src/core/commands/command.ts'
import { readCommand, writeCommand } from '../../src/core/commands/command-codec.ts'
import type { ExchangeEvent, LevelChanged, OrdersMatched } from '../../src/core/events/event.ts'
import { Exchange, type ExchangeOptions } from '../../src/core/exchange/exchange.ts'
import { TESTED_FILLS_MAX, type TestedOrder } from '../../src/core/exchange/tested-order.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { BackOfficeRecords, Balance, OpenOrder } from '../../src/core/questions/view.ts'
import type { RoleLimit } from '../../src/core/registry/records.ts'
import { ByteReader, ByteWriter } from '../../src/units/bytes.ts'
import type { AccountId, ListNumber, OrderNumber } from '../../src/units/ids.ts'
import { type Amount, amount, type TimeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { FEW_KEYS, listedKeys } from '../oracle/api-keys.ts'
import { askedOf } from '../oracle/asked-withdrawals.ts'
import { recordOf } from '../oracle/roles.ts'
import { RandomSource } from './random-source.ts'
import { randomStep } from './random-step.ts'
import { worldCommands } from './random-world.ts'
import { ReferenceExchange } from './reference-exchange.ts'
import { IDS_LIMITS } from './reference-ids.ts'
import { MASS_CANCEL_STEPS } from './reference-mass-cancels.ts'
import { SESSION_LIMITS } from './reference-sessions.ts'
import { STEPS_MOST } from './reference-state.ts'
import { hidesFrom, steeredStep, type Wanted } from './steering.ts'
import type { Step } from './step.ts'

/** Small limits, so that a random run reaches each of them. */
const OPTIONS = {
  clientOrderIdLimits: IDS_LIMITS,
  massCancelSteps: MASS_CANCEL_STEPS,
  sessionLimits: SESSION_LIMITS,
  registryLimits: FEW_KEYS,
}

/** The effect of a step on both exchanges. */
export type Outcome = {
  readonly step: Step
  readonly reply: Reply | undefined
  readonly events: readonly ExchangeEvent[]
  /** For a step that carried out a due order: its terms when it was placed. */
  readonly triggered: OpenOrder | undefined
  /** How many orders it made due, and whether it canceled a due one. */
  readonly due: { readonly reached: number; readonly isCanceled: boolean }
}

const NOTHING_DUE = { reached: 0, isCanceled: false }

/** The two exchanges do not agree. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError'
}

/** Start time of every run. */
export const MODEL_START_MS = 1_700_000_000_000

/** The two exchanges side by side. */
export class Comparison {
  readonly #options: ExchangeOptions
  #core: Exchange
  readonly #reference: ReferenceExchange
  #tested: TestedOrder | undefined
  /** The observable state that the core must have; a refusal leaves it unchanged. */
  #wanted: ReturnType<typeof viewOf>
  #time = MODEL_START_MS
  readonly #writer = new ByteWriter()
  /** Every step taken, to repeat a failing run. */
  readonly steps: Step[] = []

  /** `stepsMost` is the largest number of resting orders that an arriving order reaches. */
  constructor(stepsMost = STEPS_MOST) {
    this.#options = { ...OPTIONS, matchStepsMax: stepsMost }
    this.#core = new Exchange(this.#options)
    this.#reference = new ReferenceExchange(stepsMost)
    this.#wanted = viewOf(this.#reference)
  }

  get reference(): ReferenceExchange {
    return this.#reference
  }

  get core(): Exchange {
    return this.#core
  }

  /** Takes one step on both sides; throws `DisagreementError`. */
  take(step: Step): Outcome {
    this.steps.push(step)
    if (step.kind === 'reload') {
      const bytes = this.#core.encodeSnapshot()
      this.#core = Exchange.decodeSnapshot(bytes, this.#options)
      this.#agree('the snapshot of a snapshot', Buffer.from(this.#core.encodeSnapshot()), Buffer.from(bytes))
      this.#compareState()
      this.#compareRegistry()
      return { step, reply: undefined, events: [], triggered: undefined, due: NOTHING_DUE }
    }
    const triggered = this.#triggeredBy(step)
    const dueBefore = new Set(this.#reference.state.due)
    this.#time += step.afterMs
    const time = this.#time as TimeMs
    const is: ExchangeEvent[] = []
    const wanted: ExchangeEvent[] = []
    let reply: Reply
    let wantedReply: Reply
    if (step.kind === 'refuse') {
      reply = this.#core.refuse(time, step.own)
      wantedReply = this.#reference.refuse(time, step.own)
    } else {
      const command = this.#journaled(step.command)
      // An id that this command forgets is still remembered when the order is tested.
      const isTestable =
        command.kind === 'PlaceOrder' &&
        !this.#reference.state.ids.forgetsAt(time) &&
        !hidesFrom(this.#reference, command)
      const tested = isTestable ? this.#core.testOrder(command, time) : undefined
      reply = this.#core.apply(command, time, (event) => is.push(event))
      this.#tested = tested
      wantedReply = this.#reference.apply(step.command, time, (event) => wanted.push(event))
    }
    this.#agree('reply', reply, wantedReply)
    this.#agree('events', ordered(is), ordered(wanted))
    if (this.#tested !== undefined) this.#agree('tested', this.#tested, this.#foretold(reply, is))
    this.#tested = undefined
    if (wantedReply.kind !== 'Refused' || step.kind === 'refuse') this.#wanted = viewOf(this.#reference)
    this.#compareState()
    if (reply.kind !== 'Refused' && !isOrder(step)) this.#compareRegistry()
    const { due } = this.#reference.state
    const reached = due.filter((order) => !dueBefore.has(order)).length
    const isCancel = step.kind === 'apply' && step.command.kind === 'CancelOrder'
    const isCanceled = isCancel && due.length < dueBefore.size
    return { step, reply, events: is, triggered, due: { reached, isCanceled } }
  }

  #triggeredBy(step: Step): OpenOrder | undefined {
    if (step.kind !== 'apply' || step.command.kind !== 'TriggerOrder') return undefined
    const { orderNumber } = step.command
    const { all } = this.#reference.state
    const accountId = all.find(({ number }) => number === orderNumber)?.accountId
    if (accountId === undefined) return undefined
    return this.#reference.openOrders(accountId).find((order) => order.orderNumber === orderNumber)
  }

  /** The expected answer to a test of the order, derived from its placement. */
  #foretold(reply: Reply, events: readonly ExchangeEvent[]): TestedOrder | undefined {
    if (reply.kind === 'Refused' || reply.kind === 'OrderRepeated') return reply
    if (reply.kind !== 'OrderAccepted') return undefined
    const { status, orderNumber, executedQuantity, executedNotional } = reply
    const matches = events.filter((event) => event.kind === 'OrdersMatched')
    const sumOf = (of: (match: OrdersMatched) => Amount) =>
      amount(matches.reduce((sum, match) => sum + bigintOf(of(match)), 0n))
    const isEnd = (event: ExchangeEvent) =>
      event.kind === 'OrderCanceled' && event.orderNumber === orderNumber ? event.cause : undefined
    const fills = matches.map(({ price, quantity, taker: { total, commission } }) => {
      return { price, quantity, total, commission }
    })
    return {
      kind: 'Tested',
      status,
      cause: events.map(isEnd).find((cause) => cause !== undefined),
      executedQuantity,
      executedNotional,
      total: sumOf(({ taker }) => taker.total),
      commission: sumOf(({ taker }) => taker.commission),
      hold: amount(this.#reference.hold(orderNumber)),
      fillCount: matches.length,
      fills: fills.slice(0, TESTED_FILLS_MAX),
    }
  }

  /** A command as it is read back from the journal. */
  #journaled(command: Command): Command {
    this.#writer.reset()
    writeCommand(this.#writer, command)
    const reader = new ByteReader(this.#writer.take())
    const back = readCommand(reader)
    reader.end()
    return back
  }

  #compareState(): void {
    const wanted = this.#wanted
    const core = this.#core
    for (const [id, account] of wanted.accounts.entries()) {
      const accountId = id as AccountId
      const balances = core.balances(accountId)
      if (!areSame(balances, account.balances))
        this.#agree(`balances of account ${id}`, balances, account.balances)
      this.#agree(`open orders of account ${id}`, core.openOrders(accountId, undefined), account.openOrders)
    }
    for (const book of wanted.books) {
      this.#agree(`book of symbol ${book.symbolId}`, core.book(book.symbolId), book)
    }
    const openNumbers = new Set(this.#reference.state.all.map(({ number }) => number))
    for (const { command, answer } of this.#reference.state.ids.known.values()) {
      const { accountId, symbolId, clientOrderId } = command
      const { orderNumber, time } = answer
      const isOpen = openNumbers.has(orderNumber)
      const known = { orderNumber, time, symbolId, isOpen }
      this.#agree(
        `client order id ${clientOrderId}`,
        core.clientOrder({ accountId, clientOrderId: clientOrderId ?? '' }).order,
        known,
      )
    }
    // Orders can become due through time alone.
    const dueNow = core.due(Number.MAX_SAFE_INTEGER)
    this.#agree('due', this.#dueOfCore(dueNow), this.#reference.due())
    const soon = (this.#time + 10) as TimeMs
    const timers = core
      .due(Number.MAX_SAFE_INTEGER, soon)
      .filter(({ kind }) => kind !== 'TriggerOrder' && kind !== 'PlacePending')
    this.#agree('timers', timers, this.#reference.ownDue(soon))
    for (const { command, answer, orderNumber, clientOrderId } of this.#reference.state.ids.listed.values()) {
      const { accountId, symbolId, list: kind } = command
      const { listNumber, time } = answer
      const leg = orderNumber && { orderNumber, time, symbolId, isOpen: openNumbers.has(orderNumber) }
      this.#agree(
        `client order id ${clientOrderId}`,
        core.clientOrder({ accountId, clientOrderId }).order,
        leg,
      )
      const list = orderNumber === undefined ? { listNumber, time, kind } : undefined
      const asked = { accountId, listClientOrderId: clientOrderId }
      this.#agree(`list id ${clientOrderId}`, core.clientList(asked), list)
    }
    this.#agree('due lists', this.#dueListsOfCore(dueNow), this.#reference.dueLists())
    this.#agree('due together', this.#dueTogetherOfCore(dueNow), this.#reference.dueTogether())
    const unsound = core.audit().filter((asset) => !isSound(asset))
    this.#agree('audit', unsound, [])
  }

  /** The orders that are due according to the core, symbol by symbol. */
  #dueOfCore(due: readonly EngineCommand[]): OrderNumber[][] {
    const bySymbol = new Map<number, OrderNumber[]>()
    for (const own of due) {
      if (own.kind !== 'TriggerOrder') continue
      const { orderNumber } = own
      const id = this.#reference.state.due.find(({ number }) => number === orderNumber)?.symbol.id ?? -1
      bySymbol.set(id, [...(bySymbol.get(id) ?? []), orderNumber])
    }
    return [...bySymbol].sort(([a], [b]) => a - b).map(([, numbers]) => numbers)
  }

  /** Due orders and lists, symbol by symbol in one order. */
  #dueTogetherOfCore(now: readonly EngineCommand[]): EngineCommand[][] {
    const { due, dueLists } = this.#reference.state
    const bySymbol = new Map<number, EngineCommand[]>()
    for (const own of now) {
      const one =
        own.kind === 'TriggerOrder'
          ? due.find(({ number }) => number === own.orderNumber)
          : own.kind === 'PlacePending' && dueLists.find(({ number }) => number === own.listNumber)
      if (!one) continue
      bySymbol.set(one.symbol.id, [...(bySymbol.get(one.symbol.id) ?? []), own])
    }
    return [...bySymbol].sort(([a], [b]) => a - b).map(([, queue]) => queue)
  }

  /** Due lists in the core's order, by symbol. */
  #dueListsOfCore(due: readonly EngineCommand[]): ListNumber[][] {
    const bySymbol = new Map<number, ListNumber[]>()
    for (const own of due) {
      if (own.kind !== 'PlacePending') continue
      const { listNumber } = own
      const id = this.#reference.state.dueLists.find(({ number }) => number === listNumber)?.symbol.id ?? -1
      bySymbol.set(id, [...(bySymbol.get(id) ?? []), listNumber])
    }
    return [...bySymbol].sort(([a], [b]) => a - b).map(([, numbers]) => numbers)
  }

  #compareRegistry(): void {
    const { assets, symbols, accounts, apiKeys, backOffice, phases } = this.#core.bootstrap()
    const { state } = this.#reference
    const { records } = state.phases
    const isFirst = state.phases.changes.length === 1
    this.#agree('phases', phases ?? (isFirst ? records : undefined), records)
    const wanted = {
      assets: state.assets,
      symbols: state.symbols,
      accounts: state.accounts,
      apiKeys: listedKeys(state),
    }
    const { feeTiers, tokens, bans, approvals, roles, approvalsNeeded, handlings } = state
    const withdrawals = state.withdrawals.filter((one) => one.state === 'PENDING')
    const wantedBackOffice = { feeTiers, tokens, bans, withdrawals, approvals }
    for (const { id } of state.accounts) {
      const expected = {
        addresses: state.addresses.filter((one) => one.accountId === id),
        withdrawals: askedOf(state, id).reverse(),
        held: withdrawals.filter((one) => one.accountId === id && one.asked === undefined).reverse(),
      }
      this.#agree(`withdrawals of account ${id}`, this.#core.accountWithdrawals(id), expected)
    }
    const wantedRights = {
      roles,
      limits: state.limited.map((limited) => recordOf(state, limited)),
      approvalsNeeded,
    }
    const hasNone = (lists: object) => Object.values(lists).every((list) => list.length === 0)
    const none = hasNone(wantedBackOffice) ? wantedBackOffice : undefined
    const { rights, handlings: inHand = [], ...kept }: Partial<BackOfficeRecords> = backOffice ?? none ?? {}
    this.#agree('backOffice', kept, wantedBackOffice)
    this.#agree('withdrawals in hand', inHand, handlings)
    const today = rights && { ...rights, limits: rights.limits.map((limit) => ofToday(limit, state.time)) }
    this.#agree('rights', today ?? (hasNone(wantedRights) ? wantedRights : undefined), wantedRights)
    this.#agree('registry', { assets, symbols, accounts, apiKeys }, wanted)
  }

  #agree(what: string, core: unknown, reference: unknown): void {
    if (core === reference || areBothEmpty(core, reference)) return
    if (Bun.deepEquals(core, reference, true)) return
    throw new DisagreementError(
      `${what} after step ${this.steps.length}, ${show(this.steps.at(-1))}\n  core:      ${show(core)}\n  reference: ${show(reference)}`,
    )
  }
}

/** Whether all figures of the balances are equal: they are compared after every step, and seldom differ. */
function areSame(core: readonly Balance[], reference: readonly Balance[]): boolean {
  if (core.length !== reference.length) return false
  return core.every(({ assetId, free, locked, freeze, savings }, at) => {
    const other = reference[at] as Balance
    const isHeld = locked === other.locked && freeze === other.freeze && savings === other.savings
    return assetId === other.assetId && free === other.free && isHeld
  })
}

/** Most lists are empty after most steps: these need no deep comparison. */
function areBothEmpty(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && one.length === 0 && Array.isArray(other) && other.length === 0
}

/**
 * A limit as it counts now: moves of an earlier day do not count, whether or not the counter has been reset
 * since.
 */
function ofToday(limit: RoleLimit, time: TimeMs): RoleLimit {
  const day = Math.floor(time / 86_400_000)
  if (limit.day === day) return limit
  const none = { moved: amount(0n) }
  return { ...limit, day, in: { ...limit.in, ...none }, out: { ...limit.out, ...none } }
}

/** Everything observable of the reference exchange, except the registry. */
function viewOf(reference: ReferenceExchange) {
  const { accounts, symbols } = reference.state
  return {
    accounts: accounts.map(({ id }) => ({
      balances: reference.balances(id),
      openOrders: reference.openOrders(id),
    })),
    books: symbols.map(({ id }) => reference.book(id)),
  }
}

/** Commands that change no record of the registry. */
const ORDER_KINDS: readonly string[] = [
  'PlaceOrder',
  'CancelOrder',
  'CancelClientOrder',
  'CancelAllOrders',
  'SetCountdown',
  'OpenSession',
  'DisconnectSession',
  'MarkTime',
  'PlaceList',
  'CancelList',
  'CancelClientList',
  ...ENGINE_KINDS,
]

function isOrder(step: Step): boolean {
  return step.kind === 'apply' && ORDER_KINDS.includes(step.command.kind)
}

function isSound(audit: ReturnType<Exchange['audit']>[number]): boolean {
  return audit.sum === 0 && audit.negatives === 0 && audit.wrongHolds === 0
}

/** Level events have no order among themselves: they come last, sorted. */
function ordered(events: readonly ExchangeEvent[]): ExchangeEvent[] {
  const isLevel = (event: ExchangeEvent): event is LevelChanged => event.kind === 'LevelChanged'
  const levels = events
    .filter(isLevel)
    .sort((a, b) => a.symbolId - b.symbolId || a.side.localeCompare(b.side) || a.price - b.price)
  return [...events.filter((event) => !isLevel(event)), ...levels]
}

/** A value as source text: the output of a failing run can be pasted into a test. */
export function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return `new Uint8Array(${value.length})`
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${show(member)}`)
    .join(', ')} }`
}

/**
 * A random run: the first seed creates the market, each further seed a step. `wanted` has the cells that the
 * steps should reach.
 */
export function runSeeds(
  seeds: readonly number[],
  watch: (outcome: Outcome) => void,
  comparison = new Comparison(),
  wanted?: Wanted,
): void {
  const take = (step: Step) => watch(comparison.take(step))
  for (const command of worldCommands(new RandomSource(seeds[0] ?? 0)))
    take({ kind: 'apply', command, afterMs: 1 })
  for (const seed of seeds.slice(1)) take(steeredStep(new RandomSource(seed), comparison, wanted))
}

/** The steps of such a run, computed without the core: for tests that apply them to something else. */
export function randomSteps(seeds: readonly number[]): Step[] {
  const reference = new ReferenceExchange()
  const steps: Step[] = []
  let time = MODEL_START_MS
  const take = (step: Step) => {
    steps.push(step)
    if (step.kind === 'reload') return
    time += step.afterMs
    if (step.kind === 'refuse') reference.refuse(time as TimeMs, step.own)
    else reference.apply(step.command, time as TimeMs, () => {})
  }
  for (const command of worldCommands(new RandomSource(seeds[0] ?? 0)))
    take({ kind: 'apply', command, afterMs: 1 })
  for (const seed of seeds.slice(1)) take(randomStep(new RandomSource(seed), reference))
  return steps
}
