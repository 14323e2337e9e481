/** `bourse sandbox clients`: prints the lines that connect clients of Binance to a sandbox. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArguments, refuseExtraWord, UsageError } from '../../cli/arguments.ts'
import { SANDBOX_DEFAULTS } from '../settings/defaults.ts'
import { BINANCE_CLIENTS, type ClientLines } from './binance-lines.ts'
import { CREDENTIALS_FILE, readBinanceCredentials } from './credentials.ts'
import { SandboxFault } from './seed.ts'

const EXIT_OK = 0
const NAMES = BINANCE_CLIENTS.map(({ name }) => name)

const HELP = `bourse sandbox clients: print the lines that connect clients of Binance's spot interface to the sandbox

Usage: bourse sandbox clients [NAME] [options]

Prints JavaScript for each client; with NAME, only that client's lines and nothing else. Install the client with npm, then
paste the lines into node, or begin a program with them: bourse sandbox clients ccxt > bot.cjs
The lines read the address and the keys from sandbox.json, so that they work after every start.

Clients: ${NAMES.join(', ')}

Options:
  --data DIR   data directory [DATA_DIR, default data/sandbox]
  --help       show this help`

export type ClientsHost = {
  readonly print: (text: string) => void
  readonly defaultData: string | undefined
}

/** Returns the exit code. Throws `UsageError`, `SandboxFault`, `SettingsError`. */
export function runClients(line: readonly string[], { print, defaultData }: ClientsHost): number {
  const { words, options } = parseArguments(line, { data: 'value', help: 'flag' } as const)
  if (options.has('help')) {
    print(HELP)
    return EXIT_OK
  }
  const [name, ...others] = words
  refuseExtraWord(others[0])
  const client = BINANCE_CLIENTS.find((each) => each.name === name)
  if (name !== undefined && client === undefined)
    throw new UsageError(`clients: expected ${NAMES.join(', ')}, found ${JSON.stringify(name)}`)
  const file = fileOf(String(options.get('data') ?? defaultData ?? SANDBOX_DEFAULTS.dataDirectory))
  print(client === undefined ? allText(file) : client.lines(file).join('\n'))
  return EXIT_OK
}

function fileOf(directory: string): string {
  const file = path.resolve(directory, CREDENTIALS_FILE)
  if (!existsSync(file))
    throw new SandboxFault(`${directory} does not contain a sandbox: expected ${CREDENTIALS_FILE} in it`)
  if (readBinanceCredentials(directory).length === 0)
    throw new SandboxFault(
      `${file} has no keys for clients of Binance: start the sandbox once to create them`,
    )
  return file
}

function allText(file: string): string {
  const head = [
    "The lines connect clients of Binance's spot interface to this sandbox: only addresses and keys are set.",
    'Install the client, then paste its lines into node, or begin a program with them.',
  ]
  return [...head, ...BINANCE_CLIENTS.map((client) => clientText(client, file))].join('\n')
}

function clientText({ name, lines }: ClientLines, file: string): string {
  return ['', `${name} (npm install ${name}):`, '', ...lines(file)].join('\n')
}
