/**
 * An endpoint of the customers' interface as a row: where it is, who may ask, what it takes and answers, and
 * what is said of it.
 */
import type { Shape, ValueOf } from '../../units/shapes/shape.ts'
import type { Localised } from '../language.ts'
import type { CustomerReason } from '../reasons/catalogue.ts'
import type { BodyFields, BodyOf } from './field.ts'

/** Where the endpoints are, on the public port. */
export const ACCOUNT_PATH = '/account/v1/'

/** Everything under this is the customers' process's. */
export const ACCOUNT_ROOT = '/account/'

/**
 * Who may ask: anybody; a person whose mail is confirmed and who has no credential yet (`SIGNUP`), or is
 * signed in; a person who is signed in.
 */
export type AccountAccess = 'ANYBODY' | 'SIGNUP' | 'SESSION'

/** A proof by a credential for this one operation, beside the session (docs/reference/account.md#step-up). */
export type StepUp = {
  /** The person reads it, and the credential signs it; `{name}` is the value of that name in the body. */
  readonly text: Localised
  /** It only reads: one step-up, or a sign-in, is good for five minutes, and needs no header. */
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
  /** The data of a success; undefined: it has none. */
  readonly answer: Answer
  /** 200 unless said otherwise. */
  readonly status?: 202
  /** Undefined: a session is enough. */
  readonly stepUp?: StepUp
  /** Beside those that every endpoint has. */
  readonly reasons: readonly CustomerReason[]
}

export type AccountRows = Readonly<Record<string, AccountRow>>

export type BodyIn<Row> = Row extends { readonly fields: infer Fields extends BodyFields }
  ? BodyOf<Fields>
  : never
export type DataOf<Row> = Row extends { readonly answer: infer Answer extends Shape }
  ? ValueOf<Answer>
  : undefined

/** Keeps the types of fields and answer. */
export const row = <const Fields extends BodyFields, Answer extends Shape | undefined>(
  of: AccountRow<Fields, Answer>,
): AccountRow<Fields, Answer> => of
