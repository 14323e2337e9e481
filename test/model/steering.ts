/**
 * Which steps a run takes rather than others: such as can reach what the runs so far have reached too seldom. Drawn at random alone, the rarest
 * cells of the coverage come up once in some hundred thousand steps.
 */
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import type { TestedOrder } from '../../src/core/exchange/tested-order.ts'
import { isStopType, type ListKind } from '../../src/units/order-words.ts'
import type { Group } from './coverage-lists.ts'
import type { RandomSource } from './random-source.ts'
import { randomStep } from './random-step.ts'
import type { ReferenceExchange } from './reference-exchange.ts'
import { kindOf, type Step } from './step.ts'

/** What is still to be reached. */
export type Wanted = {
  /** Cells, as the coverage names them. */
  readonly cells: ReadonlySet<string>
  /** What stands before the arrow of a cell, or is the whole of it: what a step must be for the cell to come of it. */
  readonly sources: ReadonlySet<string>
}

/** Both exchanges of a run: what they have come to decides what is drawn, and the core can say what would become of an order. */
export type Market = {
  readonly reference: ReferenceExchange
  readonly core: { testOrder(command: PlaceOrder): TestedOrder }
}

/** Steps of which the best is taken. */
const DRAWS = 8
/** Every so manieth step is as it comes: what is rare needs a market around it. */
const FREE_STEPS = 2
/** What must have happened before a cell can be reached, or must come together for it, where the cell's own words do not say so. */
const NEEDED: readonly (readonly [cell: RegExp, source: string])[] = [
  [/ -> ACCOUNT_CLOSED$/, 'CloseAccount'],
  [/^Approve -> ApprovalNeeded$/, 'SetApprovalsNeeded'],
  [/^CancelWithdrawal -> /, 'AskWithdrawal'],
  [/^CancelWithdrawal -> /, 'HandleWithdrawal'],
  [/^triggered /, 'TriggerOrder'],
  [/ by a FOK order$/, 'time FOK'],
  [/ by CancelOrder$/, 'CancelOrder'],
  [/ of an order that is due$/, 'CancelOrder of what is due'],
  [/: DISCONNECT by /, 'DisconnectSession'],
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

/** A step as `randomStep` draws it; where something is wanted, the most wanted of several. */
export function steeredStep(random: RandomSource, market: Market, wanted: Wanted | undefined): Step {
  const { reference } = market
  let best = randomStep(random, reference)
  if (wanted === undefined || wanted.sources.size === 0 || random.once(FREE_STEPS)) return best
  let worth = worthOf(best, market, wanted)
  for (let drawn = 1; drawn < DRAWS && worth < 2; drawn++) {
    const step = randomStep(random, reference)
    const other = worthOf(step, market, wanted)
    if (other > worth) [best, worth] = [step, other]
  }
  return best
}

/** 2: what it leads to now is wanted, as far as that can be told before; 1: what it may lead to later; 0: neither. */
function worthOf(step: Step, { core, reference }: Market, { cells, sources }: Wanted): 0 | 1 | 2 {
  if (step.kind !== 'apply' || step.command.kind !== 'PlaceOrder') {
    if (!sourcesOf(step, reference).some((source) => sources.has(source))) return 0
    // Nearly every second step as soon as an order is due: what else can become of it has its turn first.
    return step.kind === 'apply' && step.command.kind === 'TriggerOrder' ? 1 : 2
  }
  const { command } = step
  const answer = answerOf(core.testOrder(command))
  if (orderSources(command).some((source) => cells.has(`${source} -> ${answer}`))) return 2
  return laterSources(command).some((source) => sources.has(source)) ? 1 : 0
}

/** Of an order what stands before the arrow of the cells that its answer decides. */
function orderSources(command: PlaceOrder): string[] {
  const { type, timeInForce, selfTradeMode, icebergQuantity } = command
  const words = `${type === 'LIMIT' ? `LIMIT ${timeInForce}` : type} ${selfTradeMode}`
  const end = icebergQuantity === undefined ? words : `iceberg ${words}`
  return [kindOf({ kind: 'apply', command, afterMs: 0 }), end]
}

/** What may become of an order once it is open. */
function laterSources({ type, side, timeInForce, selfTradeMode }: PlaceOrder): string[] {
  const pairs = [`type ${type}`, `time ${timeInForce}`, `mode ${selfTradeMode}`, 'role ALONE']
  if (!isStopType(type)) return pairs
  return [...pairs, `triggered ${type} ${timeInForce ?? 'GTC'}`, `triggered ${type} ${side}`]
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
