/**
 * Command lines of developers' programs: parsing, help, and error messages. Runs on Node and Bun alike; the
 * types are in program.d.mts.
 */
import { parseArgs } from 'node:util'

const EXIT_OK = 0
const EXIT_USAGE = 2
/** 128 plus the number of SIGPIPE: the exit code of a program whose reader closed the pipe. */
const EXIT_UNREAD = 141

/** The command line is invalid. The message is for the person who typed it. */
export class CommandLineError extends Error {
  name = 'CommandLineError'
}

/** The parsed `args`, with the defaults of omitted options. Throws a `CommandLineError`. */
export function parseProgram(program, args) {
  const { options = {}, words } = program
  const forms = Object.entries(options).map(([name, { kind, short }]) => [
    name,
    { type: kind === 'flag' ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) },
  ])
  const { values, positionals } = parsed(args, Object.fromEntries(forms))
  if (words === undefined && positionals.length > 0) {
    throw new CommandLineError(`takes no arguments, found ${positionals.join(' ')}`)
  }
  const read = Object.entries(options).map(([name, option]) => [
    name,
    optionValue(name, option, values[name]),
  ])
  return { values: Object.fromEntries(read), words: positionals }
}

function parsed(args, options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (cause) {
    // The rest of the runtime's message is advice on how to write a positional that looks like an option.
    throw new CommandLineError(cause.message.split(/\. (?:To specify|Did you)/)[0], { cause })
  }
}

function optionValue(name, option, text) {
  if (option.kind === 'flag') return text === true
  if (text === undefined) return option.default
  if (option.kind === 'numbers') return text === '' ? [] : text.split(',').map((one) => numberOf(name, one))
  if (option.kind === 'number') return numberOf(name, text)
  if (option.kind === 'whole') return wholeOf(name, text)
  if (option.among !== undefined && !option.among.includes(text)) {
    throw new CommandLineError(`--${name} must be one of ${option.among.join(', ')}, found ${text}`)
  }
  return text
}

function numberOf(name, text) {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value
  throw new CommandLineError(`--${name} must be a number, at least 0, found ${JSON.stringify(text)}`)
}

function wholeOf(name, text) {
  const value = numberOf(name, text)
  if (Number.isSafeInteger(value)) return value
  throw new CommandLineError(`--${name} must be a whole number, found ${text}`)
}

/** The help: usage, purpose, and options with their defaults. */
export function helpOf({ command, about, words, options = {} }) {
  const rows = Object.entries(options).map(([name, option]) => [formOf(name, option), option])
  rows.push(['--help', { help: 'show this help' }])
  const width = Math.max(...rows.map(([form]) => form.length))
  const lines = rows.map(([form, { help, default: otherwise, among }]) => {
    const oneOf = among === undefined ? '' : `: ${among.join(', ')}`
    const standard = otherwise === undefined ? '' : ` (${String(otherwise) || 'none'})`
    return `  ${form.padEnd(width)}  ${help}${oneOf}${standard}`
  })
  const usage = [command, words, '[options]'].filter((part) => part !== undefined).join(' ')
  return `${about}\n\nUsage: ${usage}\n\nOptions:\n${lines.join('\n')}`
}

function formOf(name, { kind, short }) {
  const value = { flag: '', numbers: ' N,N', number: ' N', whole: ' N', text: ' TEXT' }[kind]
  return `${short === undefined ? '' : `-${short}, `}--${name}${value}`
}

let onUnread = () => process.exit(EXIT_UNREAD)
let watchesReader = false

/**
 * When the reader of standard output, such as `head`, closes it, `end` is called, and the process is not
 * ended at once.
 */
export function whenUnread(end) {
  onUnread = () => end(EXIT_UNREAD)
}

function watchReader() {
  if (watchesReader) return
  watchesReader = true
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
    onUnread()
  })
}

/** `parseProgram` for this process; ends it after showing help or when the command line is invalid. */
export function readProgram(program, args = process.argv.slice(2)) {
  watchReader()
  return orExit(program.command, () => {
    const end = args.indexOf('--')
    const asked = end < 0 ? args : args.slice(0, end)
    if (!asked.includes('--help')) return parseProgram(program, args)
    process.stdout.write(`${helpOf(program)}\n`)
    process.exit(EXIT_OK)
  })
}

/**
 * The result of `read`; a `CommandLineError` from it ends the process with a line that says what is wrong.
 */
export function orExit(command, read) {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error
    notUnderstood(command, error.message)
  }
}

/**
 * Ends the process once its reader has received everything written; `process.exit` alone drops the data that
 * a pipe has not taken yet.
 */
export function endWith(code) {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/** Ends the process because of an error in the command line. */
export function notUnderstood(command, message) {
  process.stderr.write(`${command}: ${message}\nHelp: ${command} --help\n`)
  process.exit(EXIT_USAGE)
}
