/**
 * Settings from the configuration file, then the environment, then the command line; the later wins. Whatever is
 * unknown or wrong stops the start, and the message names the place.
 */
import { readFileSync } from 'node:fs'
import { type OptionForms, parseArguments, UsageError } from '../../cli/arguments.ts'
import { type FileSettings, fileSchema } from './schema.ts'
import { type Defaults, LOG_LEVELS, type Settings } from './settings.ts'

/** The settings do not make sense. The message names the place and what was expected there. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

export type Environment = Readonly<Record<string, string | undefined>>

export const OPTION_FORMS: OptionForms = {
  data: 'value',
  port: 'value',
  host: 'value',
  limits: 'value',
  config: 'value',
  'admin-port': 'value',
  'log-level': 'value',
  'accept-journal-tail': 'flag',
  help: 'flag',
}

/** Environment variable of each option; a variable with our prefix that is none of these is an error. */
const VARIABLES = {
  data: 'DATA_DIR',
  port: 'PORT',
  host: 'BOURSE_HOST',
  limits: 'BOURSE_LIMITS',
  config: 'BOURSE_CONFIG',
  'admin-port': 'BOURSE_ADMIN_PORT',
  'log-level': 'BOURSE_LOG_LEVEL',
} as const
const MASTER_KEY_VARIABLE = 'BOURSE_MASTER_KEY'
const PREFIX = 'BOURSE_'

type Option = keyof typeof VARIABLES

/** Something said, and where: `--port`, or `PORT in the environment`. */
type Said = { readonly text: string; readonly place: string }

/** Reads all three sources over `defaults`. Throws `SettingsError`, or `UsageError` for the form of the command line. */
export function loadSettings(
  line: readonly string[],
  environment: Environment,
  defaults: Defaults,
): Settings {
  const { words, options } = parseArguments(line, OPTION_FORMS)
  if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
  refuseUnknownVariables(environment)
  const said = (option: Option): Said | undefined => {
    const given = options.get(option)
    if (typeof given === 'string') return { text: given, place: `--${option}` }
    const variable = VARIABLES[option]
    const value = environment[variable]
    return value ? { text: value, place: `${variable} in the environment` } : undefined
  }
  const file = readFile(said('config')?.text, defaults)
  const dataDirectory = said('data')?.text ?? file.dataDirectory ?? defaults.dataDirectory
  if (dataDirectory === undefined || dataDirectory === '') {
    throw new SettingsError(
      'expected a data directory: name it with --data DIR or DATA_DIR in the environment',
    )
  }
  const limits = { ...defaults.gateway.limits, ...given(file.limits ?? {}) }
  const isLimited = onOff(said('limits')) ?? limits.isEnabled
  const { trustedProxies, bodyBytesMax, bodyTimeoutMs, headerBytesMax, ...sockets } = file.http ?? {}
  const doors = { trustedProxies, bodyBytesMax, bodyTimeoutMs, headerBytesMax }
  return {
    dataDirectory,
    server: {
      ...defaults.server,
      ...given(sockets),
      hostname: said('host')?.text ?? file.host ?? defaults.server.hostname,
      port: portOf(said('port')) ?? file.port ?? defaults.server.port,
    },
    adminPort: portOf(said('admin-port')) ?? file.adminPort ?? defaults.adminPort,
    logLevel: oneOf(LOG_LEVELS, said('log-level')) ?? file.logLevel ?? defaults.logLevel,
    acceptJournalTail: options.has('accept-journal-tail'),
    masterKey: environment[MASTER_KEY_VARIABLE] || defaults.masterKey,
    gateway: { ...defaults.gateway, ...given(doors), limits: { ...limits, isEnabled: isLimited } },
    stream: { ...defaults.stream, ...given(file.stream ?? {}) },
    engine: { ...defaults.engine, ...given(file.engine ?? {}) },
    follower: { ...defaults.follower, ...given(file.follower ?? {}) },
  }
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

/** Only what was said: an absent setting must not stand in the way of its default. */
function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<Values>
}

function refuseUnknownVariables(environment: Environment): void {
  const known: readonly string[] = [...Object.values(VARIABLES), MASTER_KEY_VARIABLE]
  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !known.includes(name)) {
      const ours = known.filter((variable) => variable.startsWith(PREFIX)).join(', ')
      throw new SettingsError(`${name} in the environment is no setting; there are ${ours}`)
    }
  }
}

function readFile(path: string | undefined, defaults: Defaults): FileSettings {
  if (path === undefined) return {}
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${path}: cannot be read as JSON: ${oneLine(problem)}`, { cause })
  }
  const result = fileSchema(defaults).safeParse(content)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const at = issue?.path.join('.') || 'the top level'
  throw new SettingsError(`${path}: ${oneLine(`${at}: ${issue?.message ?? 'is not understood'}`)}`)
}

/** A name in the file may hold anything; what is told of it stays on one line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}

function portOf(said: Said | undefined): number | undefined {
  if (said === undefined) return undefined
  const port = /^\d{1,5}$/.test(said.text) ? Number(said.text) : Number.NaN
  if (port <= 65_535) return port
  throw new SettingsError(`${said.place}: expected a port from 0 to 65535, found ${said.text}`)
}

function onOff(said: Said | undefined): boolean | undefined {
  const word = oneOf(['on', 'off'] as const, said)
  return word === undefined ? undefined : word === 'on'
}

function oneOf<Word extends string>(words: readonly Word[], said: Said | undefined): Word | undefined {
  if (said === undefined) return undefined
  const word = words.find((candidate) => candidate === said.text)
  if (word !== undefined) return word
  throw new SettingsError(`${said.place}: expected one of ${words.join(', ')}, found ${said.text}`)
}
