/**
 * An endpoint of the customer interface as a row: its path, its access, its fields and answer, and its
 * description.
 */
import type { Shape, ValueOf } from '../../units/shapes/shape.ts'
import type { Localised } from '../language.ts'
import type { CustomerReason } from '../reasons/catalogue.ts'
import type { BodyFields, BodyOf } from './field.ts'

/** The path of the endpoints on the public port. */
export const ACCOUNT_PATH = '/account/v1/'

/** Everything under this path is forwarded to the customers process. */
export const ACCOUNT_ROOT = '/account/'

/**
 * Who may use it: anyone; a person who is signed in, or whose email address is confirmed but who has no
 * credential yet (`SIGNUP`); only a person who is signed in.
 */
export type AccountAccess = 'ANYBODY' | 'SIGNUP' | 'SESSION'

/**
 * A proof by a credential for this one operation, in addition to the session
 * (docs/reference/account.md#step-up).
 */
export type StepUp = {
  /** The person reads it, and the credential signs it; `{name}` is the value of that name in the body. */
  readonly text: Localised
  /** It only reads: one step-up, or a sign-in, is valid for five minutes, and no header is needed. */
  readonly isReading?: true
}

export type AccountRow<
  Fields extends BodyFields = BodyFields,
  Answer extends Shape | undefined = Shape | undefined,
> = {
  readonly method: 'GET' | 'POST'
  readonly access: AccountAccess
  readonly summary: string
  readonly fields: Fields
  /** The data of a success; undefined if it has none. */
  readonly answer: Answer
  /** 200 unless specified otherwise. */
  readonly status?: 202
  /** Undefined if a session is enough. */
  readonly stepUp?: StepUp
  /** Reasons in addition to those that every endpoint has. */
  readonly reasons: readonly CustomerReason[]
}

export type AccountRows = Readonly<Record<string, AccountRow>>

export type BodyIn<Row> = Row extends { readonly fields: infer Fields extends BodyFields }
  ? BodyOf<Fields>
  : never
export type DataOf<Row> = Row extends { readonly answer: infer Answer extends Shape }
  ? ValueOf<Answer>
  : undefined

/** Preserves the types of fields and answer. */
export const row = <const Fields extends BodyFields, Answer extends Shape | undefined>(
  of: AccountRow<Fields, Answer>,
): AccountRow<Fields, Answer> => of
