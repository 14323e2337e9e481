/** `bourse sandbox reset`: a sandbox back to its start. What it deletes it knows by name, and it keeps the keys unless it is told otherwise. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArguments, UsageError } from '../../cli/arguments.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { storageOf } from '../node/storage/storage.ts'
import { SANDBOX_DEFAULTS } from '../settings/defaults.ts'
import { CREDENTIALS_FILE } from './credentials.ts'
import { DEMO_FILE } from './demo/accounts.ts'
import { SandboxFault } from './seed.ts'

const EXIT_OK = 0

const HELP = `bourse sandbox reset: the sandbox back to its start: no orders, no trades, the first balances

Usage: bourse sandbox reset [options]

The data directory of a sandbox that does not run is emptied; the keys stay as they are, so that a bot finds its accounts
at the next start. A directory that is no sandbox's is refused, and files that are not the exchange's are left alone.

Options:
  --data DIR   data directory [DATA_DIR, default data/sandbox]
  --new-keys   forget the keys too: the next start makes new ones
  --yes        do not ask
  --help       show this help`

/** The files of an exchange (docs/reference/data-directory.md). */
const OWN =
  /^(?:(?:journal|history|webhooks)\.sqlite(?:-wal|-shm|\.damaged.*|\.new)?|journal\.(?:name|pid|witness)|admin\.json|last-backup\.json|master\.key|snapshots|gateways|archive|repair\.tmp|[\w.-]+\.tmp)$/

/** Files that make a directory something else than a sandbox that may be emptied. */
const FOREIGN = ['standby.json', 'promoted.json', 'superseded.json', 'backup.json']

export type ResetHost = {
  readonly print: (text: string) => void
  readonly defaultData: string | undefined
  /** Undefined: nobody sits at a terminal. */
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
  if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
  const directory = String(options.get('data') ?? host.defaultData ?? SANDBOX_DEFAULTS.dataDirectory)
  await requireStoppedSandbox(directory)
  if (!options.has('yes')) {
    const question = `Delete all orders, trades and balances of the sandbox in ${directory}?`
    if (host.confirm === undefined) throw new UsageError('reset needs --yes where nobody can be asked')
    if (!(await host.confirm(question))) throw new SandboxFault('nothing was changed')
  }
  const others = empty(directory, options.has('new-keys'))
  host.print(`The sandbox in ${directory} is at its start again.`)
  if (others.length > 0) host.print(`Left alone, since they are not the exchange's: ${others.join(', ')}`)
  return EXIT_OK
}

async function requireStoppedSandbox(directory: string): Promise<void> {
  if (!existsSync(path.join(directory, CREDENTIALS_FILE)))
    throw new SandboxFault(`${directory} holds no sandbox: expected ${CREDENTIALS_FILE} in it`)
  const foreign = FOREIGN.find((name) => existsSync(path.join(directory, name)))
  if (foreign !== undefined)
    throw new SandboxFault(`${directory} is more than a sandbox: found ${foreign} in it`)
  try {
    const { journal, witness } = storageOf({ ...SANDBOX_DEFAULTS, dataDirectory: directory }).openEngine()
    witness.close()
    await journal.close()
  } catch (cause) {
    // What is damaged may be deleted all the same.
    if (cause instanceof JournalFault && cause.kind === 'IN_USE')
      throw new SandboxFault(`the sandbox in ${directory} runs: stop it first`, { cause })
  }
}

/** Names of what was left there beside the keys. */
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
