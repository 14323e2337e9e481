/**
 * `bourse sandbox reset`: resets a sandbox to its initial state. It deletes only files with known names, and
 * keeps the keys unless told otherwise.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArguments, refuseExtraWord, UsageError } from '../../cli/arguments.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { storageOf } from '../node/storage/storage.ts'
import { SANDBOX_DEFAULTS } from '../settings/defaults.ts'
import { CREDENTIALS_FILE } from './credentials.ts'
import { DEMO_FILE } from './demo/accounts.ts'
import { SandboxFault } from './seed.ts'

const EXIT_OK = 0

const HELP = `bourse sandbox reset: reset the sandbox to its initial state: no orders, no trades, the initial balances

Usage: bourse sandbox reset [options]

Empties the data directory of a stopped sandbox. The API keys are kept, so that a bot finds its accounts at the next start.
A directory that does not belong to a sandbox is refused, and files that do not belong to the exchange are not touched.

Options:
  --data DIR   data directory [DATA_DIR, default data/sandbox]
  --new-keys   delete the API keys too: the next start creates new ones
  --yes        do not ask for confirmation
  --help       show this help`

/** The files of an exchange (docs/reference/data-directory.md). */
const OWN =
  /^(?:(?:journal|history|webhooks)\.sqlite(?:-wal|-shm|\.damaged.*|\.new)?|journal\.(?:name|pid|witness)|admin\.json|last-backup\.json|master\.key|snapshots|gateways|customers|archive|repair\.tmp|[\w.-]+\.tmp)$/

/** Files whose presence shows that a directory is not a sandbox that may be emptied. */
const FOREIGN = ['standby.json', 'promoted.json', 'superseded.json', 'backup.json']

export type ResetHost = {
  readonly print: (text: string) => void
  readonly defaultData: string | undefined
  /** Undefined if there is no terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

/** Resolves with the exit code. Throws `UsageError`, `SandboxFault`. */
export async function runReset(line: readonly string[], host: ResetHost): Promise<number> {
  const forms = { data: 'value', 'new-keys': 'flag', yes: 'flag', help: 'flag' } as const
  const { words, options } = parseArguments(line, forms)
  if (options.has('help')) {
    host.print(HELP)
    return EXIT_OK
  }
  refuseExtraWord(words[0])
  const directory = String(options.get('data') ?? host.defaultData ?? SANDBOX_DEFAULTS.dataDirectory)
  await requireStoppedSandbox(directory)
  if (!options.has('yes')) {
    const question = `Delete all orders, trades and balances of the sandbox in ${directory}?`
    if (host.confirm === undefined) throw new UsageError('reset needs --yes when there is no terminal')
    if (!(await host.confirm(question))) throw new SandboxFault('nothing was changed')
  }
  const others = empty(directory, options.has('new-keys'))
  host.print(`The sandbox in ${directory} was reset.`)
  if (others.length > 0)
    host.print(`Not deleted, because they do not belong to the exchange: ${others.join(', ')}`)
  return EXIT_OK
}

async function requireStoppedSandbox(directory: string): Promise<void> {
  if (!existsSync(path.join(directory, CREDENTIALS_FILE)))
    throw new SandboxFault(`${directory} does not contain a sandbox: expected ${CREDENTIALS_FILE} in it`)
  const foreign = FOREIGN.find((name) => existsSync(path.join(directory, name)))
  if (foreign !== undefined)
    throw new SandboxFault(`${directory} does not contain only a sandbox: found ${foreign} in it`)
  try {
    const { journal, witness } = storageOf({ ...SANDBOX_DEFAULTS, dataDirectory: directory }).openEngine()
    witness.close()
    await journal.close()
  } catch (cause) {
    // A damaged file may be deleted nevertheless.
    if (cause instanceof JournalFault && cause.kind === 'IN_USE')
      throw new SandboxFault(`the sandbox in ${directory} is running: stop it first`, { cause })
  }
}

/** Names of the files left there beside the keys. */
function empty(directory: string, hasNewKeys: boolean): readonly string[] {
  const keys = [CREDENTIALS_FILE, DEMO_FILE]
  const others: string[] = []
  for (const name of readdirSync(directory)) {
    if (OWN.test(name) || (hasNewKeys && keys.includes(name)))
      rmSync(path.join(directory, name), { recursive: true })
    else if (!keys.includes(name)) others.push(name)
  }
  return others
}
