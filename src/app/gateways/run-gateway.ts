/** `bourse gateway`: a gateway of a cluster, in this process. */
import { type Arguments, parseArguments, refuseExtraWord, UsageError } from '../../cli/arguments.ts'
import type { ProgramVersion } from '../../contract/program-version.ts'
import { loadCluster } from '../cluster/settings.ts'
import { loadBinance } from '../node/serving/binance-port.ts'
import { openLog } from '../process/log.ts'
import { runNode } from '../process/run-node.ts'
import { gatewayOptions } from './gateway-options.ts'
import { GatewayProcess } from './gateway-process.ts'

const EXIT_DONE = 0
const PORT_MAX = 65_535
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

export const GATEWAY_HELP = `bourse gateway: run one gateway of a cluster, which serves clients through the leading engine

Usage: bourse gateway --config FILE --name NAME [--port N]

Connects to the engines in the file, and has no data and no role in the database. While no engine leads, it keeps running:
it serves the last data it received, with the age of that data, refuses everything else with NO_LEADER, and continues with
the next leader. Any number of gateways may run; a gateway that is not in the file uses the file's settings for all gateways.
See docs/cluster.md.

Options:
  --config FILE  cluster file
  --name NAME    name of this gateway: one that the file lists, or one that no process in the file has
  --port N       port to listen on, 0 for any free one [default: the port in the file, or 8080]
  --help         show this help

Signals: SIGTERM and SIGINT stop it; SIGHUP reloads its certificate and the secrets and authorities of the links.

Exit code: 0 stopped, 1 failed, 2 the command line is invalid, 75 start it again: the engines have a journal
other than the one it served.`

const FORMS = { config: 'value', name: 'value', port: 'value', help: 'flag' } as const

export type GatewayHost = {
  readonly print: (text: string) => void
  readonly version: ProgramVersion
  /** Whether standard error is systemd's journal. */
  readonly isJournal: boolean
}

/** Resolves with the exit code. Throws `UsageError`; rejects with the error that ended the start. */
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
    const openBinance = await loadBinance(options.settings.binance.port)
    const gateway = new GatewayProcess({ ...options, version: host.version, log, openBinance })
    host.print(`Health and metrics at ${gateway.monitoringUrl}`)
    void gateway.opened.then(() => host.print(`The gateway is ready at ${gateway.url}`))
    return gateway
  }, log)
}

function requestOf({ words, options }: Arguments) {
  refuseExtraWord(words[0])
  const [file, name, port] = ['config', 'name', 'port'].map((option) => options.get(option))
  if (typeof file !== 'string') throw new UsageError('expected the cluster file: --config FILE')
  if (typeof name !== 'string') throw new UsageError('expected the name of the gateway: --name NAME')
  if (!NAME.test(name))
    throw new UsageError(
      `--name: expected 1 to 63 characters from a-z, 0-9 and -, found ${JSON.stringify(name)}`,
    )
  return { file, name, port: typeof port === 'string' ? portOf(port) : undefined }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= PORT_MAX) return port
  throw new UsageError(`--port: expected a port from 0 to ${PORT_MAX}, found ${JSON.stringify(text)}`)
}
