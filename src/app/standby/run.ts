/**
 * `bourse standby`: a copy of a node that follows its journal, until a signal; and `bourse standby promote`,
 * which turns it into a node.
 */
import { parseArguments, refuseExtraWord, UsageError } from '../../cli/arguments.ts'
import { PEER_NAME_LENGTH_MAX } from '../../transport/link/protocol/greeting.ts'
import { Taken } from '../node/taken.ts'
import { runNode } from '../process/run-node.ts'
import { SERVE_DEFAULTS } from '../settings/defaults.ts'
import { loadSettings, OPTION_FORMS } from '../settings/load.ts'
import { PROMOTE_HELP, STANDBY_HELP } from './help.ts'
import type { StandbyHost } from './host.ts'
import { promote } from './promote.ts'
import { nodeName } from './replication/node-name.ts'
import { addressOf, secretsOf } from './replication/places.ts'
import { StandbyProcess } from './standby-process.ts'

const EXIT_DONE = 0

/** Options of a standby that are not settings of a node. */
const OWN_FORMS = { from: 'value', name: 'value' } as const
const PROMOTE_FORMS = { 'yes-the-old-node-is-off': 'flag', 'no-serve': 'flag' } as const
/** Options that are only valid for a node. */
const NODE_ONLY = ['init', 'accept-journal-tail', 'accept-clock'] as const

/**
 * Runs a standby; resolves with the exit code. Throws `UsageError`, `SettingsError` and the errors that
 * prevent a standby from starting.
 */
export async function runStandbyCommand(line: readonly string[], host: StandbyHost): Promise<number> {
  if (line[0] === 'promote') return runPromote(line.slice(1), host)
  if (line.includes('--help') || line.includes('-h')) return helped(host, STANDBY_HELP)
  const { words, options } = parseArguments(line, { ...OPTION_FORMS, ...OWN_FORMS })
  refuseExtraWord(words[0])
  const from = options.get('from')
  if (typeof from !== 'string') throw new UsageError('expected the address of the node: --from URL')
  const asked = NODE_ONLY.find((name) => options.has(name))
  if (asked !== undefined)
    throw new UsageError(`--${asked} is only for a node: a standby has the content of its node`)
  const name = String(options.get('name') ?? nodeName())
  if (name === '' || name.length > PEER_NAME_LENGTH_MAX)
    throw new UsageError(`--name: expected 1 to ${PEER_NAME_LENGTH_MAX} characters, found ${name.length}`)
  const settings = loadSettings(without(line, OWN_FORMS), host.environment, SERVE_DEFAULTS)
  // Before anything is acquired: a wrong address or secret is then reported at once.
  addressOf(from, settings.replication)
  secretsOf(settings.replication)
  const log = host.openLog(settings.logLevel)
  return runNode(async () => {
    const taken = new Taken(log)
    try {
      const process = new StandbyProcess({ settings, from, name, version: host.version, log }, taken)
      host.print(`Health and metrics at ${process.monitoringUrl}`)
      await process.begin(taken)
      host.print(`Bourse standby follows ${from}`)
      return process
    } catch (cause) {
      await taken.releaseAll()
      throw cause
    }
  }, log)
}

async function runPromote(line: readonly string[], host: StandbyHost): Promise<number> {
  if (line.includes('--help') || line.includes('-h')) return helped(host, PROMOTE_HELP)
  const { options } = parseArguments(line, { ...OPTION_FORMS, ...PROMOTE_FORMS })
  const asked = NODE_ONLY.find((name) => name !== 'accept-clock' && options.has(name))
  if (asked !== undefined) throw new UsageError(`--${asked} cannot be used when a standby is promoted`)
  const settings = loadSettings(without(line, PROMOTE_FORMS), host.environment, SERVE_DEFAULTS)
  return promote(
    { settings, isConfirmed: options.has('yes-the-old-node-is-off'), isServed: !options.has('no-serve') },
    host,
  )
}

function helped({ print }: StandbyHost, text: string): number {
  print(text)
  return EXIT_DONE
}

/** The command line without these options and their values. */
function without(line: readonly string[], forms: Readonly<Record<string, 'flag' | 'value'>>): string[] {
  const kept: string[] = []
  for (let i = 0; i < line.length; i++) {
    const item = line[i] as string
    const [name = ''] = item.startsWith('--') ? item.slice(2).split('=') : []
    if (!Object.hasOwn(forms, name)) kept.push(item)
    else if (forms[name] === 'value' && !item.includes('=')) i++
  }
  return kept
}
