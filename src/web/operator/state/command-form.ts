/**
 * A form for a command of the operator's command line: its fields, its request, and the equivalent command
 * line for a terminal. Labels, bounds and refusals are those of `bourse admin`.
 */

import type { AdminCommand, Field } from '../../../cli/admin/command.ts'
import { requestOf } from '../../../cli/admin/request.ts'
import { UsageError } from '../../../cli/arguments.ts'
import { labelOf } from '../texts/command-texts.ts'

export type FormField = Field & {
  /** Name of the option; undefined for an argument. */
  readonly option: string | undefined
  readonly isNeeded: boolean
}

/** The typed values, by name of the field; an option with '' is left out. */
export type FormValues = Readonly<Record<string, string>>

export function formFields({ positionals, options }: AdminCommand): readonly FormField[] {
  return [
    ...positionals.map((field) => ({ ...field, option: undefined, isNeeded: true })),
    ...Object.entries(options).map(([option, field]) => ({
      ...field,
      option,
      isNeeded: field.required === true,
    })),
  ]
}

/** The initial values of the fields: the defaults of `bourse admin`. */
export function proposedValues({ options }: AdminCommand): FormValues {
  const proposed = Object.values(options).flatMap(({ field, proposed }) =>
    proposed === undefined ? [] : [[field, proposed]],
  )
  return Object.fromEntries(proposed)
}

export type Request =
  | { readonly ok: true; readonly request: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string }

/** `cleared`: options that are sent as empty, which removes what was set. */
export function formRequest(
  command: AdminCommand,
  values: FormValues,
  note: string,
  cleared: ReadonlySet<string> = new Set(),
): Request {
  const words = command.positionals.map(({ field }) => values[field] ?? '')
  const empty = command.positionals.find((_, index) => words[index] === '')
  if (empty !== undefined)
    return { ok: false, problem: `“${labelOf(empty.field)}” is missing: ${empty.help}` }
  try {
    const options = new Map(givenOptions(command, values, note, cleared))
    // A named token identifies the actor.
    const request = requestOf(command, { words, options }, { userName: '', token: 'named' })
    return { ok: true, request }
  } catch (error) {
    if (error instanceof UsageError) return { ok: false, problem: withLabels(error.message, command) }
    throw error
  }
}

/** Replaces the names of options by the labels of their fields. */
function withLabels(message: string, { options }: AdminCommand): string {
  return message.replace(/--([a-z-]+)/g, (option, name: string) => {
    const field = options[name]?.field
    return field === undefined ? option : `“${labelOf(field)}”`
  })
}

/** The equivalent command line for a terminal. */
export function commandLine(
  command: AdminCommand,
  values: FormValues,
  note: string,
  cleared: ReadonlySet<string> = new Set(),
): string {
  const words = command.positionals.map(({ field }) => {
    const value = values[field] ?? ''
    return value === '' ? `<${field}>` : quoted(value)
  })
  const options = givenOptions(command, values, note, cleared).map(
    ([name, value]) => `--${name} ${quoted(value)}`,
  )
  const yes = command.confirm === undefined ? [] : ['--yes']
  return ['bourse admin', command.name, ...words, ...options, ...yes].join(' ')
}

function givenOptions(
  command: AdminCommand,
  values: FormValues,
  note: string,
  cleared: ReadonlySet<string>,
): [string, string][] {
  const own = Object.entries(command.options).flatMap(([name, { field }]): [string, string][] => {
    const value = values[field] ?? ''
    return value === '' && !cleared.has(field) ? [] : [[name, value]]
  })
  return note === '' || command.isReading ? own : [...own, ['note', note]]
}

/** Quotes the text as one word for a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
