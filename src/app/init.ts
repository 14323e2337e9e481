/** `bourse init`: a new, empty exchange in a data directory, for a service that starts without `--init`. */
import { requireNoExchange } from './node/exchange-directory.ts'
import { storageOf } from './node/storage/storage.ts'
import { SERVE_DEFAULTS } from './settings/defaults.ts'
import { type Environment, loadSettings } from './settings/load.ts'

const INIT_HELP = `bourse init: create a new, empty exchange in a data directory

Usage: bourse init --data DIR
       bourse init --config FILE

Creates the directory if it does not exist, and an empty journal in it; then start it with bourse serve. Run it as the user
that runs the node. It refuses a directory that contains an exchange or parts of one. Takes all options of bourse serve.

Options:
  --data DIR   data directory [DATA_DIR]
  --help       show this help`

export type InitHost = { readonly print: (text: string) => void; readonly environment: Environment }

/** Throws `SettingsError`, `UsageError`, `DataDirectoryFault` and `JournalFault`. */
export async function runInit(line: readonly string[], { print, environment }: InitHost): Promise<number> {
  if (line.includes('--help') || line.includes('-h')) {
    print(INIT_HELP)
    return 0
  }
  const { dataDirectory } = loadSettings(line, environment, SERVE_DEFAULTS)
  requireNoExchange(dataDirectory)
  const { journal, witness } = storageOf({ dataDirectory }).openEngine()
  witness.close()
  await journal.close()
  print(`${dataDirectory} contains a new, empty exchange: start it with bourse serve`)
  return 0
}
