/**
 * `bourse admin`: finds the command, turns its words into a request, sends it to the node and prints the
 * answer.
 */

import type { AdminAddress } from '../../contract/admin/admin.ts'
import { nearest } from '../../units/nearest.ts'
import { printableValue } from '../../units/printable.ts'
import { type Arguments, httpAddress, type OptionForms, parseArguments, UsageError } from '../arguments.ts'
import { type Failure, tellFailure } from '../failure.ts'
import { AdminRefusedError, AdminUnreachableFault, askAdmin, readAdminAddress } from './client.ts'
import { type AdminCommand, OUT_OPTION } from './command.ts'
import { helpOf, overview } from './help.ts'
import { COMMON_FORMS, requestOf } from './request.ts'
import { ADMIN_COMMANDS, SECTIONS } from './sections.ts'
import { passOn } from './text-answer.ts'

/** Functions that the command needs from its process. */
export type CliHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** Writes the text unchanged, without a line feed after it. */
  readonly write: (text: string) => void
  /** Data directory when `--data` is not given. */
  readonly defaultData: string | undefined
  readonly userName: string
  /** A named token of the server, and the server's address, if they do not come from the data directory. */
  readonly token?: string | undefined
  readonly url?: string | undefined
  /** Asks the person at the terminal; undefined if there is no terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
}

/** Exit codes: done, refused or failed, invalid. */
export const EXIT_OK = 0
export const EXIT_FAILED = 1
export const EXIT_USAGE = 2

/** Runs `bourse admin` with the words after `admin`; resolves with the exit code. */
export async function runAdmin(line: readonly string[], host: CliHost): Promise<number> {
  try {
    return await dispatch(line, host)
  } catch (error) {
    const failure = failureOf(error, line)
    if (failure === undefined) throw error
    tellFailure('bourse admin', failure, line, host)
    return failure.help === undefined ? EXIT_FAILED : EXIT_USAGE
  }
}

/** The message about a command that was invalid, refused or not answered; undefined for a bug. */
function failureOf(error: unknown, line: readonly string[]): Failure | undefined {
  const command = commandIn(line)
  if (error instanceof UsageError) {
    const help = command === undefined ? 'bourse admin --help' : `bourse admin ${command.name} --help`
    return { reason: 'NOT_UNDERSTOOD', message: error.message, help }
  }
  if (error instanceof AdminRefusedError) {
    const { reason, message, field } = error.error
    return { reason, message: inWordsOfTheLine(message, field, command), field, showsReason: true }
  }
  return error instanceof AdminUnreachableFault ? { reason: 'NO_ANSWER', message: error.message } : undefined
}

/** The command of a line, without parsing the rest of the line: the first command found in it. */
function commandIn(line: readonly string[]): AdminCommand | undefined {
  const text = ` ${line.join(' ')} `
  const placeOf = ({ name }: AdminCommand) => text.indexOf(` ${name} `)
  return ADMIN_COMMANDS.filter((command) => placeOf(command) >= 0).toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  )[0]
}

/**
 * A refusal of the node has the field of a request; the message must show the option or argument that was
 * typed.
 */
function inWordsOfTheLine(
  message: string,
  field: string | undefined,
  command: AdminCommand | undefined,
): string {
  if (field === undefined || command === undefined || !message.startsWith(`${field}: `)) return message
  // For a list the node appends the index.
  const [list] = field.split('.')
  const option = Object.keys(command.options).find((name) => command.options[name]?.field === list)
  const isPositional = command.positionals.some((positional) => positional.field === list)
  const typed = isPositional ? `<${list}>` : option === undefined ? field : `--${option}`
  return `${typed}${message.slice(field.length)}`
}

async function dispatch(line: readonly string[], host: CliHost): Promise<number> {
  const { words, options } = parseArguments(line, allForms())
  if (options.has('help') || words[0] === 'help') {
    host.print(helpOn(words[0] === 'help' ? words.slice(1) : words))
    return EXIT_OK
  }
  if (words.length === 0) {
    host.printError(overview(SECTIONS))
    return EXIT_USAGE
  }
  const command = findCommand(words)
  const address = addressOf(options, host)
  const request = requestOf(command, { words: words.slice(command.name.split(' ').length), options }, host)
  if (!(await isMeant(command, request, options, host))) {
    host.printError('bourse admin: nothing was done')
    return EXIT_FAILED
  }
  const { show } = command
  if (show === undefined) {
    await passOn(address(), command.operation, request, { file: fileOf(options), write: host.write })
    return EXIT_OK
  }
  const result = await carryOut(command, request, address(), host)
  const isJson = options.has('json')
  host.print(isJson ? JSON.stringify(result, undefined, 2) : show(printableValue(result, command.lines)))
  return EXIT_OK
}

/** The file of `--out`. */
function fileOf(options: Arguments['options']): string | undefined {
  const out = options.get(OUT_OPTION)
  return typeof out === 'string' ? out : undefined
}

/** Help for one command, for all commands with the same first word, or for all. */
function helpOn(words: readonly string[]): string {
  const [noun, verb] = words
  if (noun === undefined) return overview(SECTIONS)
  const group = ADMIN_COMMANDS.filter(({ name }) => name.startsWith(`${noun} `))
  if (verb === undefined && group.length > 0) return overview([{ title: 'Commands', commands: group }])
  return helpOf(findCommand(words))
}

/** The address and the token of the node; determined only once the request is valid. */
function addressOf(options: Arguments['options'], host: CliHost): () => AdminAddress {
  const data = options.get('data') ?? host.defaultData
  const url = options.get('url') ?? host.url
  const { token } = host
  if (typeof url === 'string') {
    if (token === undefined) throw new UsageError('--url needs a named token in BOURSE_ADMIN_TOKEN')
    const { href } = httpAddress(url)
    return () => ({ url: href.replace(/\/$/, ''), token, pid: undefined })
  }
  return () => {
    if (typeof data !== 'string') throw new UsageError('expected the data directory of a node: --data DIR')
    const own = readAdminAddress(data)
    // An unknown named token does not identify the node.
    return token === undefined ? own : { ...own, token, pid: undefined }
  }
}

/** Dangerous commands ask for confirmation, unless --yes is given. */
async function isMeant(
  command: AdminCommand,
  request: Readonly<Record<string, unknown>>,
  options: Arguments['options'],
  host: CliHost,
): Promise<boolean> {
  if (command.confirm === undefined || options.has('yes')) return true
  const question = command.confirm(request)
  if (host.confirm === undefined) throw new UsageError(`${question} Confirm with --yes`)
  return host.confirm(question)
}

/** Sends the request once, or repeatedly until all pieces are done, and reports progress in between. */
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

/**
 * The forms of options: the options of all commands are parsed everywhere; each command then accepts only its
 * own.
 */
export function allForms(): OptionForms {
  const names = ADMIN_COMMANDS.flatMap((command) => Object.keys(command.options))
  const forms = [...names, OUT_OPTION].map((name) => [name, 'value' as const])
  return { ...Object.fromEntries(forms), ...COMMON_FORMS }
}

/** The command whose name is the first words. */
export function findCommand(words: readonly string[]): AdminCommand {
  const [noun = '', verb = ''] = words
  const found = ADMIN_COMMANDS.find(({ name }) => name === noun || name === `${noun} ${verb}`)
  if (found !== undefined) return found
  const verbs = ADMIN_COMMANDS.filter(({ name }) => name.startsWith(`${noun} `)).map(({ name }) => name)
  if (verbs.length > 0) {
    const problem = verb === '' ? `${noun} needs a second word` : `there is no command ${noun} ${verb}`
    throw new UsageError(`${problem}; there are: ${verbs.join(', ')}`)
  }
  const nouns = [...new Set(ADMIN_COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))]
  const near = nearest(noun, nouns)
  const hint = near === undefined ? `there are: ${nouns.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`there is no command ${noun}; ${hint}`)
}
