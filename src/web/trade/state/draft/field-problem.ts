/** The problem of a number in a field, from the typed text or from the exchange's answer. */
import { RefusedError } from '../../../../client/errors.ts'
import { messageOf } from '../trading-state.ts'
import type { FieldProblem } from './draft.ts'
import type { TypedNumber } from './number-field.ts'

/** Undefined if it is a number, or nothing was typed. */
export function unreadableProblem(typed: TypedNumber): FieldProblem | undefined {
  return typed.kind === 'refused' ? { kind: 'UNREADABLE', offers: typed.readings } : undefined
}

/** The problem of a required number. */
export function typedProblem(typed: TypedNumber): FieldProblem | undefined {
  return typed.kind === 'empty' ? { kind: 'MISSING', offers: [] } : unreadableProblem(typed)
}

/** The exchange's refusal, with the nearest value that it would accept. */
export function refusedProblem(error: unknown): FieldProblem {
  const nearest = error instanceof RefusedError ? error.nearest : undefined
  return { kind: 'REFUSED', offers: nearest === undefined ? [] : [nearest], message: messageOf(error) }
}
