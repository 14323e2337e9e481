/**
 * One operation of the admin server as a row: its request and answer, the rights that it needs, its nature,
 * which decides whether the token must be entered again, and its texts. The server's checks, the command
 * line, the page's forms and the reference's tables are derived from the rows.
 */
import type { AdminRight } from '../../../units/admin-rights.ts'
import type { Fields, ValuesOf } from './field.ts'

/**
 * `owner` is a right that only the node's own token has, so that no operator can raise their own rights;
 * `customers` is a right of the customers process, which no role has.
 */
export type TakenRight = AdminRight | 'owner' | 'customers'

/** The nature of an operation, which decides whether its caller must enter the token again. */
export const NATURES = {
  /** It moves money, or prepares a move of money. */
  MONEY: true,
  /** It changes rights, or the receiver of data. */
  RIGHTS: true,
  /** It changes limits, rates and terms, or ends something permanently. */
  TERMS: true,
  /** It closes or opens the exchange as a whole, at once or later. */
  PHASES: true,
  /** It shows or removes encrypted data, or the journal itself. */
  SECRETS: true,
  /** It removes a protection that an operator or the node itself has set. */
  UNPROTECTS: true,
  /** It protects, so nothing may delay it. */
  QUICK: false,
  /** It can be undone, and affects neither money nor rights. */
  HARMLESS: false,
  /** It only reads, and shows nothing that is encrypted. */
  READS: false,
} as const
export type Nature = keyof typeof NATURES

/** Carries only the type of an answer. */
type Answer<Result> = { readonly result?: Result }
export const answers = <Result>(): Answer<Result> => ({})

/**
 * The note and the actor for the journal's audit trail. `actor` is used with the node's own token only: with
 * a named token, the actor is the token's name.
 */
export type AuditFields = { readonly actor?: string | undefined; readonly note?: string | undefined }

type Told<Words extends Fields, Options extends Fields, Result> = {
  /** All rights that it needs. */
  readonly rights: readonly [TakenRight, ...TakenRight[]]
  /** The page's button and dialog; absent for an operation that only programs use. */
  readonly title?: string
  /** A sentence, as help and page show it. */
  readonly summary: string
  /** Fields that the command line takes in this order, without names; all of them are required. */
  readonly words?: Words
  readonly options?: Options
  /**
   * The answer in the words of the reference: the names of the fields, and details that the names do not
   * show.
   */
  readonly told: string
  readonly answer: Answer<Result>
  /** Its words on the command line, if they differ from the operation's name. */
  readonly command?: string
  /**
   * Command lines after `bourse admin --data DIR`. Undefined if only programs use the operation: then the
   * command line has no such command.
   */
  readonly examples: readonly string[]
  /** Without any of its options the operation would change nothing, or everything. */
  readonly needsOption?: true
  /**
   * The record that the operation changes, with the operation's options as fields: the page shows the record
   * before and after.
   */
  readonly sets?: 'asset' | 'symbol' | 'account'
  /**
   * The confirmation question, with `{field}` for a value and `{field|words}` if the value may be missing.
   */
  readonly confirm?: string
}

/** A row in the form used by all its readers. */
export type OperationRow = {
  readonly nature: Nature
  /** It changes nothing in the journal. */
  readonly isReading: boolean
  /** It takes `actor` and `note`. */
  readonly isAudited: boolean
  /**
   * Its answer is a text of any length, sent while it is produced. An answer that cannot be completed is cut
   * off; a refusal is JSON, as everywhere.
   */
  readonly isStreamed: boolean
  readonly rights: readonly [TakenRight, ...TakenRight[]]
  readonly title?: string
  readonly summary: string
  readonly told: string
  readonly words: Fields
  readonly options: Fields
  readonly command?: string
  readonly examples: readonly string[]
  readonly needsOption?: true
  readonly sets?: 'asset' | 'symbol' | 'account'
  readonly confirm?: string
}

export type OperationRows = Readonly<Record<string, OperationRow>>

export type Row<Request, Result, IsStreamed extends boolean = boolean> = OperationRow & {
  readonly isStreamed: IsStreamed
  readonly request?: Request
  readonly answer: Answer<Result>
}

type Simple<Type> = { readonly [Name in keyof Type]: Type[Name] }
type Taken<Words extends Fields, Options extends Fields> = ValuesOf<Words, true> & ValuesOf<Options>
type None = Readonly<Record<never, never>>

const EMPTY = {}

/** It only reads; `nature` is given if the data it shows requires the token again. */
export function reads<Result, Words extends Fields = None, Options extends Fields = None>(
  row: Told<Words, Options, Result> & { readonly nature?: Nature },
): Row<Simple<Taken<Words, Options>>, Result, false> {
  const { words = EMPTY, options = EMPTY, nature = 'READS', ...told } = row
  return { nature, isReading: true, isAudited: false, isStreamed: false, ...told, words, options }
}

/** It only reads, and answers with a text of any length. */
export function streams<Words extends Fields = None, Options extends Fields = None>(
  row: Omit<Told<Words, Options, never>, 'answer'>,
): Row<Simple<Taken<Words, Options>>, never, true> {
  const { words = EMPTY, options = EMPTY, ...told } = row
  const answer = answers<never>()
  return {
    nature: 'READS',
    isReading: true,
    isAudited: false,
    isStreamed: true,
    ...told,
    answer,
    words,
    options,
  }
}

/** It changes something: the audit trail records the actor and the note. */
export function changes<Result, Words extends Fields = None, Options extends Fields = None>(
  nature: Exclude<Nature, 'READS'>,
  row: Told<Words, Options, Result>,
): Row<Simple<AuditFields & Taken<Words, Options>>, Result, false> {
  const { words = EMPTY, options = EMPTY, ...told } = row
  return { nature, isReading: false, isAudited: true, isStreamed: false, ...told, words, options }
}

/**
 * It changes something outside the journal, such as how the node stores the journal: the audit trail, which
 * is part of the journal, does not contain it.
 */
export function keeps<Result, Words extends Fields = None, Options extends Fields = None>(
  row: Told<Words, Options, Result> & { readonly nature?: Exclude<Nature, 'READS'> },
): Row<Simple<Taken<Words, Options>>, Result, false> {
  const { words = EMPTY, options = EMPTY, nature = 'SECRETS', ...told } = row
  return { nature, isReading: false, isAudited: false, isStreamed: false, ...told, words, options }
}

export type RequestOf<Of> = Of extends { readonly request?: infer Request }
  ? Exclude<Request, undefined>
  : never
export type ResultOf<Of> = Of extends { readonly answer: Answer<infer Result> } ? Result : never
