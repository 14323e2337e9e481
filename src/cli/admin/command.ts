/**
 * A command of an operator: its words, arguments and options, its operation, and the display of its result.
 * The tables of commands are data, derived from the rows of the operations; one interpreter runs them all.
 */
import type { AdminOperation } from '../../contract/admin/admin.ts'
import type { Fields, Form, Field as RequestField } from '../../contract/admin/operations/field.ts'
import type { OperationRow, ResultOf } from '../../contract/admin/operations/row.ts'

/** The conversion of an argument's text to a field of the request. */
export type FieldKind = 'text' | 'integer' | 'switch' | 'list'

export type Field = {
  /** Name in the request. */
  readonly field: string
  readonly kind: FieldKind
  readonly help: string
  readonly required?: boolean
  /**
   * The only allowed values; if absent, any value is allowed. If they are in capital letters, input is
   * compared in capital letters.
   */
  readonly values?: readonly string[]
  /** For an option: the value that is sent if it is left out. The server's own default may differ. */
  readonly proposed?: string
}

export type AdminCommand = {
  /** `asset add`, `credit`. */
  readonly name: string
  readonly operation: AdminOperation
  /** Whether the operation is left out of the audit trail, so that it accepts no actor and no note. */
  readonly isReading: boolean
  /** The title of the page's button and dialog. */
  readonly title: string
  readonly summary: string
  /** Positional arguments, in order; all are required. */
  readonly positionals: readonly Field[]
  /** By option name without `--`. */
  readonly options: Readonly<Record<string, Field>>
  readonly examples: readonly string[]
  /**
   * Undefined if the answer is a text of any length, which is passed on as it arrives, or written to the file
   * given with `--out`.
   */
  readonly show: ((result: unknown) => string) | undefined
  /**
   * Fields of the answer that are texts of several lines; all other texts are passed to `show` as one line.
   */
  readonly lines?: readonly string[]
  /** The confirmation question; undefined if there is none. */
  readonly confirm?: (request: Readonly<Record<string, unknown>>) => string
  /**
   * Whether the command needs at least one of its options: without them it would change nothing, or
   * everything.
   */
  readonly needsOption?: boolean
  /** The record whose fields the options set. */
  readonly sets?: OperationRow['sets']
  /** For work that is done in pieces: the progress, and whether the work is complete. */
  readonly pieces?: Pieces<unknown>
}

/** Commands listed under one title in the overview. */
export type CommandSection = { readonly title: string; readonly commands: readonly AdminCommand[] }

/** How the answers to repeated requests are combined. */
type Pieces<Result> = {
  /** Combines the answer so far with the next one. */
  readonly add: (sum: Result, next: Result) => Result
  /** The progress message while there is more to do; undefined when done. */
  readonly more: (sum: Result) => string | undefined
}

type ShownAnswer<Result> =
  | ((result: Result) => string)
  | {
      readonly show: (result: Result) => string
      readonly lines?: readonly (keyof Result & string)[]
      readonly pieces?: Pieces<Result>
    }

/** The display of each operation's answer in some rows, except text answers, which are passed on. */
export type Shown<Rows> = {
  readonly [Operation in keyof Rows as Rows[Operation] extends { readonly isStreamed: true }
    ? never
    : Operation]: ShownAnswer<ResultOf<Rows[Operation]>>
}

/** The commands for the operations of some rows, in their order; `data` is the directory used in examples. */
export function commandsOf<Rows extends Readonly<Record<string, OperationRow>>>(
  rows: Rows,
  answers: Shown<Rows>,
  data = 'data/main',
): readonly AdminCommand[] {
  // Each function receives the result of its own operation only.
  const shownBy = answers as Readonly<Record<string, ShownAnswer<never>>>
  return Object.entries(rows).map(([operation, row]) =>
    commandOf(operation as AdminOperation, row, shownBy[operation] as ShownAnswer<unknown> | undefined, data),
  )
}

function commandOf(
  operation: AdminOperation,
  row: OperationRow,
  answer: ShownAnswer<unknown> | undefined,
  data: string,
): AdminCommand {
  const { isAudited, title, summary, confirm, needsOption, sets } = row
  const name = row.command ?? operation.replace('/', ' ')
  const shown = typeof answer === 'function' ? { show: answer } : { show: undefined, ...answer }
  return {
    name,
    operation,
    isReading: !isAudited,
    title: title ?? name,
    summary,
    positionals: Object.entries(row.words).map(([name, field]) => fieldOf(name, field)),
    options: optionsOf(row.options),
    examples: row.examples.map((example) => `bourse admin --data ${data} ${example}`),
    ...shown,
    ...(confirm === undefined ? {} : { confirm: (request) => questionOf(confirm, request) }),
    ...(needsOption === undefined ? {} : { needsOption }),
    ...(sets === undefined ? {} : { sets }),
  }
}

function optionsOf(fields: Fields): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [field.option ?? hyphened(name), fieldOf(name, field)]),
  )
}

const hyphened = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function fieldOf(field: string, { form, help, isRequired, proposed }: RequestField): Field {
  const values = valuesOf(form)
  return {
    field,
    kind: kindOf(form),
    help,
    ...(isRequired ? { required: true } : {}),
    ...(values === undefined ? {} : { values }),
    ...(proposed === undefined ? {} : { proposed }),
  }
}

function kindOf({ is }: Form): FieldKind {
  return is === 'whole' ? 'integer' : is === 'flag' ? 'switch' : is === 'list' ? 'list' : 'text'
}

function valuesOf(form: Form): readonly string[] | undefined {
  if (form.is === 'list') return valuesOf(form.of)
  return form.is === 'oneOf' ? form.values : undefined
}

/** `{field}` is replaced by a value of the request; `{field|words}` by these words if there is no value. */
function questionOf(question: string, request: Readonly<Record<string, unknown>>): string {
  return question.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, otherwise = '') =>
    String(request[name] ?? otherwise),
  )
}

/** The option of commands with a text answer. */
export const OUT_OPTION = 'out'

/** The names of a command's options, without the common ones. */
export function optionNames({ options, show }: AdminCommand): readonly string[] {
  return [...Object.keys(options), ...(show === undefined ? [OUT_OPTION] : [])]
}
