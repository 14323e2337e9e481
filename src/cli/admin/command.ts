/**
 * What a command of the operator is: its words, arguments and options, the operation it asks for and how its
 * result is shown. The tables of commands are data, made from the rows of the operations; one interpreter runs them all.
 */
import type { AdminOperation } from '../../wire/admin.ts'
import type { Fields, Form, Field as RequestField } from '../../wire/admin-operations/field.ts'
import type { OperationRow, ResultOf } from '../../wire/admin-operations/row.ts'

/** How the text of an argument becomes a field of the request. */
export type FieldKind = 'text' | 'integer' | 'switch' | 'list'

export type Field = {
  /** Name in the request. */
  readonly field: string
  readonly kind: FieldKind
  readonly help: string
  readonly required?: boolean
  /** The only values; any without it. What is typed is compared in capital letters where they are. */
  readonly values?: readonly string[]
  /** Of an option: what is sent where it is left out. The server's own default is another. */
  readonly proposed?: string
}

export type AdminCommand = {
  /** `asset add`, `credit`. */
  readonly name: string
  readonly operation: AdminOperation
  /** It asks for an operation that changes nothing, and takes no note. */
  readonly isReading: boolean
  readonly summary: string
  /** In order; all required. */
  readonly positionals: readonly Field[]
  /** By option name without `--`. */
  readonly options: Readonly<Record<string, Field>>
  readonly examples: readonly string[]
  /** Undefined: the answer is a text of any length, which is passed on as it comes, to a file where `--out` names one. */
  readonly show: ((result: unknown) => string) | undefined
  /** Fields of the answer that are texts of several lines; all other text of it is given to `show` on one line. */
  readonly lines?: readonly string[]
  /** What is asked before it is done; without it nothing is. */
  readonly confirm?: (request: Readonly<Record<string, unknown>>) => string
  /** Without any of its options it would change nothing, or everything. */
  readonly needsOption?: boolean
  /** Work that is done a piece at a time: how far it is, and whether it is not done yet. */
  readonly pieces?: Pieces<unknown>
}

/** Commands that stand under one title in the overview. */
export type CommandSection = { readonly title: string; readonly commands: readonly AdminCommand[] }

/** How the answers of repeated requests add up. */
type Pieces<Result> = {
  /** The answer so far and the next one, as one. */
  readonly add: (sum: Result, next: Result) => Result
  /** What to say of the answer so far while there is more to do; undefined: it is done. */
  readonly more: (sum: Result) => string | undefined
}

type ShownAnswer<Result> =
  | ((result: Result) => string)
  | {
      readonly show: (result: Result) => string
      readonly lines?: readonly (keyof Result & string)[]
      readonly pieces?: Pieces<Result>
    }

/** How the answer of each operation among some rows is shown: of all but those whose answer is a text, which is passed on. */
export type Shown<Rows> = {
  readonly [Operation in keyof Rows as Rows[Operation] extends { readonly isStreamed: true }
    ? never
    : Operation]: ShownAnswer<ResultOf<Rows[Operation]>>
}

/** The commands that ask for the operations of some rows, in their order; `data` is the directory that examples name. */
export function commandsOf<Rows extends Readonly<Record<string, OperationRow>>>(
  rows: Rows,
  answers: Shown<Rows>,
  data = 'data/main',
): readonly AdminCommand[] {
  // Each answer is given its own operation's result, and no other's.
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
  const { isReading, summary, confirm, needsOption } = row
  const shown = typeof answer === 'function' ? { show: answer } : { show: undefined, ...answer }
  return {
    name: row.command ?? operation.replace('/', ' '),
    operation,
    isReading,
    summary,
    positionals: Object.entries(row.words).map(([name, field]) => fieldOf(name, field)),
    options: optionsOf(row.options),
    examples: row.examples.map((example) => `bourse admin --data ${data} ${example}`),
    ...shown,
    ...(confirm === undefined ? {} : { confirm: (request) => questionOf(confirm, request) }),
    ...(needsOption === undefined ? {} : { needsOption }),
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

/** `{field}` is a value of the request; `{field|words}` has words where there is none. */
function questionOf(question: string, request: Readonly<Record<string, unknown>>): string {
  return question.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, otherwise = '') =>
    String(request[name] ?? otherwise),
  )
}

/** The option of commands whose answer is a text. */
export const OUT_OPTION = 'out'

/** Names of its options, without those of every command. */
export function optionNames({ options, show }: AdminCommand): readonly string[] {
  return [...Object.keys(options), ...(show === undefined ? [OUT_OPTION] : [])]
}
