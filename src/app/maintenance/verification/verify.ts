/**
 * `bourse verify`: the whole audit of a data directory, as a report for people or as JSON.
 */

import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { table } from '../../../cli/table.ts'
import { isoTime } from '../../../contract/time.ts'
import { amountSum } from '../../../core/ledger/money.ts'
import { balanceProblem } from '../../../engine/audit/balances.ts'
import { type AuditCheck, Findings } from '../../../engine/audit/findings.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { rememberedSeq, type VerifyReport, verifyStorage } from '../../../engine/audit/verify.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import { printable } from '../../../units/printable.ts'
import { type Amount, NO_AMOUNT } from '../../../units/quantities.ts'
import { openClusterJournal } from '../../node/storage/moving-exchange.ts'
import { NodeJournal } from '../backup/node-journal.ts'
import { type Audited, auditedOf, nothingBesides, openBesides, openStopped } from './data.ts'
import { type AuditCommand, type AuditHost, EXIT_FINDING, EXIT_SOUND } from './host.ts'
import { count, Progress } from './progress.ts'
import { verifyArchives } from './verify-archive.ts'

const HELP = `bourse verify: check everything in a data directory

Usage: bourse verify --data DIR [--json]
       bourse verify --config FILE [--data DIR] [--json]
       bourse verify --archive FILE|DIR [--json]

Reads the journal from its first command and replays it. Checks: checksums and hash chain of the journal; quarantine; witness;
snapshots (complete, and equal to the replayed state); balances (each asset sums to 0, none is negative, locked amounts equal
the holds of open orders); every account's balances against its transfers and trades; trade history against the ledger, trade
by trade; and the audit trail, command by command. Changes nothing.

On a stopped node it reads the files, and no node can start while it runs. On a running node it reads the journal through the
admin server; the node keeps running, and everything that was durable at the start of the check is verified.

With --config it reads the journal of a cluster from its database, with the engine's role and without claiming the journal; a
standby of the database works too. Claims, quarantines and seals are also checked. With --data DIR, an engine's data
directory, its witness, snapshots and history are compared with that journal.

Archived commands are read as part of the journal. --archive checks archive files on their own: the digest of every part, the
hash chain of every batch, and the state at the end of each file by a replay from the end of the file before it.

Options:
  --data DIR     data directory [DATA_DIR; not with --config]
  --archive PATH an archive file, or a directory of them, instead of a data directory
  --config FILE  cluster file
  --json         print the report as one JSON object
  --help         show this help

Exit code: 0 no findings, 1 findings (each is listed), 2 verification could not be completed.`

export const VERIFY: AuditCommand = {
  name: 'verify',
  help: HELP,
  forms: { data: 'value', config: 'value', archive: 'value', json: 'flag' },
  run: async (given, host) => {
    const archive = given.options.get('archive')
    if (typeof archive === 'string') return verifyAlone(archive, given, host)
    const audited = auditedOf(given, host)
    const { report, isRunning } =
      audited.kind === 'CLUSTER'
        ? await verifyCluster(audited, host)
        : await verifyDirectory(audited.directory, host)
    host.print(given.options.has('json') ? jsonOf(report, isRunning) : textOf(report, isRunning))
    return report.findings.total === 0 ? EXIT_SOUND : EXIT_FINDING
  },
}

function verifyAlone(archive: string, { options, words }: Arguments, host: AuditHost): Promise<number> {
  if (options.has('data') || options.has('config') || words[0] !== undefined)
    throw new UsageError('--archive cannot be combined with --data or --config')
  return verifyArchives(archive, options.has('json'), host)
}

export type DirectoryReport = { readonly report: VerifyReport; readonly isRunning: boolean }

/** Audits the data of `directory`. Rejects with the error that prevents reading it. */
export async function verifyDirectory(directory: string, host: AuditHost): Promise<DirectoryReport> {
  const findings = new Findings()
  const reader = openStopped(directory)
  // The witnesses of the journal are read before the journal of a running node, which then contains at least
  // their commands.
  const besides = await openBesides(directory, reader !== undefined, findings)
  const progress = new Progress(host, 'verifying')
  try {
    const source = reader ?? (await NodeJournal.open(directory, rememberedSeq(besides)))
    const parts = { source, findings, factory: EXCHANGE_FACTORY, digest: sha256 }
    const report = await verifyStorage({ ...besides, ...parts, onProgress: progress.at })
    return { report, isRunning: reader === undefined }
  } finally {
    progress.end()
    besides.history?.close()
    await reader?.close()
  }
}

/**
 * Audits the journal of a cluster, with the files beside it in an engine's directory. Rejects as
 * `verifyDirectory` does.
 */
async function verifyCluster(
  { database, directory }: Extract<Audited, { kind: 'CLUSTER' }>,
  host: AuditHost,
): Promise<DirectoryReport> {
  const findings = new Findings()
  const besides =
    directory === undefined ? nothingBesides(findings) : await openBesides(directory, false, findings)
  const progress = new Progress(host, 'verifying')
  let source: JournalSource | undefined
  try {
    source = await openClusterJournal(database, rememberedSeq(besides))
    const parts = { source, findings, factory: EXCHANGE_FACTORY, digest: sha256 }
    const report = await verifyStorage({ ...besides, ...parts, onProgress: progress.at })
    return { report, isRunning: false }
  } finally {
    progress.end()
    besides.history?.close()
    await source?.close()
  }
}

function textOf(report: VerifyReport, isRunning: boolean): string {
  const { findings, tail, replayedSeq, batches, history, machine, own } = report
  const bad = (...checks: AuditCheck[]) => checks.reduce((sum, check) => sum + findings.count(check), 0)
  const verdict = (...checks: AuditCheck[]) => (bad(...checks) === 0 ? 'ok' : `${bad(...checks)} wrong`)
  const snapshots = report.snapshotsConfirmed.map((seq) => count(seq)).join(', ')
  const historyText =
    history === undefined
      ? 'none; the node creates it'
      : `${count(history.trades)} trades up to command ${count(history.seq)}`
  const at = tail.seq === 0 ? '' : `, up to ${isoTime(tail.time)}`
  const rows = [
    [
      'journal',
      verdict('JOURNAL', 'QUARANTINE'),
      `${count(tail.seq)} commands in ${count(batches)} batches${at}`,
    ],
    [
      'witness',
      verdict('WITNESS'),
      report.witnessSeq === undefined ? 'none' : `command ${count(report.witnessSeq)}`,
    ],
    [
      'snapshots',
      verdict('SNAPSHOT'),
      snapshots === '' ? 'none reached by the replay' : `reached at ${snapshots}`,
    ],
    ...(own.claims + own.seals === 0 ? [] : [['leadership', verdict('JOURNAL'), ownText(own)]]),
    ['replay', verdict('REPLAY'), `command ${count(replayedSeq)}, state hash ${hex(report.stateHash)}`],
    [
      'balances',
      verdict('BALANCE'),
      `${report.assets.length} assets, ${machine.bootstrap().accounts.length} accounts`,
    ],
    ['statements', verdict('STATEMENT'), 'every balance against transfers and trades'],
    ['history', verdict('HISTORY'), historyText],
  ]
  const notes = isRunning
    ? ['A node is running: everything that was durable at the start of this check was verified.']
    : []
  for (const { name, position, epoch } of own.mended)
    notes.push(`From position ${count(position)} on, epoch ${epoch}: ${printable(name)}.`)
  if (replayedSeq < tail.seq) notes.push(`Commands after ${count(replayedSeq)} were not replayed.`)
  return [
    table(['CHECK', 'RESULT', 'WHAT'], rows, ''),
    '',
    assetTable(report),
    '',
    ...notes,
    ...verdictOf(findings),
  ].join('\n')
}

function ownText({ claims, epoch, claimant, quarantines, seals, seal }: VerifyReport['own']): string {
  const last = claimant === undefined ? '' : `, the last by ${claimant}`
  const moved = seal === undefined ? '' : `; sealed: ${seal.by} moved it to ${seal.name}`
  return `epoch ${epoch}, ${count(claims)} claims${last}, ${count(quarantines)} quarantines, ${count(seals)} seals${moved}`
}

function assetTable({ assets, machine }: VerifyReport): string {
  const house = houseOf(machine)
  const rows = assets.map((audit) => {
    const { asset, sum, inExchange, negatives, wrongHolds } = audit
    const text = (units: Amount) => fixedDecimal(units, asset.fraction)
    const inHouse = text(house.get(asset.id) ?? NO_AMOUNT)
    const result = balanceProblem(audit) === undefined ? 'ok' : 'wrong'
    return [asset.code, text(sum), text(inExchange), inHouse, String(negatives), String(wrongHolds), result]
  })
  const headings = ['ASSET', 'SUM', 'IN EXCHANGE', 'HOUSE', 'NEGATIVE', 'WRONG HOLDS', 'RESULT']
  return table(headings, rows, 'No asset is listed.')
}

/** Balances of the house's accounts (fees and rounding), by asset. */
function houseOf(machine: VerifyReport['machine']): Map<number, Amount> {
  const units = new Map<number, Amount>()
  for (const { id, role } of machine.bootstrap().accounts) {
    if (role !== 'fees' && role !== 'rounding') continue
    for (const { assetId, free } of machine.balances(id))
      units.set(assetId, amountSum(units.get(assetId) ?? NO_AMOUNT, free))
  }
  return units
}

function verdictOf(findings: Findings): string[] {
  if (findings.total === 0) return ['Sound.']
  const lines = findings.kept.map(({ check, message }) => `${check}: ${printable(message)}`)
  const untold = findings.total - findings.kept.length
  if (untold > 0) lines.push(`and ${count(untold)} more`)
  return [...lines, `Not sound: ${count(findings.total)} ${findings.total === 1 ? 'finding' : 'findings'}.`]
}

function jsonOf(report: VerifyReport, isRunning: boolean): string {
  const { findings, tail, machine } = report
  const house = houseOf(machine)
  const assets = report.assets.map(({ asset, sum, inExchange, negatives, wrongHolds }) => ({
    asset: asset.code,
    sum: fixedDecimal(sum, asset.fraction),
    inExchange: fixedDecimal(inExchange, asset.fraction),
    house: fixedDecimal(house.get(asset.id) ?? NO_AMOUNT, asset.fraction),
    negatives,
    wrongHolds,
  }))
  const result = {
    sound: findings.total === 0,
    running: isRunning,
    seq: tail.seq,
    batches: report.batches,
    time: isoTime(tail.time),
    journalHash: hex(tail.hash),
    replayedSeq: report.replayedSeq,
    stateHash: hex(report.stateHash),
    epoch: report.own.epoch,
    claims: report.own.claims,
    mended: report.own.mended,
    sealedTo: report.own.seal?.name ?? null,
    witnessSeq: report.witnessSeq ?? null,
    snapshots: report.snapshotsConfirmed,
    history: report.history ?? null,
    assets,
    findingsTotal: findings.total,
    findings: findings.kept,
  }
  return JSON.stringify(result, undefined, 2)
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
