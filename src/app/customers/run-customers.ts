/** `bourse customers`: one process for customers of a cluster, until a signal. */
import { setPriority } from 'node:os'
import { parseArguments, refuseExtraWord, UsageError } from '../../cli/arguments.ts'
import { removeDeadSocket } from '../../transport/link/serving/dead-socket.ts'
import type { EngineHost } from '../cluster/engine/run.ts'
import { loadCluster } from '../cluster/settings.ts'
import { Taken } from '../node/taken.ts'
import { runNode } from '../process/run-node.ts'
import { customersOptions } from './cluster-options.ts'
import { ClusterCustomers } from './cluster-process.ts'
import { NICE } from './customers-child.ts'
import { INIT_HELP, initCustomers } from './init-customers.ts'

const EXIT_DONE = 0

export const CUSTOMERS_HELP = `bourse customers: run one process for the customers of a cluster

Usage: bourse customers --config FILE --name NAME [--data DIR]
       bourse customers init ...   create the tables in the databases of the file; see bourse customers init --help

Gateways pass sign-ups, sign-ins and everything else under /account on to this process. It stores the customers' data, and
changes the exchange through the leading engine, where it can change only accounts that customers have opened. Several may run
on one store in PostgreSQL; while none runs, trading continues, and /account answers 503. See docs/customers-operations.md.

Options:
  --config FILE  cluster file
  --name NAME    name of this process in that file
  --data DIR     directory of the customers' data, instead of the one in the file; only without databases
  --help         show this help

Signals: SIGTERM and SIGINT stop it; SIGHUP reloads its certificate and the secrets.

Exit code: 0 stopped by a signal; 1 it could not start, or it failed; 2 the command line is invalid.`

const INIT_FORMS = {
  config: 'value',
  'admin-user': 'value',
  'admin-password-file': 'value',
  help: 'flag',
} as const
const FORMS = { config: 'value', name: 'value', data: 'value', help: 'flag' } as const

/** Resolves with the exit code. Throws `UsageError`, `SettingsError`, and errors of the start. */
export async function runCustomers(line: readonly string[], host: EngineHost): Promise<number> {
  const [word, ...rest] = line
  if (word === 'init') return init(rest, host)
  const { words, options } = parseArguments(line, FORMS)
  if (options.has('help')) {
    host.print(CUSTOMERS_HELP)
    return EXIT_DONE
  }
  refuseExtraWord(words[0])
  const [file, name, data] = ['config', 'name', 'data'].map((option) => options.get(option))
  if (typeof file !== 'string') throw new UsageError('expected the cluster file: --config FILE')
  if (typeof name !== 'string') throw new UsageError('expected the name of this process: --name NAME')
  const made = customersOptions(loadCluster(file), name, typeof data === 'string' ? data : undefined)
  const log = host.openLog(made.settings.logLevel)
  setPriority(NICE)
  return runNode(async () => {
    const taken = new Taken(log)
    try {
      await removeDeadSocket(made.terms.current.listen)
      const process = new ClusterCustomers({ ...made, version: host.version, log }, taken)
      host.print(`Health and metrics at ${process.monitoringUrl}`)
      void process.opened.then(() => host.print(`Bourse customers ${made.name} is ready`))
      return process
    } catch (cause) {
      await taken.releaseAll()
      throw cause
    }
  }, log)
}

async function init(line: readonly string[], { print }: EngineHost): Promise<number> {
  const given = parseArguments(line, INIT_FORMS)
  refuseExtraWord(given.words[0])
  if (given.options.has('help')) print(INIT_HELP)
  else await initCustomers(given, print)
  return EXIT_DONE
}
