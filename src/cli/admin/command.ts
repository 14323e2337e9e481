/**
 * What a command of the operator is: its words, arguments and options, the operation it asks for and how its
 * result is shown. The tables of commands are data; one interpreter runs them all.
 */
import type { AdminOperation, AdminRequests, AdminResults, StreamedOperation } from '../../wire/admin.ts'

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
  readonly pieces?: Pieces
}

/** Commands that stand under one title in the overview. */
export type CommandSection = { readonly title: string; readonly commands: readonly AdminCommand[] }

/** How the answers of repeated requests add up. */
type Pieces = {
  /** The answer so far and the next one, as one. */
  readonly add: (sum: unknown, next: unknown) => unknown
  /** What to say of the answer so far while there is more to do; undefined: it is done. */
  readonly more: (sum: unknown) => string | undefined
}

/** A command whose parts fit its operation. */
export function command<Operation extends AdminOperation>(parts: {
  readonly name: string
  readonly operation: Operation
  readonly summary: string
  readonly positionals?: readonly (Field & { readonly field: FieldName<Operation> })[]
  readonly options?: Readonly<Record<string, Field & { readonly field: FieldName<Operation> }>>
  readonly examples: readonly string[]
  readonly show?: (result: AdminResults[Operation]) => string
  readonly lines?: readonly (keyof AdminResults[Operation] & string)[]
  /** In place of `show`: the answer is a text of any length. */
  readonly isText?: Operation extends StreamedOperation ? true : never
  readonly confirm?: (request: AdminRequests[Operation]) => string
  readonly needsOption?: boolean
  readonly pieces?: {
    readonly add: (sum: AdminResults[Operation], next: AdminResults[Operation]) => AdminResults[Operation]
    readonly more: (sum: AdminResults[Operation]) => string | undefined
  }
}): AdminCommand {
  // Each part is given its own operation's request and results, and no other's.
  const given = parts as unknown as Omit<AdminCommand, 'positionals' | 'options'>
  return { positionals: [], options: {}, ...given }
}

/** The option of commands whose answer is a text. */
export const OUT_OPTION = 'out'

/** Names of its options, without those of every command. */
export function optionNames({ options, show }: AdminCommand): readonly string[] {
  return [...Object.keys(options), ...(show === undefined ? [OUT_OPTION] : [])]
}

type FieldName<Operation extends AdminOperation> = keyof AdminRequests[Operation] & string
