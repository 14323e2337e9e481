/** What is wrong with a number in a field, of what was typed or of what the exchange says to it. */
import { RefusedError } from '../../../../client/errors.ts'
import { messageOf } from '../desk.ts'
import type { FieldProblem } from './draft.ts'
import type { TypedNumber } from './number-field.ts'

/** Undefined: it is a number, or nothing was typed. */
export function unreadableProblem(typed: TypedNumber): FieldProblem | undefined {
  return typed.kind === 'refused' ? { kind: 'UNREADABLE', offers: typed.readings } : undefined
}

/** Of a number that must be there. */
export function typedProblem(typed: TypedNumber): FieldProblem | undefined {
  return typed.kind === 'empty' ? { kind: 'MISSING', offers: [] } : unreadableProblem(typed)
}

/** What the exchange refuses, with the nearest value that it would take. */
export function refusedProblem(error: unknown): FieldProblem {
  const nearest = error instanceof RefusedError ? error.nearest : undefined
  return { kind: 'REFUSED', offers: nearest === undefined ? [] : [nearest], message: messageOf(error) }
}
