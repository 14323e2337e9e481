/** What the commands that mend a cluster's journal share: who may and when, what is written down of it, and the claim that ends the change. */
import path from 'node:path'
import { UsageError } from '../../cli/arguments.ts'
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
import { isoTime } from '../../wire/time.ts'
import { hex } from '../maintenance/audit/verify.ts'
import type { DatabaseAddress, DatabaseDurability } from '../node/storage/cluster-database.ts'
import { claimNonce, type HeldCluster } from '../node/storage/mending-cluster.ts'
import { type ClusterHost, type ClusterRequest, textOf } from './command.ts'
import { databaseOf, readPassword } from './settings.ts'

/** Of both commands, beside their own. */
export const MENDING_FORMS = {
  'admin-user': 'value',
  'admin-password-file': 'value',
  reason: 'value',
  report: 'value',
  yes: 'flag',
} as const

export const MENDING_OPTIONS = `  --yes                       do it; without it only what would be done is shown
  --reason TEXT               why, with --yes: 1 to 200 characters. The journal keeps the beginning of it, the report all
  --admin-user NAME           with --yes: a role that may change the tables
  --admin-password-file FILE  its password, in a file that nobody else may read
  --report FILE               with --yes: where the report goes [bourse-cluster-COMMAND-TIME.json]
  --config FILE               the file of the cluster
  --json                      the result for programs
  --help                      show this help`

const REASON_CHARACTERS_MAX = 200

/** What an operator has ordered, with `--yes`. */
export type MendingOrder = {
  readonly act: OperatorAct
  readonly by: string
  readonly reason: string
  /** The claimant's name of the claim that ends the change. */
  readonly name: string
  readonly administrator: DatabaseAddress
  readonly report: string
}

/** Undefined: only what would be done is asked. Throws `UsageError`, `SettingsError`. */
export function orderOf(
  { settings, options }: ClusterRequest,
  host: ClusterHost,
  command: string,
  act: OperatorAct,
): MendingOrder | undefined {
  if (!options.has('yes')) return undefined
  const user = textOf(options, 'admin-user')
  if (user === undefined)
    throw new UsageError('expected a role that may change the tables: --admin-user NAME')
  const reason = textOf(options, 'reason')?.trim() ?? ''
  const characters = [...reason].length
  if (characters < 1 || characters > REASON_CHARACTERS_MAX) {
    const expected = `expected why it is done in 1 to ${REASON_CHARACTERS_MAX} characters: --reason TEXT`
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

/** Throws `IN_USE` where somebody was heard of. */
export function requireNobodyLeads({ epoch, name, heardMsAgo }: LeaderRow, silenceMs: number): void {
  if (heardMsAgo === undefined || heardMsAgo >= silenceMs) return
  const found = `${name} leads epoch ${epoch} and was heard of ${Math.max(0, Math.round(heardMsAgo))} ms ago`
  throw new JournalFault('IN_USE', `${found}. Stop every engine first`)
}

export type Ending = {
  readonly order: MendingOrder
  /** Where the journal ends when it is mended. */
  readonly tail: Tail
  /** The latest epoch that anybody knows of, lost or not. */
  readonly epochMax: number
  readonly durability: DatabaseDurability
  /** Goes into the report. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** How it has ended. */
export type Ended = {
  readonly end: Tail
  /** Why it is not known to be as durable as declared; undefined: it is. */
  readonly doubt: string | undefined
}

/** Writes the report, stores the claim and commits all of it. Throws `JournalFault`; then nothing was changed, unless the connection was lost in the very commit. */
export async function endMending(held: HeldCluster, host: ClusterHost, ending: Ending): Promise<Ended> {
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
  // Before anything is changed: what cannot be written down is not done.
  write('BEGUN')
  await held.claim(claims, name)
  const doubt = await held.commit(durability, administrator.timeoutMs)
  write('DONE', doubt)
  return { end, doubt }
}

/** For the operator, after the change. */
export function sentencesOf({ end, doubt }: Ended, order: MendingOrder): readonly string[] {
  const begun = `Epoch ${end.epoch} begins at position ${end.position}: ${order.name}`
  const wrong =
    doubt === undefined
      ? []
      : [
          `Whether the standbys have it is not known: ${doubt}. Look at bourse cluster check before engines start.`,
        ]
  return [begun, `Written down in ${order.report}`, ...wrong]
}

function writeReport(file: string, report: object): void {
  const text = `${JSON.stringify(report, undefined, 2)}\n`
  writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
}
