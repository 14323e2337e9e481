/**
 * Settings from the configuration file, then the environment, then the command line; the later wins. An
 * unknown or wrong setting stops the start, and the message names the place.
 */
import { readFileSync } from 'node:fs'
import { type OptionForms, parseArguments, refuseExtraWord } from '../../cli/arguments.ts'
import { nearest } from '../../units/nearest.ts'
import type { Defaults, Settings } from './defaults.ts'
import { type SettingValue, textOf } from './kinds.ts'
import { JsonFault, type Located, parseLocatedJson, plainValue } from './located-json.ts'
import { build, flatten, PREFIX, RELATIONS, SETTINGS, type Setting, type Values } from './schema.ts'

/** The settings are invalid. The message names the place and the expected form. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  /** Everything that was found wrong; the error's message is the first problem. */
  readonly problems: readonly string[]

  constructor(message: string, options?: ErrorOptions, problems: readonly string[] = [message]) {
    super(message, options)
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A value and where it was set; undefined if it is the default. */
export type Origin = { readonly value: SettingValue; readonly place: string | undefined }

export type LoadedSettings = {
  readonly settings: Settings
  /** By name, in the order of `SETTINGS`; without settings that are not set and have no default. */
  readonly origins: ReadonlyMap<string, Origin>
}

const CONFIG = { option: 'config', variable: 'BOURSE_CONFIG' } as const
const ACCEPT_TAIL = 'accept-journal-tail'
const ACCEPT_CLOCK = 'accept-clock'
const INIT = 'init'

export const OPTION_FORMS: OptionForms = {
  ...Object.fromEntries(
    SETTINGS.flatMap(({ option }) => (option === undefined ? [] : [[option, 'value' as const]])),
  ),
  [CONFIG.option]: 'value',
  [ACCEPT_TAIL]: 'flag',
  [ACCEPT_CLOCK]: 'flag',
  [INIT]: 'flag',
  help: 'flag',
}

/** Every variable that is set. */
export const VARIABLES: readonly string[] = [CONFIG.variable, ...SETTINGS.map(({ variable }) => variable)]

/**
 * Reads all three sources over `defaults`. Throws `SettingsError`, or `UsageError` for the form of the
 * command line.
 */
export function loadSettings(
  line: readonly string[],
  environment: Environment,
  defaults: Defaults,
): Settings {
  return loadWithOrigins(line, environment, defaults).settings
}

/** Like `loadSettings`, with the source of each value. */
export function loadWithOrigins(
  line: readonly string[],
  environment: Environment,
  defaults: Defaults,
): LoadedSettings {
  const { words, options } = parseArguments(line, OPTION_FORMS)
  refuseExtraWord(words[0])
  const problems = unknownVariables(environment)
  const path = options.get(CONFIG.option) ?? environment[CONFIG.variable]
  const file = typeof path === 'string' && path !== '' ? readFile(path, problems) : new Map<string, Said>()
  const defaultValues = flatten(defaults)
  const origins = new Map<string, Origin>()
  for (const setting of SETTINGS) {
    const said = spoken(setting, options, environment) ?? file.get(setting.name)
    const value = said === undefined ? defaultValues.get(setting.name) : setting.kind.check(said.value)
    if (value !== undefined) origins.set(setting.name, { value, place: said?.place })
    else if (said !== undefined) problems.push(problemOf(setting, said))
  }
  if (problems.length === 0) problems.push(...contradictionsOf(origins))
  if (!origins.has('dataDirectory')) {
    problems.push('expected a data directory: set it with --data DIR or DATA_DIR in the environment')
  }
  if (problems[0] !== undefined) throw new SettingsError(problems[0], undefined, problems)
  const values: Values = new Map([...origins].map(([name, { value }]) => [name, value]))
  const accepted = {
    isInit: options.has(INIT),
    acceptJournalTail: options.has(ACCEPT_TAIL),
    acceptClock: options.has(ACCEPT_CLOCK),
  }
  return { settings: build(values, accepted), origins }
}

/**
 * A given value in its form in the file, and its place: `--port`, `PORT in the environment`, `a.json:3:
 * port`.
 */
export type Said = { readonly value: unknown; readonly place: string }

/** The value on the command line, else in the environment. An empty variable counts as not set. */
function spoken(
  { kind, option, variable }: Setting,
  options: ReadonlyMap<string, string | true>,
  environment: Environment,
): Said | undefined {
  const given = option === undefined ? undefined : options.get(option)
  if (typeof given === 'string') return { value: kind.parse(given), place: `--${option}` }
  const text = environment[variable]
  return text ? { value: kind.parse(text), place: `${variable} in the environment` } : undefined
}

/** The problem of a value that does not have its setting's form. */
export function problemOf(setting: Setting, said: Said): string {
  return `${said.place}: expected ${setting.kind.expected}${found(setting, said)}`
}

function found({ isSecret }: Setting, { value }: Said): string {
  return isSecret ? '' : `, found ${oneLine(JSON.stringify(value) ?? 'nothing')}`
}

function unknownVariables(environment: Environment): string[] {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !VARIABLES.includes(name),
  )
  return unknown.map((name) => {
    const near = nearest(name, VARIABLES)
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    return `${oneLine(name)} in the environment is not a setting${hint} (bourse config show lists all)`
  })
}

/**
 * The values in the file, by setting, with a problem for each unknown name. Throws `SettingsError` for a file
 * that cannot be read.
 */
function readFile(path: string, problems: string[]): Map<string, Said> {
  let content: Located
  try {
    content = parseLocatedJson(readFileSync(path, 'utf8'))
  } catch (cause) {
    if (cause instanceof JsonFault) {
      const message = `${path}:${cause.line}: cannot be read as JSON: ${oneLine(cause.message)}`
      throw new SettingsError(message, { cause })
    }
    throw new SettingsError(`${path}: ${unreadable(cause)}`, { cause })
  }
  if (content.kind === 'object') return collectSettings(path, content, problems)
  problems.push(`${path}:${content.line}: the top level: expected an object`)
  return new Map()
}

function unreadable(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'expected a file, found a directory'
  if (code === 'EACCES') return 'this user may not read it'
  return `cannot be read: ${oneLine(cause instanceof Error ? cause.message : String(cause))}`
}

type LocatedObject = Extract<Located, { kind: 'object' }>

/**
 * The values in an object of the file at `path`, by setting, with a problem for each unknown name. `section`:
 * path of the object in the file, with a dot at the end.
 */
export function collectSettings(
  path: string,
  content: LocatedObject,
  problems: string[],
  section = '',
): Map<string, Said> {
  const said = new Map<string, Said>()
  collect({ path, section, said, problems }, content, '')
  return said
}

type Collection = {
  readonly path: string
  readonly section: string
  readonly said: Map<string, Said>
  readonly problems: string[]
}

/** `prefix`: '' at the top, then `http.`. */
function collect(collection: Collection, { members }: LocatedObject, prefix: string): void {
  const { path, section, said, problems } = collection
  for (const [member, { line, value }] of members) {
    const name = prefix + member
    const place = `${path}:${line}: ${oneLine(section + name)}`
    const setting = SETTINGS.find((each) => each.name === name)
    const isGroup = SETTINGS.some((each) => each.name.startsWith(`${name}.`))
    if (setting?.isSecret)
      problems.push(`${place}: secrets are not allowed in the file: set ${setting.variable}`)
    else if (setting !== undefined) said.set(name, { value: plainValue(value), place })
    else if (isGroup && value.kind === 'object') collect(collection, value, `${name}.`)
    else if (isGroup) problems.push(`${place}: expected an object`)
    else problems.push(`${place}: there is no such setting${suggestion(name)}`)
  }
}

function suggestion(name: string): string {
  const near = nearest(
    name,
    SETTINGS.map((setting) => setting.name),
  )
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** Rules between values that are valid individually. */
export function contradictionsOf(origins: ReadonlyMap<string, Origin>): string[] {
  return RELATIONS.flatMap(({ name, other, must, holds }) => {
    const [one, two] = [origins.get(name), origins.get(other)]
    if (holds(one?.value, two?.value)) return []
    // The message names the place where the value was set.
    const said = one?.place ?? two?.place ?? 'the defaults'
    return [`${said}: ${name} (${shown(one)}) must ${must} ${other} (${shown(two)})`]
  })
}

function shown(origin: Origin | undefined): string {
  return origin === undefined ? 'not set' : textOf(origin.value)
}

/** A name in the file may contain any text; it is kept on one line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
