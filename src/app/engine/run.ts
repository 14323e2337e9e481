/** `bourse engine`: one engine of a cluster, until a signal. */
import { parseArguments, UsageError } from '../../cli/arguments.ts'
import type { Logger } from '../../gateway/common/logger.ts'
import { loadCluster } from '../cluster/settings.ts'
import { Taken } from '../node/taken.ts'
import { runNode } from '../process/run-node.ts'
import type { LogLevel } from '../settings/defaults.ts'
import { engineOptions } from './engine-options.ts'
import { EngineProcess } from './engine-process.ts'

const EXIT_DONE = 0

const HELP = `bourse engine: one engine of a cluster

Usage: bourse engine --config FILE --name NAME [--data DIR]

Several engines share the journal in the database. One leads: gateways, operators and the others are linked to it. The others follow it with a state
that is warm, and one of them leads when it is silent. A signal to stop hands the lead over. See docs/cluster.md.

Options:
  --config FILE  the file of the cluster
  --name NAME    which of its engines this is
  --data DIR     its directory, in place of the one that the file names: witness, snapshots and history
  --help         show this help

Exit code: 0 stopped by a signal; 1 it could not start, or its state or the journal cannot be trusted; 75 start it again.`

const FORMS = { config: 'value', name: 'value', data: 'value', help: 'flag' } as const

export type EngineHost = {
  readonly print: (text: string) => void
  readonly version: string
  readonly openLog: (level: LogLevel) => Logger
}

/** Resolves with the exit code. Throws `UsageError`, `SettingsError` and what an engine cannot start by. */
export async function runEngineCommand(line: readonly string[], host: EngineHost): Promise<number> {
  const { words, options } = parseArguments(line, FORMS)
  if (options.has('help')) {
    host.print(HELP)
    return EXIT_DONE
  }
  if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
  const [file, name, data] = ['config', 'name', 'data'].map((option) => options.get(option))
  if (typeof file !== 'string') throw new UsageError('expected the file of the cluster: --config FILE')
  if (typeof name !== 'string') throw new UsageError('expected which engine this is: --name NAME')
  const made = engineOptions(loadCluster(file), name, typeof data === 'string' ? data : undefined)
  const { print, version } = host
  const log = host.openLog(made.settings.logLevel)
  const start = async (): Promise<EngineProcess> => {
    const taken = new Taken(log)
    try {
      const process = new EngineProcess({ ...made, version, log }, taken)
      const { admin, monitoring } = process.urls
      print(`Admin server at ${admin}, health and metrics at ${monitoring}`)
      await process.begin(taken)
      print(`Bourse engine ${name} is ready`)
      return process
    } catch (cause) {
      await taken.releaseAll()
      throw cause
    }
  }
  return runNode(start, log)
}
