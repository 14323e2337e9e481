/**
 * What a command of the operator is: its words, arguments and options, the operation it asks for and how its
 * result is shown. The tables of commands are data; one interpreter runs them all.
 */
import type { AdminOperation, AdminRequests, AdminResults } from '../wire/admin.ts'

/** How the text of an argument becomes a field of the request. */
export type FieldKind = 'text' | 'integer' | 'switch' | 'list'

export type Field = {
  /** Name in the request. */
  readonly field: string
  readonly kind: FieldKind
  readonly help: string
  readonly required?: boolean
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
  readonly show: (result: unknown) => string
}

/** A command whose parts fit its operation. */
export function command<Operation extends AdminOperation>(parts: {
  readonly name: string
  readonly operation: Operation
  readonly summary: string
  readonly positionals?: readonly (Field & { readonly field: FieldName<Operation> })[]
  readonly options?: Readonly<Record<string, Field & { readonly field: FieldName<Operation> }>>
  readonly examples: readonly string[]
  readonly show: (result: AdminResults[Operation]) => string
}): AdminCommand {
  const show = parts.show as (result: unknown) => string
  return { positionals: [], options: {}, ...parts, show }
}

type FieldName<Operation extends AdminOperation> = keyof AdminRequests[Operation] & string
