/**
 * `bourse admin`: finds the command meant, turns its words into a request, asks the node and prints the answer.
 */

import type { AdminAddress, AdminOperation } from '../wire/admin.ts'
import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { AdminRefused, AdminUnreachable, askAdmin, readAdminAddress } from './admin-client.ts'
import { type Arguments, nearest, type OptionForms, parseArguments, UsageError } from './arguments.ts'
import type { AdminCommand, Field } from './command.ts'
import { helpOf, overview } from './help.ts'
import { KEY_COMMANDS } from './key-commands.ts'
import { LISTING_COMMANDS } from './listing-commands.ts'
import { MONEY_COMMANDS } from './money-commands.ts'
import { SAFETY_COMMANDS } from './safety-commands.ts'

/** What the command needs of the process that runs it. */
export type CliHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** Data directory when `--data` is not given. */
  readonly defaultData: string | undefined
  readonly userName: string
  /** A named token of the door, and where the door is, when they do not come from the data directory. */
  readonly token?: string | undefined
  readonly url?: string | undefined
  /** Asks whoever sits at the terminal; undefined: nobody does. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
}

/** Exit codes: done, refused or failed, not understood. */
export const EXIT_OK = 0
export const EXIT_FAILED = 1
export const EXIT_USAGE = 2

export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...LISTING_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...KEY_COMMANDS,
  ...MONEY_COMMANDS,
  ...SAFETY_COMMANDS,
]

const COMMON_FORMS: OptionForms = {
  data: 'value',
  json: 'flag',
  actor: 'value',
  note: 'value',
  url: 'value',
  yes: 'flag',
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
  const address = addressOf(options, host)
  const request = requestOf(command, { words: words.slice(command.name.split(' ').length), options }, host)
  if (!(await isMeant(command, request, options, host))) {
    host.printError('bourse admin: nothing was done')
    return EXIT_FAILED
  }
  const result = await carryOut(command, request, address(), host)
  host.print(options.has('json') ? JSON.stringify(result, undefined, 2) : command.show(result))
  return EXIT_OK
}

/** Where the node is and what opens its door; looked up only when the request is understood. */
function addressOf(options: Arguments['options'], host: CliHost): () => AdminAddress {
  const data = options.get('data') ?? host.defaultData
  const url = options.get('url') ?? host.url
  const { token } = host
  if (typeof url === 'string') {
    if (token === undefined) throw new UsageError('--url needs a named token in BOURSE_ADMIN_TOKEN')
    return () => ({ url: url.replace(/\/$/, ''), token, pid: undefined })
  }
  return () => {
    if (typeof data !== 'string')
      throw new UsageError('where is the node? Name its data directory with --data DIR')
    const own = readAdminAddress(data)
    return token === undefined ? own : { ...own, token }
  }
}

/** What is dangerous is asked about, unless --yes says that it is meant. */
async function isMeant(
  command: AdminCommand,
  request: Readonly<Record<string, unknown>>,
  options: Arguments['options'],
  host: CliHost,
): Promise<boolean> {
  if (command.confirm === undefined || options.has('yes')) return true
  const question = command.confirm(request)
  if (host.confirm === undefined) throw new UsageError(`${question} Say --yes if you mean it`)
  return host.confirm(question)
}

/** Asks once, or again until all pieces are done, and says on the way how far it is. */
async function carryOut(
  command: AdminCommand,
  request: Readonly<Record<string, unknown>>,
  address: AdminAddress,
  host: CliHost,
): Promise<unknown> {
  const { pieces } = command
  let result: unknown = await askAdmin(address, command.operation, request as never)
  for (let more = pieces?.more(result); more !== undefined; more = pieces?.more(result)) {
    host.printError(more)
    result = pieces?.add(result, await askAdmin(address, command.operation, request as never))
  }
  return result
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
  host: Pick<CliHost, 'userName' | 'token'>,
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

/** Operations that only read have no audit trail and take no actor; a named token says who acts. */
function withAudit(
  { operation }: AdminCommand,
  request: Record<string, unknown>,
  host: Pick<CliHost, 'userName' | 'token'>,
) {
  if (!isReading(operation)) return host.token === undefined ? { actor: host.userName, ...request } : request
  const { note: _note, ...rest } = request
  if (operation === 'audit/list') return rest
  const { actor: _actor, ...plain } = rest
  return plain
}

function isReading(operation: AdminOperation): boolean {
  return operation.endsWith('/list') || operation.endsWith('/show') || operation === 'node/status'
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

/** The text itself, or the value that it names in any letter case. */
function oneOf(where: string, { values }: Field, text: string): string {
  if (values === undefined) return text
  const named = text.toUpperCase().replaceAll('-', '_')
  const value = values.find((one) => one.toUpperCase() === named)
  if (value === undefined) throw new UsageError(`${where} needs one of ${values.join(', ')}, found ${text}`)
  return value
}
