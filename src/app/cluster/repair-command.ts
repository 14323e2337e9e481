/**
 * Shared parts of the commands that repair a cluster's journal: the conditions for running them, the report,
 * and the claim that completes the change.
 */
import path from 'node:path'
import { UsageError } from '../../cli/arguments.ts'
import { isoTime } from '../../contract/time.ts'
import type { LeaderRow } from '../../engine/leadership/leadership-table.ts'
import {
  type OperatorAct,
  operatorClaimName,
  operatorClaims,
} from '../../engine/leadership/operator-claims.ts'
import { endOf, JournalFault, type Tail } from '../../engine/port/journal.ts'
import { writeWhole } from '../../storage/files/directory.ts'
import { sha256 } from '../../storage/sha256.ts'
import { timeMs } from '../../units/quantities.ts'
import { hex } from '../maintenance/verification/verify.ts'
import type { DatabaseAddress, DatabaseDurability } from '../node/storage/cluster-database.ts'
import { claimNonce, type HeldCluster } from '../node/storage/held-cluster.ts'
import { type ClusterHost, type ClusterRequest, textOf } from './command.ts'
import { databaseOf, readPassword } from './settings.ts'

/** Options of both commands, in addition to their own. */
export const REPAIR_FORMS = {
  'admin-user': 'value',
  'admin-password-file': 'value',
  reason: 'value',
  report: 'value',
  yes: 'flag',
} as const

export const REPAIR_OPTIONS = `  --yes                       make the change; without it, only show what would be done
  --reason TEXT               with --yes: the reason, 1 to 200 characters; the report has all of it, the journal only its beginning
  --admin-user NAME           with --yes: a database role that may change the tables
  --admin-password-file FILE  file with that role's password, readable only by its owner
  --report FILE               with --yes: file of the report [bourse-cluster-COMMAND-TIME.json]
  --config FILE               cluster file
  --json                      print the result as JSON
  --help                      show this help`

const REASON_CHARACTERS_MAX = 200

/** The operator's order, with `--yes`. */
export type RepairOrder = {
  readonly act: OperatorAct
  readonly by: string
  readonly reason: string
  /** The claimant's name in the claim that completes the change. */
  readonly name: string
  readonly administrator: DatabaseAddress
  readonly report: string
}

/** Undefined if only a report of the change is requested. Throws `UsageError`, `SettingsError`. */
export function orderOf(
  { settings, options }: ClusterRequest,
  host: ClusterHost,
  command: string,
  act: OperatorAct,
): RepairOrder | undefined {
  if (!options.has('yes')) return undefined
  const user = textOf(options, 'admin-user')
  if (user === undefined)
    throw new UsageError('expected a database role that may change the tables: --admin-user NAME')
  const reason = textOf(options, 'reason')?.trim() ?? ''
  const characters = [...reason].length
  if (characters < 1 || characters > REASON_CHARACTERS_MAX) {
    const expected = `expected a reason of 1 to ${REASON_CHARACTERS_MAX} characters: --reason TEXT`
    throw new UsageError(`${expected}; found ${characters}`)
  }
  const file = textOf(options, 'admin-password-file')
  const password = file === undefined ? undefined : readPassword(file)
  const time = isoTime(timeMs(host.nowMs())).replaceAll(/[-:]|\.\d+/g, '')
  return {
    ...{ act, reason, by: host.operator, name: operatorClaimName(act, host.operator, reason) },
    administrator: { ...databaseOf(settings), user, password },
    report: path.resolve(textOf(options, 'report') ?? `bourse-cluster-${command}-${time}.json`),
  }
}

/** Throws `IN_USE` if an engine has sent a heartbeat in time. */
export function requireNoLeader({ epoch, name, heardMsAgo }: LeaderRow, silenceMs: number): void {
  if (heardMsAgo === undefined || heardMsAgo >= silenceMs) return
  const found = `${name} leads epoch ${epoch}, last heartbeat ${Math.max(0, Math.round(heardMsAgo))} ms ago`
  throw new JournalFault('IN_USE', `${found}. Stop every engine first`)
}

export type Ending = {
  readonly order: RepairOrder
  /** End of the journal after the repair. */
  readonly tail: Tail
  /** The latest epoch known anywhere, lost or not. */
  readonly epochMax: number
  readonly durability: DatabaseDurability
  /** Goes into the report. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** The outcome of a repair. */
export type Ended = {
  readonly end: Tail
  /**
   * The reason why the change may be less durable than declared; undefined if it is as durable as declared.
   */
  readonly doubt: string | undefined
}

/**
 * Writes the report, stores the claim and commits everything. Throws `JournalFault`; then nothing was
 * changed, unless the connection was lost during the commit.
 */
export async function endRepair(held: HeldCluster, host: ClusterHost, ending: Ending): Promise<Ended> {
  const { order, tail, durability, facts } = ending
  const { name, administrator } = order
  const epochMax = Math.max(ending.epochMax, held.leaderEpoch)
  const claims = operatorClaims({ digest: sha256, tail, epochMax, name, nonce: claimNonce })
  const end = endOf(claims.at(-1) as (typeof claims)[number])
  const write = (state: 'BEGUN' | 'DONE', doubt?: string): void => {
    const at = isoTime(timeMs(host.nowMs()))
    const claim = { position: end.position, epoch: end.epoch, journalHash: hex(end.hash) }
    writeReport(order.report, { state, at, by: order.by, reason: order.reason, ...facts, claim, doubt })
  }
  // Before anything is changed: if the report cannot be written, nothing is changed.
  write('BEGUN')
  await held.claim(claims, name)
  const doubt = await held.commit(durability, administrator.timeoutMs)
  write('DONE', doubt)
  return { end, doubt }
}

/** For the operator, after the change. */
export function sentencesOf({ end, doubt }: Ended, order: RepairOrder): readonly string[] {
  const begun = `Epoch ${end.epoch} begins at position ${end.position}: ${order.name}`
  const wrong =
    doubt === undefined
      ? []
      : [
          `It is not known whether the standbys have this change: ${doubt}. Run bourse cluster check before you start engines.`,
        ]
  return [begun, `The report is in ${order.report}`, ...wrong]
}

function writeReport(file: string, report: object): void {
  const text = `${JSON.stringify(report, undefined, 2)}\n`
  writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
}
