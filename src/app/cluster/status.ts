/** `bourse cluster status`: who leads, where the journal ends, and how far everybody is, for people and for programs. */
import { facts, table } from '../../cli/table.ts'
import { RECEIVING_EPOCH } from '../../engine/leadership/leadership-table.ts'
import { isElsewhere, sealedBy } from '../../engine/writer/seal.ts'
import { timeMs } from '../../units/quantities.ts'
import { isoTime } from '../../wire/time.ts'
import { count } from '../maintenance/audit/progress.ts'
import { hex } from '../maintenance/audit/verify.ts'
import { askStanding, type DatabaseStanding, wordsOf } from '../node/storage/cluster-database.ts'
import {
  type ClusterCommand,
  type ClusterHost,
  type ClusterRequest,
  EXIT_DONE,
  EXIT_FINDING,
} from './command.ts'
import { askEngine, type EngineStanding } from './engine-standing.ts'
import { jsonOfIdentity } from './prepare.ts'
import { databaseOf } from './settings.ts'

const HELP = `bourse cluster status: who leads, since when, and how far everybody is

Usage: bourse cluster status --config FILE [--json]

Asks the database, as the engine's role, and the monitoring address of every engine that the file names one for. It claims
nothing and changes nothing; a standby of the database serves too, and shows what it has.

Options:
  --config FILE  the file of the cluster
  --json         the result for programs
  --help         show this help

Exit code: 0 somebody leads and was heard of in time; 1 nobody does, or nobody can: the journal is sealed, or an exchange is
being moved into it; 2 not understood, or the database could not be asked.`

export const STATUS: ClusterCommand = { name: 'status', help: HELP, forms: {}, words: [], run: status }

/** How the journal is led. */
type Lead = 'LED' | 'SILENT' | 'RESIGNED' | 'UNCLAIMED' | 'RECEIVING' | 'SEALED'

type Status = {
  readonly standing: DatabaseStanding
  readonly lead: Lead
  readonly engines: readonly EngineStanding[]
}

async function status({ settings, options }: ClusterRequest, host: ClusterHost): Promise<number> {
  const standing = await askStanding(databaseOf(settings))
  const lead = leadOf(standing, settings.leadership.silenceMs)
  const engines = await Promise.all((settings.engines ?? []).map(askEngine))
  const found = { standing, lead, engines }
  host.print(options.has('json') ? jsonOf(found) : textOf(found))
  return lead === 'LED' ? EXIT_DONE : EXIT_FINDING
}

function leadOf({ epoch, heardMsAgo, last }: DatabaseStanding, silenceMs: number): Lead {
  if (epoch === RECEIVING_EPOCH) return 'RECEIVING'
  if (last !== undefined && isElsewhere(last, 'CLUSTER')) return 'SEALED'
  // A seal that leads here waits for the first claim.
  if (epoch === 0 || last?.kind === 'SEAL') return 'UNCLAIMED'
  if (heardMsAgo === undefined) return 'RESIGNED'
  return heardMsAgo < silenceMs ? 'LED' : 'SILENT'
}

function sentenceOf({ lead, standing }: Status): string {
  const { epoch, leader, heardMsAgo, last } = standing
  switch (lead) {
    case 'LED':
      return `${leader}, in epoch ${epoch}, heard of ${heardMsAgo} ms ago`
    case 'SILENT':
      return `nobody: ${leader} led epoch ${epoch} and was heard of ${count(heardMsAgo ?? 0)} ms ago`
    case 'RESIGNED':
      return `nobody: ${leader} has ended epoch ${epoch} by itself`
    case 'UNCLAIMED':
      return 'nobody yet: no engine has claimed this journal'
    case 'RECEIVING':
      return `nobody can: ${leader} moves an exchange into this journal, or a move was cut short`
    case 'SEALED':
      return last === undefined ? 'nobody can' : `nobody can: ${sealedBy(last).message}`
  }
}

/** Since when the leader leads, as far as it can be asked; undefined: not known. */
function sinceOf({ lead, engines, standing }: Status): string | undefined {
  const leader = engines.find(({ name, isLeader }) => isLeader === true && name === standing.leader)
  if (lead !== 'LED' || leader?.leaderSince === undefined) return undefined
  return isoTime(timeMs(Math.round(leader.leaderSince * 1_000)))
}

function textOf(found: Status): string {
  const { standing, engines } = found
  const { tail, own, identity, isStandby, standbys } = standing
  const claims = own.filter(({ kind }) => kind === 'CLAIM')
  const last = claims.at(-1)
  const since = sinceOf(found)
  const rows: (readonly [string, string])[] = [['leads', sentenceOf(found)]]
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
  if (isStandby) parts.push('The database asked is a standby: this is what it has.')
  const behind = (bytes: number) => `${count(bytes)} bytes`
  const standbyRows = standbys.map((one) => [one.name, one.state, one.syncState, behind(one.behindBytes)])
  parts.push(table(['STANDBY', 'STATE', 'SYNC', 'BEHIND'], standbyRows, 'No standby follows the database.'))
  if (engines.length > 0) parts.push(engineTable(found))
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

function jsonOf(found: Status): string {
  const { standing, lead, engines } = found
  const { epoch, leader, heardMsAgo, tail, own, identity, isStandby, standbys } = standing
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
  }
  return JSON.stringify(result, undefined, 2)
}
