/** `bourse config`: what a node would be given, where each value comes from, and whether it makes sense. */
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

const CONFIG_HELP = `bourse config: what a node would be given, and where each value comes from

Usage: bourse config check [--sandbox] [--json] [options of bourse serve]
       bourse config show [--sandbox] [--json] [options of bourse serve]

  check      says everything that is wrong, each with its place: file and line, variable, or option.
             Reads the certificate and its key too. Exit code: 0 all is well, 1 something is wrong
  show       lists every setting with its value and where it comes from; secrets are masked

Options:
  --sandbox  with the defaults of bourse sandbox instead of those of bourse serve
  --json     the list, or what is wrong, as JSON
  --help     show this help

Every setting can be given in the file, in the environment and as an option, of which the later wins. The option and
the variable of a setting follow from its name: http.bodyBytesMax, BOURSE_HTTP_BODY_BYTES_MAX, --http-body-bytes-max.

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
    if (isCheck) host.print(options.has('json') ? problemsAsJson([]) : 'The configuration makes sense.')
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
