/**
 * One operation of the admin server as a row: what it takes and answers, which rights it takes, what it does as far as that decides who must
 * say again who he is, and its words. The server's checks, the command line, the page's forms and the reference's tables are made of the rows.
 */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { Fields, ValuesOf } from './field.ts'

/** `owner` is the right of the node's own token alone, so that nobody raises what he may himself. */
export type TakenRight = AdminRight | 'owner'

/** What an operation does, as far as it is about whether its caller is still the one who logged in: whether it takes the token again. */
export const NATURES = {
  /** It moves money, or opens a way for it. */
  MONEY: true,
  /** It changes who may what, or to whom something is sent. */
  RIGHTS: true,
  /** It changes limits, rates and terms, or ends something for good. */
  TERMS: true,
  /** It closes or opens the exchange as a whole, at once or later. */
  PHASES: true,
  /** It shows or takes away what is sealed, or the journal itself. */
  SECRETS: true,
  /** It takes away what somebody has set to protect, or what the node protects itself with. */
  UNPROTECTS: true,
  /** It protects: nothing is to keep it waiting. */
  QUICK: false,
  /** It can be taken back, and neither money nor rights hang on it. */
  HARMLESS: false,
  /** It only looks, at nothing that is sealed. */
  READS: false,
} as const
export type Nature = keyof typeof NATURES

/** Carries the type of an answer, and nothing else. */
type Answer<Result> = { readonly result?: Result }
export const answers = <Result>(): Answer<Result> => ({})

/**
 * Why it is done, for the journal's audit trail, and who does it: `actor` counts with the node's own token alone, a
 * named token says it itself.
 */
export type AuditFields = { readonly actor?: string | undefined; readonly note?: string | undefined }

type Told<Words extends Fields, Options extends Fields, Result> = {
  /** Every right that it takes. */
  readonly rights: readonly [TakenRight, ...TakenRight[]]
  /** A sentence, as help and page show it. */
  readonly summary: string
  /** Fields that the command line takes in this order, without names; all of them are required. */
  readonly words?: Words
  readonly options?: Options
  /** What it answers, as the reference says it: the names of the fields with what is not in them. */
  readonly told: string
  readonly answer: Answer<Result>
  /** Its words on the command line, where they are not those of the operation. */
  readonly command?: string
  /** Command lines behind `bourse admin --data DIR`. None: programs alone ask for it, and the command line has no such command. */
  readonly examples: readonly string[]
  /** Without any of its options it would change nothing, or everything. */
  readonly needsOption?: true
  /** What is asked before it is done, with `{field}` for a value and `{field|words}` where one may be missing. */
  readonly confirm?: string
}

/** A row as all its readers see it. */
export type OperationRow = {
  readonly nature: Nature
  /** It changes nothing that the journal has. */
  readonly isReading: boolean
  /** It takes `actor` and `note`. */
  readonly isAudited: boolean
  /** Its answer is a text of any length, sent as it is made. One that could not be made whole breaks off; a refusal is JSON as everywhere. */
  readonly isStreamed: boolean
  readonly rights: readonly [TakenRight, ...TakenRight[]]
  readonly summary: string
  readonly told: string
  readonly words: Fields
  readonly options: Fields
  readonly command?: string
  readonly examples: readonly string[]
  readonly needsOption?: true
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

/** It only looks; `nature` where what it shows takes the token again. */
export function reads<Result, Words extends Fields = None, Options extends Fields = None>(
  row: Told<Words, Options, Result> & { readonly nature?: Nature },
): Row<Simple<Taken<Words, Options>>, Result, false> {
  const { words = EMPTY, options = EMPTY, nature = 'READS', ...told } = row
  return { nature, isReading: true, isAudited: false, isStreamed: false, ...told, words, options }
}

/** It only looks, and answers with a text of any length. */
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

/** It changes something: the audit trail has who asked for it, and why. */
export function changes<Result, Words extends Fields = None, Options extends Fields = None>(
  nature: Exclude<Nature, 'READS'>,
  row: Told<Words, Options, Result>,
): Row<Simple<AuditFields & Taken<Words, Options>>, Result, false> {
  const { words = EMPTY, options = EMPTY, ...told } = row
  return { nature, isReading: false, isAudited: true, isStreamed: false, ...told, words, options }
}

/** It changes how the node keeps the journal, not what the journal has: the audit trail, which is in the journal, says nothing of it. */
export function keeps<Result, Words extends Fields = None, Options extends Fields = None>(
  row: Told<Words, Options, Result>,
): Row<Simple<Taken<Words, Options>>, Result, false> {
  const { words = EMPTY, options = EMPTY, ...told } = row
  return { nature: 'SECRETS', isReading: false, isAudited: false, isStreamed: false, ...told, words, options }
}

export type RequestOf<Of> = Of extends { readonly request?: infer Request }
  ? Exclude<Request, undefined>
  : never
export type ResultOf<Of> = Of extends { readonly answer: Answer<infer Result> } ? Result : never
