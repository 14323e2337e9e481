/**
 * `bourse admin`: finds the command meant, turns its words into a request, asks the node and prints the answer.
 */

import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { AdminRefused, AdminUnreachable, askAdmin, readAdminAddress } from './admin-client.ts'
import { type Arguments, nearest, type OptionForms, parseArguments, UsageError } from './arguments.ts'
import type { AdminCommand, Field } from './command.ts'
import { helpOf, overview } from './help.ts'
import { LISTING_COMMANDS } from './listing-commands.ts'

/** What the command needs of the process that runs it. */
export type CliHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** Data directory when `--data` is not given. */
  readonly defaultData: string | undefined
  readonly userName: string
}

/** Exit codes: done, refused or failed, not understood. */
export const EXIT_OK = 0
export const EXIT_FAILED = 1
export const EXIT_USAGE = 2

export const ADMIN_COMMANDS: readonly AdminCommand[] = [...LISTING_COMMANDS, ...ACCOUNT_COMMANDS]

const COMMON_FORMS: OptionForms = {
  data: 'value',
  json: 'flag',
  actor: 'value',
  note: 'value',
  help: 'flag',
}

/** Runs `bourse admin` with the words after `admin`; resolves with the exit code. */
export async function runAdmin(line: readonly string[], host: CliHost): Promise<number> {
  try {
    return await dispatch(line, host)
  } catch (error) {
    if (error instanceof UsageError) {
      host.printError(`bourse admin: ${error.message}\nHelp: bourse admin --help`)
      return EXIT_USAGE
    }
    if (error instanceof AdminRefused) {
      host.printError(`bourse admin: ${error.message} [${error.error.reason}]`)
      return EXIT_FAILED
    }
    if (error instanceof AdminUnreachable) {
      host.printError(`bourse admin: ${error.message}`)
      return EXIT_FAILED
    }
    throw error
  }
}

async function dispatch(line: readonly string[], host: CliHost): Promise<number> {
  const { words, options } = parseArguments(line, allForms())
  if (words.length === 0) {
    if (!options.has('help')) throw new UsageError('which command? None was given')
    host.print(overview(ADMIN_COMMANDS))
    return EXIT_OK
  }
  const command = findCommand(words)
  if (options.has('help')) {
    host.print(helpOf(command))
    return EXIT_OK
  }
  const request = requestOf(command, { words: words.slice(command.name.split(' ').length), options }, host)
  const data = options.get('data') ?? host.defaultData
  if (typeof data !== 'string')
    throw new UsageError('where is the node? Name its data directory with --data DIR')
  const result = await askAdmin(readAdminAddress(data), command.operation, request as never)
  host.print(options.has('json') ? JSON.stringify(result, undefined, 2) : command.show(result))
  return EXIT_OK
}

/** How options are read: those of any command are understood anywhere; each command then says which are its own. */
export function allForms(): OptionForms {
  const names = ADMIN_COMMANDS.flatMap((command) => Object.keys(command.options))
  return { ...Object.fromEntries(names.map((name) => [name, 'value' as const])), ...COMMON_FORMS }
}

/** The command that the first words name. */
export function findCommand(words: readonly string[]): AdminCommand {
  const [noun = '', verb = ''] = words
  const found = ADMIN_COMMANDS.find(({ name }) => name === noun || name === `${noun} ${verb}`)
  if (found !== undefined) return found
  const verbs = ADMIN_COMMANDS.filter(({ name }) => name.startsWith(`${noun} `)).map(({ name }) => name)
  if (verbs.length > 0) {
    const problem = verb === '' ? `${noun} needs a verb` : `there is no command ${noun} ${verb}`
    throw new UsageError(`${problem}; there are: ${verbs.join(', ')}`)
  }
  const nouns = [...new Set(ADMIN_COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))]
  const near = nearest(noun, nouns)
  const hint = near === undefined ? `there are: ${nouns.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`there is no command ${noun}; ${hint}`)
}

/** The body that a command line stands for; throws a `UsageError` that says what is missing or wrong. */
export function requestOf(
  command: AdminCommand,
  given: Arguments,
  host: Pick<CliHost, 'userName'>,
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
    throw new UsageError(`${command.name} does not understand ${JSON.stringify(extra)}`)
  for (const [name, value] of given.options) {
    if (name === 'actor' || name === 'note') request[name] = value
    else if (!Object.hasOwn(COMMON_FORMS, name)) {
      const field = command.options[name]
      if (field === undefined) throw new UsageError(`${command.name} has no option --${name}`)
      request[field.field] = fieldValue(`--${name}`, field, String(value))
    }
  }
  for (const [name, field] of Object.entries(command.options)) {
    if (field.required && !given.options.has(name)) {
      throw new UsageError(`${command.name} needs --${name}: ${field.help}`)
    }
  }
  return withAudit(command, request, host)
}

/** Operations that only read have no audit trail and take no actor. */
function withAudit(command: AdminCommand, request: Record<string, unknown>, host: Pick<CliHost, 'userName'>) {
  const reads = command.operation.endsWith('/list') || command.operation === 'node/status'
  if (!reads) return { actor: host.userName, ...request }
  const { actor: _actor, note: _note, ...rest } = request
  return rest
}

function fieldValue(where: string, { kind }: Field, text: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'list':
      return text.split(',').map((item) => item.trim())
    case 'integer':
      if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${where} needs a whole number, found ${text}`)
      return Number(text)
    case 'switch':
      if (text !== 'on' && text !== 'off') throw new UsageError(`${where} needs on or off, found ${text}`)
      return text === 'on'
  }
}
