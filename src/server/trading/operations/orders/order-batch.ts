/**
 * Several placements and cancels in one signed request (docs/reference/extensions.md#order-batch). They are
 * passed to the engine in order, and each one gets its own answer, in the form of its own endpoint. If the
 * request is not a valid list, it is refused as a whole; the limits of all are charged before the first, so a
 * refusal means that nothing was done.
 */

import type { AccountLimits } from '../../../../contract/api/account-limits.ts'
import { type BatchedAnswer, batchBody } from '../../../../contract/api/order-batch.ts'
import { parameterNames } from '../../../../contract/endpoints/endpoints.ts'
import { listOf, objectWith, oneOf } from '../../../../contract/expectations.ts'
import type { Language } from '../../../../contract/language.ts'
import { REASONS } from '../../../../contract/reasons/catalogue.ts'
import type { Command } from '../../../../core/commands/command.ts'
import { type JsonBounds, parseJson } from '../../../../units/bounded-json.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { OrderCharge } from '../../../../units/order-charge.ts'
import { PARAMETERS_MAX, type Parameters } from '../../../common/parameters.ts'
import { readRequired } from '../../../common/read.ts'
import { Refusal, refuse } from '../../../common/refusal.ts'
import { type Answer, Call, type CallOptions, type Outcome, UNDER_WAY, type Wording } from '../../call.ts'
import { readFields, type Taking, untaken } from '../../fields.ts'
import { type Operation, operationOf } from '../../operation.ts'
import { checkNewOrderName } from '../../order-parameters.ts'
import { cancelOrder, checkCancelOrderName } from './cancel-order.ts'
import { newOrder } from './new-order.ts'
import { formWeight } from './placed-order.ts'

/** Maximum number of operations of one batch. */
export const BATCH_OPERATIONS_MAX = 20

/**
 * An operation is an object of names with texts and numbers. It may have more names here than an operation
 * accepts, so that only the operation with too many is refused.
 */
const OPERATIONS_JSON: JsonBounds = {
  depthMax: 4,
  elementsMax: 1_000,
  membersMax: 2 * PARAMETERS_MAX,
  valuesMax: 2 * BATCH_OPERATIONS_MAX * PARAMETERS_MAX,
}

export const orderBatch = operationOf('orderBatch', orderBatchAnswer)

type Batched = Taking & { readonly operation: Operation }

/** Without the parameters of the time window, which the batch has. */
const untimed = (names: ReadonlySet<string>) =>
  new Set([...names].filter((name) => name !== 'timestamp' && name !== 'recvWindow'))

const BATCHED = {
  POST: { operation: newOrder, takes: untimed(parameterNames('newOrder')), checkName: checkNewOrderName },
  DELETE: {
    operation: cancelOrder,
    takes: untimed(parameterNames('cancelOrder')),
    checkName: checkCancelOrderName,
  },
} as const satisfies Record<string, Batched>

type Method = keyof typeof BATCHED

type Piece = { readonly method: Method; readonly parameters: Parameters }

async function orderBatchAnswer(call: Call): Promise<Answer> {
  const pieces = readPieces(call.parameters)
  if (pieces instanceof Refusal) return pieces
  const placements = pieces.filter(({ method }) => method === 'POST').length
  const refusal =
    call.charge(weightOf(pieces) - orderBatch.weight) ??
    (placements > 0 ? call.takeOrders(placements) : undefined)
  if (refusal !== undefined) return refusal
  const answers = await answersTo(call, pieces)
  return answers instanceof Refusal ? answers : batchBody(answers, call.language)
}

/** The sum of the weights of the single operations. */
function weightOf(pieces: readonly Piece[]): number {
  const weights = pieces.map(({ method, parameters }) =>
    method === 'POST' ? 1 + formWeight(parameters.get('newOrderRespType')) : 1,
  )
  return weights.reduce((sum, weight) => sum + weight, 0)
}

/**
 * All are passed to the engine in one turn, so that they are consecutive. One promise covers all of them. A
 * refusal: their orders were counted elsewhere and exceed the limit, and nothing was done.
 */
function answersTo(call: Call, pieces: readonly Piece[]): Promise<readonly BatchedAnswer[] | Refusal> {
  return new Promise((resolve) => {
    const answers: BatchedAnswer[] = []
    let left = pieces.length
    let isRefused = false
    for (const [index, { method, parameters }] of pieces.entries()) {
      const own = new BatchedCall(call, call.optionsWith(parameters), (answer) => {
        answers[index] = batchedAnswer(answer, own)
        isRefused ||= own.areOrdersRefused
        left--
        if (left === 0) resolve(isRefused ? call.ordersRefused() : answers)
      })
      own.carryOut(method)
    }
  })
}

function readPieces(parameters: Parameters): readonly Piece[] | Refusal {
  const text = readRequired(parameters, 'operations')
  if (text instanceof Refusal) return text
  const items = listIn(text)
  if (items === undefined) {
    return refuse('INVALID_PARAMETER', { name: 'operations', expected: listOf(BATCH_OPERATIONS_MAX) })
  }
  const pieces: Piece[] = []
  for (const [index, item] of items.entries()) {
    const piece = readPiece(item, `operations[${index}]`)
    if (piece instanceof Refusal) return piece
    pieces.push(piece)
  }
  return pieces
}

/** Undefined if the text is not JSON, or not a list of 1 to `BATCH_OPERATIONS_MAX`. */
function listIn(text: string): readonly unknown[] | undefined {
  let value: unknown
  try {
    value = parseJson(text, OPERATIONS_JSON)
  } catch {
    return undefined
  }
  return Array.isArray(value) && value.length > 0 && value.length <= BATCH_OPERATIONS_MAX ? value : undefined
}

function readPiece(item: unknown, name: string): Piece | Refusal {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return refuse('INVALID_PARAMETER', { name, expected: objectWith('method') })
  }
  const { method }: { readonly method?: unknown } = item
  if (!isMethod(method)) {
    return refuse('INVALID_PARAMETER', { name: `${name}.method`, expected: oneOf(Object.keys(BATCHED)) })
  }
  const parameters = readFields(item, 'method')
  if (!(parameters instanceof Refusal)) return { method, parameters }
  const { reason, args, extras } = parameters
  return new Refusal(reason, 'name' in args ? { ...args, name: `${name}.${args.name}` } : args, extras)
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'string' && Object.hasOwn(BATCHED, value)
}

function outcomeOf(call: BatchedCall, method: Method): Outcome {
  const batched: Batched = BATCHED[method]
  return untaken(call.parameters, batched) ?? batched.operation.answer(call)
}

function batchedAnswer(answer: Answer, call: BatchedCall): BatchedAnswer {
  const { language, isRepeat } = call
  if (answer instanceof Refusal) {
    return { status: REASONS[answer.reason].status, body: call.shown(answer).body(language), isRepeat }
  }
  invariant(typeof answer === 'string', 'an operation of a batch is answered with one text')
  return { status: 200, body: answer, isRepeat }
}

/** One operation of a batch, whose limits have already been charged. */
class BatchedCall extends Call {
  /** Whether the order had been placed before. */
  isRepeat = false
  /** Whether the orders of the batch exceed the limit, so that this operation was not carried out. */
  areOrdersRefused = false
  readonly #batch: Call
  readonly #onAnswer: (answer: Answer) => void

  /** `onAnswer`: called once, with the answer of this operation. */
  constructor(batch: Call, options: CallOptions, onAnswer: (answer: Answer) => void) {
    super(options)
    this.#batch = batch
    this.#onAnswer = onAnswer
  }

  /** A failure is the answer to this operation only, since others may be carried out. */
  carryOut(method: Method): void {
    try {
      const outcome = outcomeOf(this, method)
      if (outcome instanceof Promise)
        outcome.then(this.#onAnswer, (error: unknown) => this.#onAnswer(this.lost(error)))
      else if (outcome !== UNDER_WAY) this.#onAnswer(outcome)
    } catch (error) {
      this.#onAnswer(this.lost(error))
    }
  }

  override handOver(command: Command, word: Wording): Outcome {
    this.handTo(this.#onAnswer, command, word)
    return UNDER_WAY
  }

  override get language(): Language {
    return this.#batch.language
  }

  override charge(): undefined {
    return undefined
  }

  override chargeRows(): undefined {
    return undefined
  }

  override takeOrders(): undefined {
    return undefined
  }

  override hasOrdersLeft(): boolean {
    return true
  }

  /** The batch's orders are counted with its first command; if that is refused, so are all others. */
  override get orderCharge(): OrderCharge | undefined {
    return this.#batch.orderCharge
  }

  override ordersRefused(): Refusal {
    this.areOrdersRefused = true
    // Replaces the answer of the whole batch.
    return refuse('ORDER_RATE_LIMITED', { seconds: 1 })
  }

  override noteRepeat(): void {
    this.isRepeat = true
  }

  override limitUses(): Omit<AccountLimits, 'openOrders'> {
    return this.#batch.limitUses()
  }
}
