/**
 * Chooses the steps of a run that can reach cells with too few hits in the runs so far. With random steps
 * alone, the rarest cells of the coverage are reached once in some hundred thousand steps.
 */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { TestedOrder } from '../../src/core/exchange/tested-order.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import { isStopType, type ListKind } from '../../src/units/order-enums.ts'
import type { Group } from './coverage-lists.ts'
import type { RandomSource } from './random-source.ts'
import { randomStep } from './random-step.ts'
import type { ReferenceExchange } from './reference-exchange.ts'
import { kindOf, type Step } from './step.ts'

/** Cells still to be reached. */
export type Wanted = {
  /** Cells, as the coverage names them. */
  readonly cells: ReadonlySet<string>
  /** The part of a cell before the arrow, or all of it: the step that can lead to the cell. */
  readonly sources: ReadonlySet<string>
}

/**
 * Both exchanges of a run: their state decides which steps are drawn, and the core can predict the result of
 * an order.
 */
export type Market = {
  readonly reference: ReferenceExchange
  readonly core: { testOrder(command: PlaceOrder): TestedOrder }
}

/**
 * Number of drawn steps, of which the best is taken; more once only `FEW_CELLS` cells, the rarest, are
 * wanted.
 */
const DRAWS = { many: 8, few: 32 }
const FEW_CELLS = 40
/** One step in this many is not steered: rare cases need a market around them. */
const FREE_STEPS = 2
/** Steps that must precede a cell, or occur together with it, if the cell's own words do not contain them. */
const NEEDED: readonly (readonly [cell: RegExp, source: string])[] = [
  [/ -> ACCOUNT_CLOSED$/, 'CloseAccount'],
  [/ -> PRICE_OUT_OF_BAND$/, 'SetSymbolTerms'],
  [/ -> API_KEY_REVOKED$/, 'RevokeApiKey'],
  [/^Approve -> ApprovalNeeded$/, 'SetApprovalsNeeded'],
  [/^(?:RaiseCustomerEpoch|ForgetCustomer) -> done$/, 'OpenCustomer'],
  [/^CancelWithdrawal -> /, 'AskWithdrawal'],
  [/^CancelWithdrawal -> /, 'HandleWithdrawal'],
  [/^CompleteWithdrawal -> REFERENCE_CONFLICT$/, 'HandleWithdrawal'],
  [/^ApiKeyRemoved$|ApiKey -> LIMIT_REACHED$|Terms -> LIMIT_REACHED$/, 'AddApiKey'],
  [/^ApiKeyRemoved$/, 'RevokeApiKey'],
  [/^SetApiKeyTerms -> LIMIT_REACHED$/, 'CreateApiKey'],
  [/^triggered /, 'TriggerOrder'],
  [/^OrdersMatched: one unit /, 'a trade'],
  [/ by a FOK order$/, 'FOK of parts'],
  [/ by CancelOrder$/, 'CancelOrder'],
  [/ of an order that is due$/, 'CancelOrder of what is due'],
  [/: DISCONNECT by /, 'DisconnectSession'],
  // Only a pending MARKET order can be open.
  [/^type MARKET -> DISCONNECT$/, 'PENDING MARKET'],
]
const GROUPS: Readonly<Record<ListKind, readonly Group[]>> = {
  OCO: ['PAIR', 'PAIR'],
  OTO: ['WORKING', 'PENDING'],
  OTOCO: ['WORKING', 'PENDING_PAIR', 'PENDING_PAIR'],
}

export function wantedOf(cells: readonly string[]): Wanted {
  const sources = cells.flatMap((cell) => [
    cell.split(' -> ')[0] as string,
    ...NEEDED.flatMap(([needs, source]) => (needs.test(cell) ? [source] : [])),
  ])
  return { cells: new Set(cells), sources: new Set(sources) }
}

/** A step as `randomStep` draws it; if cells are wanted, the most wanted of several. */
export function steeredStep(random: RandomSource, market: Market, wanted: Wanted | undefined): Step {
  const { reference } = market
  let best = randomStep(random, reference)
  if (wanted === undefined || wanted.sources.size === 0 || random.once(FREE_STEPS)) return best
  let worth = worthOf(best, market, wanted)
  const isFew = wanted.cells.size <= FEW_CELLS
  const [draws, enough] = isFew ? [DRAWS.few, 2] : [DRAWS.many, 3]
  for (let drawn = 1; drawn < draws && worth < enough; drawn++) {
    const step = randomStep(random, reference)
    const other = worthOf(step, market, wanted)
    if (other > worth) [best, worth] = [step, other]
  }
  return best
}

/**
 * 3: the core predicts a direct result that is wanted; 2: the direct result may be wanted; 1: a later result
 * may be wanted; 0: none of these.
 */
function worthOf(step: Step, { core, reference }: Market, { cells, sources }: Wanted): 0 | 1 | 2 | 3 {
  if (step.kind !== 'apply' || step.command.kind !== 'PlaceOrder') {
    if (step.kind === 'apply' && step.command.kind === 'TriggerOrder')
      return worthOfTrigger(step.command.orderNumber, reference, sources)
    return sourcesOf(step, reference).some((source) => sources.has(source)) ? 2 : 0
  }
  const { command } = step
  // A test of the order does not include hidden parts of the other side.
  const isOfHidden =
    command.timeInForce === 'FOK' && sources.has('FOK of parts') && hidesFrom(reference, command)
  if (isOfHidden) return 3
  const answer = answerOf(core.testOrder(command))
  if (orderSources(command).some((source) => cells.has(`${source} -> ${answer}`))) return 3
  if (sources.has('a trade') && (answer === 'FILLED' || answer === 'PARTIALLY_FILLED')) return 2
  // Only an accepted order has a later outcome. A stop order of one type and time in force is drawn more
  // rarely than any other.
  if (answer !== 'NEW') return 0
  if (triggeredSources(command).some((source) => sources.has(source))) return 2
  return laterSources(command).some((source) => sources.has(source)) ? 1 : 0
}

/** A cell that only some types and times in force can reach is worth more than one that all can reach. */
function worthOfTrigger(
  orderNumber: OrderNumber,
  { state }: ReferenceExchange,
  sources: ReadonlySet<string>,
): 0 | 1 | 3 {
  const order = state.all.find(({ number }) => number === orderNumber)
  const words = order?.kept && { ...order.kept, side: order.side }
  if (words !== undefined && triggeredSources(words).some((source) => sources.has(source))) return 3
  return sources.has('TriggerOrder') ? 1 : 0
}

/** Whether an order could reach the hidden part of another: a test of the order does not include it. */
export function hidesFrom({ state }: ReferenceExchange, { symbolId, side }: PlaceOrder): boolean {
  return state.open.some(
    (order) => order.symbol.id === symbolId && order.side !== side && !order.shown.equals(order.remaining),
  )
}

/** For an order: the sources of the cells that its answer decides. */
function orderSources(command: PlaceOrder): string[] {
  const { type, timeInForce, selfTradeMode, icebergQuantity } = command
  const words = `${type === 'LIMIT' ? `LIMIT ${timeInForce}` : type} ${selfTradeMode}`
  const end = icebergQuantity === undefined ? words : `iceberg ${words}`
  return [kindOf({ kind: 'apply', command, afterMs: 0 }), end]
}

/** Possible later outcomes of an order once it is open. */
function laterSources(order: PlaceOrder): string[] {
  const { type, timeInForce, selfTradeMode } = order
  const pairs = [`type ${type}`, `time ${timeInForce}`, `mode ${selfTradeMode}`, 'role ALONE']
  return isStopType(type) ? [...pairs, ...triggeredSources(order)] : pairs
}

function triggeredSources(order: Pick<PlaceOrder, 'type' | 'side' | 'timeInForce'>): string[] {
  const { type, side, timeInForce } = order
  return [`triggered ${type} ${timeInForce ?? 'GTC'}`, `triggered ${type} ${side}`]
}

function sourcesOf(step: Step, { state }: ReferenceExchange): string[] {
  const kind = kindOf(step)
  const command = step.kind === 'apply' ? step.command : undefined
  if (command?.kind === 'CancelOrder' && state.due.some(({ number }) => number === command.orderNumber)) {
    return [kind, 'CancelOrder of what is due']
  }
  if (command?.kind !== 'PlaceList') return [kind]
  const { legs, list } = command
  const groups = GROUPS[list]
  return [kind, ...legs.flatMap(({ type }, place) => [`${groups[place]} ${type}`, `role ${groups[place]}`])]
}

function answerOf(tested: TestedOrder): string {
  return tested.kind === 'Refused' ? tested.reason : tested.kind === 'Tested' ? tested.status : tested.kind
}
