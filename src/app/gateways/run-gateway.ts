/** `bourse gateway`: a gateway of a cluster, in this process. */
import { type Arguments, parseArguments, UsageError } from '../../cli/arguments.ts'
import type { ProgramVersion } from '../../wire/program-version.ts'
import { loadCluster } from '../cluster/settings.ts'
import { openLog } from '../process/log.ts'
import { runNode } from '../process/run-node.ts'
import { gatewayOptions } from './gateway-options.ts'
import { GatewayProcess } from './gateway-process.ts'

const EXIT_DONE = 0
const PORT_MAX = 65_535
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

export const GATEWAY_HELP = `bourse gateway: a gateway of a cluster, which serves clients before whichever engine leads

Usage: bourse gateway --config FILE --name NAME [--port N]

It has links to the engines of the file, and no data and no role in the database. When the engine that leads is lost it stays: it shows
what it has seen last, and how old that is, refuses the rest with NO_LEADER, and goes on with the engine that leads next. Any number of gateways
may run; one that the file does not name has the settings that the file has for all. See docs/cluster.md.

Options:
  --config FILE  the file of the cluster
  --name NAME    its own: one of the file's gateways, or another one that no engine and no historian has
  --port N       port to listen on, 0 for any free one [default: the file's, or 8080]
  --help         show this help

Signals: SIGTERM and SIGINT stop it, SIGHUP has its certificate, and secrets and authorities of links, read again. Exit code: 0 stopped, 1
failed, 2 not understood, 75 to be started again: the engines have another journal than the one that it served.`

const FORMS = { config: 'value', name: 'value', port: 'value', help: 'flag' } as const

export type GatewayHost = {
  readonly print: (text: string) => void
  readonly version: ProgramVersion
  /** Standard error is systemd's journal. */
  readonly isJournal: boolean
}

/** Resolves with the exit code. Throws `UsageError`; rejects with what ended the start. */
export async function runGateway(line: readonly string[], host: GatewayHost): Promise<number> {
  const given = parseArguments(line, FORMS)
  if (given.options.has('help')) {
    host.print(GATEWAY_HELP)
    return EXIT_DONE
  }
  const { file, name, port } = requestOf(given)
  const options = gatewayOptions(loadCluster(file), name, port)
  const log = openLog(options.settings.logLevel, host.isJournal)
  return runNode(async () => {
    const gateway = new GatewayProcess({ ...options, version: host.version, log })
    host.print(`Health and metrics at ${gateway.monitoringUrl}`)
    void gateway.opened.then(() => host.print(`The gateway is ready at ${gateway.url}`))
    return gateway
  }, log)
}

function requestOf({ words, options }: Arguments) {
  if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
  const [file, name, port] = ['config', 'name', 'port'].map((option) => options.get(option))
  if (typeof file !== 'string') throw new UsageError('expected the file of the cluster: --config FILE')
  if (typeof name !== 'string') throw new UsageError('expected the name of the gateway: --name NAME')
  if (!NAME.test(name))
    throw new UsageError(`--name: expected 1 to 63 of a-z, 0-9 and -, found ${JSON.stringify(name)}`)
  return { file, name, port: typeof port === 'string' ? portOf(port) : undefined }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= PORT_MAX) return port
  throw new UsageError(`--port: expected a port from 0 to ${PORT_MAX}, found ${JSON.stringify(text)}`)
}
