/** Builds the request of a command line from its words and options. */
import { type Arguments, type OptionForms, UsageError } from '../arguments.ts'
import { type AdminCommand, type Field, OUT_OPTION } from './command.ts'

/** The operator, and the named token, if any. */
export type CliCaller = { readonly userName: string; readonly token?: string | undefined }

/** The options of every command. */
export const COMMON_FORMS: OptionForms = {
  data: 'value',
  json: 'flag',
  actor: 'value',
  note: 'value',
  url: 'value',
  yes: 'flag',
  help: 'flag',
}

/** The request body of a command line; throws a `UsageError` with what is missing or wrong. */
export function requestOf(
  command: AdminCommand,
  given: Arguments,
  caller: CliCaller,
): Record<string, unknown> {
  const request: Record<string, unknown> = {}
  const { positionals } = command
  for (const [index, field] of positionals.entries()) {
    const value = given.words[index]
    if (value === undefined) throw new UsageError(`${command.name} needs <${field.field}>: ${field.help}`)
    request[field.field] = fieldValue(`<${field.field}>`, field, value)
  }
  const extra = given.words[positionals.length]
  if (extra !== undefined)
    throw new UsageError(`${command.name}: unexpected argument ${JSON.stringify(extra)}; expected an option`)
  for (const [name, value] of given.options) {
    if (name === 'actor' || name === 'note') request[name] = value
    else if (!Object.hasOwn(COMMON_FORMS, name) && !(name === OUT_OPTION && command.show === undefined)) {
      const field = command.options[name]
      if (field === undefined) throw new UsageError(`${command.name} has no option --${name}`)
      request[field.field] = fieldValue(`--${name}`, field, String(value))
    }
  }
  for (const [name, field] of Object.entries(command.options)) {
    if (field.proposed !== undefined && !given.options.has(name))
      request[field.field] = fieldValue(`--${name}`, field, field.proposed)
  }
  checkRequired(command, given)
  return withAudit(command, request, caller)
}

function checkRequired({ name: command, options, needsOption }: AdminCommand, given: Arguments): void {
  for (const [name, field] of Object.entries(options)) {
    if (field.required && !given.options.has(name)) {
      throw new UsageError(`${command} needs --${name}: ${field.help}`)
    }
  }
  const names = Object.keys(options)
  if (needsOption && !names.some((name) => given.options.has(name))) {
    throw new UsageError(`${command} needs at least one of ${names.map((name) => `--${name}`).join(', ')}`)
  }
}

/** Read-only operations have no audit trail and accept no actor; a named token identifies the operator. */
function withAudit(
  { operation, isReading }: AdminCommand,
  request: Record<string, unknown>,
  caller: CliCaller,
) {
  if (!isReading) return caller.token === undefined ? { actor: caller.userName, ...request } : request
  const { note: _note, ...rest } = request
  if (operation === 'audit/list' || operation === 'audit/find') return rest
  const { actor: _actor, ...plain } = rest
  return plain
}

function fieldValue(where: string, field: Field, text: string): unknown {
  switch (field.kind) {
    case 'text':
      return oneOf(where, field, text)
    case 'list':
      return text === '' ? [] : text.split(',').map((item) => oneOf(where, field, item.trim()))
    case 'integer':
      if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${where} needs a whole number, found ${text}`)
      return Number(text)
    case 'switch':
      if (text !== 'on' && text !== 'off') throw new UsageError(`${where} needs on or off, found ${text}`)
      return text === 'on'
  }
}

/** The text itself, or the allowed value that equals it in any letter case. */
function oneOf(where: string, { values }: Field, text: string): string {
  if (values === undefined) return text
  const asNamed = (word: string) => word.toUpperCase().replaceAll('-', '_')
  const value = values.find((one) => asNamed(one) === asNamed(text))
  if (value === undefined) throw new UsageError(`${where} needs one of ${values.join(', ')}, found ${text}`)
  return value
}
