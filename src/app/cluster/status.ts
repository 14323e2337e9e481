/**
 * `bourse cluster status`: the leader, the end of the journal and the position of each process, for people
 * and for programs.
 */
import { facts, table } from '../../cli/table.ts'
import { isoTime } from '../../contract/time.ts'
import { RECEIVING_EPOCH } from '../../engine/leadership/leadership-table.ts'
import { isElsewhere, sealedBy } from '../../engine/writer/seal.ts'
import { timeMs } from '../../units/quantities.ts'
import { count } from '../maintenance/verification/progress.ts'
import { hex } from '../maintenance/verification/verify.ts'
import { askStatus, type DatabaseStatus, wordsOf } from '../node/storage/cluster-database.ts'
import {
  type ClusterCommand,
  type ClusterHost,
  type ClusterRequest,
  EXIT_DONE,
  EXIT_FINDING,
} from './command.ts'
import { askEngine, askReady, type EngineStatus, type ReadyStatus } from './engine-status.ts'
import { jsonOfIdentity } from './prepare.ts'
import { customersIn } from './relations.ts'
import { databaseOf } from './settings.ts'

const HELP = `bourse cluster status: show which engine leads, since when, and the position of every engine

Usage: bourse cluster status --config FILE [--json]

Reads the database with the engine's role, and queries every engine and every customers process for which the file has a
monitoring address. It makes no claim and changes nothing. It also works on a standby of the database, and then shows the
standby's state.

Options:
  --config FILE  cluster file
  --json         print the result as JSON
  --help         show this help

Exit code: 0 an engine leads and has renewed its lead in time; 1 no engine leads, or none can: the journal is sealed, or an
exchange is being moved into it; 2 the command line is invalid, or the database did not answer.`

export const STATUS: ClusterCommand = { name: 'status', help: HELP, forms: {}, words: [], run: status }

/** The leadership of the journal. */
export const LEADS = ['LED', 'SILENT', 'RESIGNED', 'UNCLAIMED', 'RECEIVING', 'SEALED'] as const
export type LeadState = (typeof LEADS)[number]

type Status = {
  readonly database: DatabaseStatus
  readonly lead: LeadState
  readonly engines: readonly EngineStatus[]
  /** The customers processes. */
  readonly customers: readonly ReadyStatus[]
}

async function status({ settings, options }: ClusterRequest, host: ClusterHost): Promise<number> {
  const database = await askStatus(databaseOf(settings))
  const lead = leadOf(database, settings.leadership.silenceMs)
  const [engines, customers] = await Promise.all([
    Promise.all(settings.engines.map(askEngine)),
    Promise.all(customersIn(settings).map(askReady)),
  ])
  const found = { database, lead, engines, customers }
  host.print(options.has('json') ? jsonOf(found) : textOf(found))
  return lead === 'LED' ? EXIT_DONE : EXIT_FINDING
}

function leadOf({ epoch, heardMsAgo, last }: DatabaseStatus, silenceMs: number): LeadState {
  if (epoch === RECEIVING_EPOCH) return 'RECEIVING'
  if (last !== undefined && isElsewhere(last, 'CLUSTER')) return 'SEALED'
  // After a journal is moved here, its seal is the last batch until the first claim.
  if (epoch === 0 || last?.kind === 'SEAL') return 'UNCLAIMED'
  if (heardMsAgo === undefined) return 'RESIGNED'
  return heardMsAgo < silenceMs ? 'LED' : 'SILENT'
}

type Led = Pick<DatabaseStatus, 'epoch' | 'leader' | 'heardMsAgo' | 'last'>

/** Each sentence has its row in docs/cluster-operations.md#reading-check-and-status. */
export function leadSentence(lead: LeadState, { epoch, leader, heardMsAgo, last }: Led): string {
  switch (lead) {
    case 'LED':
      return `${leader}, in epoch ${epoch}, last heartbeat ${count(heardMsAgo ?? 0)} ms ago`
    case 'SILENT':
      return `none: ${leader} led epoch ${epoch}, last heartbeat ${count(heardMsAgo ?? 0)} ms ago`
    case 'RESIGNED':
      return `none: ${leader} has given up epoch ${epoch}`
    case 'UNCLAIMED':
      return 'none yet: no engine has claimed this journal'
    case 'RECEIVING':
      return `none can lead: ${leader} is moving an exchange into this journal, or a move was interrupted`
    case 'SEALED':
      return last === undefined ? 'none can lead' : `none can lead: ${sealedBy(last).message}`
  }
}

/** The time since which the leader has led; undefined if it cannot be determined. */
function sinceOf({ lead, engines, database }: Status): string | undefined {
  const leader = engines.find(({ name, isLeader }) => isLeader === true && name === database.leader)
  if (lead !== 'LED' || leader?.leaderSince === undefined) return undefined
  return isoTime(timeMs(Math.round(leader.leaderSince * 1_000)))
}

function textOf(found: Status): string {
  const { database, engines } = found
  const { tail, own, identity, isStandby, standbys } = database
  const claims = own.filter(({ kind }) => kind === 'CLAIM')
  const last = claims.at(-1)
  const since = sinceOf(found)
  const rows: (readonly [string, string])[] = [['leads', leadSentence(found.lead, database)]]
  if (since !== undefined) rows.push(['since', since])
  if (last !== undefined)
    rows.push(['last claim', `position ${count(last.position)}, ${count(claims.length)} in all`])
  rows.push([
    'journal',
    `position ${count(tail.position)}, command ${count(tail.seq)}, ${isoTime(tail.time)}`,
  ])
  rows.push(['hash', hex(tail.hash)])
  if (identity !== undefined) rows.push(['database', wordsOf(identity)])
  const parts = [facts(rows)]
  if (isStandby) parts.push('This database is a standby: its own state is shown.')
  const behind = (bytes: number) => `${count(bytes)} bytes`
  const standbyRows = standbys.map((one) => [one.name, one.state, one.syncState, behind(one.behindBytes)])
  parts.push(table(['STANDBY', 'STATE', 'SYNC', 'BEHIND'], standbyRows, 'The database has no standbys.'))
  if (engines.length > 0) parts.push(engineTable(found))
  if (found.customers.length > 0) parts.push(customersTable(found))
  return parts.join('\n\n')
}

function engineTable({ engines }: Status): string {
  const behindByName = new Map(engines.flatMap((engine) => [...engine.behindByName]))
  const rows = engines.map((engine) => {
    const { name, isReachable, isLeader, epoch } = engine
    const state = isReachable === undefined ? 'no monitoring address' : isReachable ? 'answers' : 'no answer'
    const role = isLeader === undefined ? '-' : isLeader ? 'leads' : 'follows'
    const behind = behindByName.get(name)
    return [
      name,
      state,
      role,
      epoch === undefined ? '-' : count(epoch),
      behind === undefined ? '-' : `${count(behind)} commands`,
    ]
  })
  return table(['ENGINE', 'STATE', 'ROLE', 'EPOCH', 'BEHIND'], rows, '')
}

function customersTable({ customers }: Status): string {
  const rows = customers.map(({ name, isReachable, isReady }) => [
    name,
    isReachable === undefined ? 'no monitoring address' : isReachable ? 'answers' : 'no answer',
    isReady === undefined ? '-' : isReady ? 'yes' : 'no',
  ])
  return table(['CUSTOMERS', 'STATE', 'READY'], rows, '')
}

function jsonOf(found: Status): string {
  const { database, lead, engines, customers } = found
  const { epoch, leader, heardMsAgo, tail, own, identity, isStandby, standbys } = database
  const result = {
    lead,
    leader: leader === '' ? null : leader,
    epoch,
    heardMsAgo: heardMsAgo ?? null,
    since: sinceOf(found) ?? null,
    claims: own.filter(({ kind }) => kind === 'CLAIM').length,
    quarantines: own.filter(({ kind }) => kind === 'QUARANTINE').length,
    position: tail.position,
    seq: tail.seq,
    time: isoTime(tail.time),
    journalHash: hex(tail.hash),
    ...jsonOfIdentity(identity),
    databaseIsStandby: isStandby,
    standbys,
    engines: engines.map(({ behindByName, ...engine }) => ({
      ...engine,
      behindCommands: Object.fromEntries(behindByName),
    })),
    customers,
  }
  return JSON.stringify(result, undefined, 2)
}
