/** `bourse config`: the settings of a node, the source of each value, and whether they are consistent. */
import { parseArguments, UsageError } from '../cli/arguments.ts'
import { table } from '../cli/table.ts'
import { readTls } from './node/serving/tls.ts'
import { SANDBOX_DEFAULTS, SERVE_DEFAULTS } from './settings/defaults.ts'
import { type SettingValue, textOf } from './settings/kinds.ts'
import {
  type Environment,
  loadWithOrigins,
  OPTION_FORMS,
  type Origin,
  SettingsError,
} from './settings/load.ts'
import { SETTINGS, type Setting } from './settings/schema.ts'

export type ConfigHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  readonly environment: Environment
}

const EXIT_SOUND = 0
const EXIT_WRONG = 1

const DEFAULT = 'default'
const MASKED = '(set)'

const CONFIG_HELP = `bourse config: check the settings of a node, or list them with their sources

Usage: bourse config check [--sandbox] [--json] [options of bourse serve]
       bourse config show [--sandbox] [--json] [options of bourse serve]

  check      report every error with its location: file and line, variable, or option.
             Also reads the certificate and its key. Exit code: 0 no errors, 1 errors
  show       list every setting with its value and source; secrets are masked

Options:
  --sandbox  use the defaults of bourse sandbox instead of those of bourse serve
  --json     print the list or the errors as JSON
  --help     show this help

Every setting can be given in the file, as an environment variable and as an option; a variable overrides the file, and an
option overrides both. Both names follow from the setting's name: http.bodyBytesMax, BOURSE_HTTP_BODY_BYTES_MAX,
--http-body-bytes-max.

Examples:
  bourse config check --config /etc/bourse/bourse.json
  bourse config show --data /var/lib/bourse --port 8443`

/** Runs `bourse config` with the words after `config`; resolves with the exit code. */
export function runConfig(line: readonly string[], host: ConfigHost): number {
  const { words, options } = parseArguments(line, { ...OPTION_FORMS, sandbox: 'flag', json: 'flag' })
  if (options.has('help')) {
    host.print(CONFIG_HELP)
    return EXIT_SOUND
  }
  const [verb, ...more] = words
  if ((verb !== 'check' && verb !== 'show') || more.length > 0) {
    throw new UsageError('config needs one word: check or show')
  }
  const settingsLine = [...options].flatMap(([name, value]) =>
    name === 'sandbox' || name === 'json' ? [] : [value === true ? `--${name}` : `--${name}=${value}`],
  )
  const defaults = options.has('sandbox') ? SANDBOX_DEFAULTS : SERVE_DEFAULTS
  try {
    const { origins, settings } = loadWithOrigins(settingsLine, host.environment, defaults)
    if (settings.tls !== undefined) readTls(settings.tls)
    const isCheck = verb === 'check'
    if (isCheck) host.print(options.has('json') ? problemsAsJson([]) : 'The configuration is valid.')
    else host.print(options.has('json') ? asJson(origins) : asTable(origins))
    return EXIT_SOUND
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    for (const problem of error.problems) host.printError(problem)
    if (options.has('json')) host.print(problemsAsJson(error.problems))
    return EXIT_WRONG
  }
}

function problemsAsJson(problems: readonly string[]): string {
  return JSON.stringify({ problems }, undefined, 2)
}

function asTable(origins: ReadonlyMap<string, Origin>): string {
  const rows = SETTINGS.map((setting) => {
    const origin = origins.get(setting.name)
    const value = origin === undefined ? '-' : String(masked(setting, textOf(origin.value)))
    return [setting.name, value, origin?.place ?? DEFAULT]
  })
  return table(['SETTING', 'VALUE', 'FROM'], rows, '')
}

function asJson(origins: ReadonlyMap<string, Origin>): string {
  const list = SETTINGS.map((setting) => {
    const origin = origins.get(setting.name)
    return {
      name: setting.name,
      value: origin === undefined ? null : masked(setting, origin.value),
      from: origin?.place ?? DEFAULT,
      variable: setting.variable,
      option: setting.option === undefined ? null : `--${setting.option}`,
    }
  })
  return JSON.stringify(list, undefined, 2)
}

function masked({ isSecret }: Setting, value: SettingValue): SettingValue {
  return isSecret ? MASKED : value
}
