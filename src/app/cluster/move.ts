/**
 * `bourse cluster import` and `export`: an exchange moves from a data directory into a cluster's database, or
 * back.
 */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { facts } from '../../cli/table.ts'
import { isoTime } from '../../contract/time.ts'
import type { Witnessed } from '../../engine/audit/chain.ts'
import type { Snapshot } from '../../engine/port/snapshots.ts'
import { EXCHANGE_FACTORY } from '../../engine/port/state-machine.ts'
import { type Moved, type MoveSource, moveJournal } from '../../engine/standby/move.ts'
import type { JournalHome } from '../../engine/writer/seal.ts'
import { sha256 } from '../../storage/sha256.ts'
import { timeMs } from '../../units/quantities.ts'
import { marksIn } from '../maintenance/backup/backup.ts'
import { CannotRunError } from '../maintenance/verification/host.ts'
import { count, Progress } from '../maintenance/verification/progress.ts'
import { hex } from '../maintenance/verification/verify.ts'
import { requireExchange, requireNoExchange, requireOwn } from '../node/exchange-directory.ts'
import { MASTER_KEY_FILE } from '../node/load-master-key.ts'
import {
  beginWith,
  type ClusterDatabase,
  type Destination,
  openIncomingCluster,
  openIncomingDirectory,
  openLeavingCluster,
  openLeavingDirectory,
} from '../node/storage/moving-exchange.ts'
import { JOURNAL_FILE } from '../node/storage/stored-exchange.ts'
import { type ClusterCommand, type ClusterHost, type ClusterRequest, EXIT_DONE, textOf } from './command.ts'
import { databaseOf } from './settings.ts'

const RESUMING = `The command can be run again after any failure, even if its process was killed, and continues where it stopped. Until the
source is sealed, only the source can be started; after that only the destination, once it is complete.`

const OPTIONS = `  --config FILE       cluster file
  --dry-run           check the source and the destination, show what would be done, and change nothing
  --destination-lost  an earlier move went to another destination, which is lost permanently and was never started
  --json              print the result as JSON
  --help              show this help`

const EXIT_CODES = `Exit code: 0 done, now or earlier; 1 the source is damaged or incomplete, or the copy has a different state; 2 the command
line is invalid or the command could not be carried out.`

const IMPORT_HELP = `bourse cluster import: move the exchange of a data directory into a cluster's database

Usage: bourse cluster import DIR --config FILE [--engine-data DIR2] [--dry-run] [--json]

DIR is the data directory of a stopped node. The database must have the tables that bourse cluster init creates, and no
exchange. Every batch is copied unchanged. The copy is read back and replayed, and must reach the same state. Then DIR is
sealed: from then on no node starts on it, and the cluster's engines can start. Keep DIR until the database has been backed up.

${RESUMING}

The master key is not moved: it must be in masterKeyFile on every machine that runs an engine or a gateway.

Options:
  --engine-data DIR2  also create the data directory of a first engine, with a snapshot, to avoid a replay of everything
${OPTIONS}

${EXIT_CODES}`

const EXPORT_HELP = `bourse cluster export: move the exchange of a cluster's database into a new data directory

Usage: bourse cluster export DIR --config FILE [--dry-run] [--json]

The cluster's engines must be stopped; the journal is claimed, so that none of them can lead during the move. If an engine
leads nevertheless, the seal is refused and the exchange stays in the cluster. Every batch is copied into DIR, which must be
new or empty. The copy is read back and replayed, and must reach the same state. Then the journal in the database is sealed:
from then on no engine can lead, and bourse serve starts on DIR.

${RESUMING}

The master key is not moved: copy it to DIR/${MASTER_KEY_FILE} (mode 600).

Options:
${OPTIONS}

${EXIT_CODES}`

const FORMS = { 'dry-run': 'flag', 'destination-lost': 'flag' } as const

export const IMPORT: ClusterCommand = {
  name: 'import',
  help: IMPORT_HELP,
  forms: { ...FORMS, 'engine-data': 'value' },
  words: ['the data directory to move: bourse cluster import DIR'],
  run: runImport,
}

export const EXPORT: ClusterCommand = {
  name: 'export',
  help: EXPORT_HELP,
  forms: FORMS,
  words: ['the data directory to create: bourse cluster export DIR'],
  run: runExport,
}

async function runImport(request: ClusterRequest, host: ClusterHost): Promise<number> {
  const { settings, options, words } = request
  const directory = path.resolve(words[0] as string)
  const engineData = textOf(options, 'engine-data')
  requireExchange(directory)
  requireOwn(directory)
  if (engineData !== undefined) requireNoJournal(engineData)
  const database = clusterOf(request)
  const source = openLeavingDirectory(directory)
  try {
    const marks = await marksIn(directory)
    const target = await openIncomingCluster(database, host.operator)
    const name = nameOf(database)
    const beforeFinish = async (snapshot: Snapshot) => {
      if (engineData !== undefined) await beginWith(engineData, snapshot)
    }
    const ends = { to: 'CLUSTER', name, source, target, marks, beforeFinish } as const
    const moved = await move(request, host, ends).finally(() => target.close())
    const next = [
      `${directory} is sealed: no node can start on it. Keep it until the database has been backed up.`,
      `Next: copy the master key (${path.join(directory, MASTER_KEY_FILE)}, or BOURSE_MASTER_KEY) to ${settings.masterKeyFile ?? 'masterKeyFile of the cluster file'} on every`,
      `machine that runs an engine or a gateway. Then run bourse engine --config ${settings.file} --name NAME, and bourse cluster status.`,
    ]
    tell(request, host, moved, { from: directory, to: name, next })
    return EXIT_DONE
  } finally {
    await source.close()
  }
}

async function runExport(request: ClusterRequest, host: ClusterHost): Promise<number> {
  const { settings, options, words } = request
  const directory = path.resolve(words[0] as string)
  if (!existsSync(path.join(directory, JOURNAL_FILE))) requireNoExchange(directory)
  const database = clusterOf(request)
  const target = openIncomingDirectory(directory)
  try {
    const { silenceMs, heartbeatMs } = settings.leadership
    const isDryRun = options.has('dry-run')
    const by = `export by ${host.operator}`
    const source = await openLeavingCluster({ ...database, by, silenceMs, heartbeatMs, isDryRun })
    try {
      const name = `${hostname()}:${directory}`
      const beforeFinish = (snapshot: Snapshot) => beginWith(directory, snapshot)
      const moved = await move(request, host, {
        to: 'DIRECTORY',
        name,
        source,
        target,
        marks: [],
        beforeFinish,
      })
      const next = [
        `The journal in ${nameOf(database)} is sealed: no engine can lead. Keep it until ${directory} is backed up.`,
        `Next: put the master key in ${path.join(directory, MASTER_KEY_FILE)} (mode 600), or in BOURSE_MASTER_KEY. Then run`,
        `bourse serve --data ${directory}.`,
      ]
      tell(request, host, moved, { from: nameOf(database), to: directory, next })
      return EXIT_DONE
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}

type Ends = {
  readonly to: JournalHome
  /** The destination, for people. */
  readonly name: string
  readonly source: MoveSource
  readonly target: Destination
  readonly marks: readonly Witnessed[]
  readonly beforeFinish: (snapshot: Snapshot) => Promise<void>
}

async function move({ options }: ClusterRequest, host: ClusterHost, ends: Ends): Promise<Moved> {
  const { to, name, source, target, marks, beforeFinish } = ends
  const seal = { to, name, identity: target.identity, by: host.operator }
  const auditor = { ...host, defaultData: undefined }
  const progress = {
    COPY: new Progress(auditor, 'copying'),
    VERIFY: new Progress(auditor, 'verifying the copy'),
  }
  try {
    return await moveJournal({
      ...{ source, target, marks, beforeFinish },
      digest: sha256,
      factory: EXCHANGE_FACTORY,
      seal: () => ({ ...seal, time: timeMs(host.nowMs()) }),
      isDestinationLost: options.has('destination-lost'),
      isDryRun: options.has('dry-run'),
      onProgress: ({ step, ...at }) => progress[step].at(at),
      untilTurn: () => new Promise((resolve) => setImmediate(resolve)),
    })
  } finally {
    for (const one of Object.values(progress)) one.end()
  }
}

type Story = { readonly from: string; readonly to: string; readonly next: readonly string[] }

function tell({ options }: ClusterRequest, host: ClusterHost, moved: Moved, { from, to, next }: Story): void {
  const { kind, tail, copied, isResumed, snapshot } = moved
  const stateHash = snapshot === undefined ? undefined : hex(snapshot.stateHash)
  if (options.has('json')) {
    const { position, epoch, seq } = tail
    const end = { position, epoch, seq, time: isoTime(tail.time), journalHash: hex(tail.hash) }
    const result = {
      result: kind,
      from,
      to,
      ...end,
      batchesCopied: copied,
      resumed: isResumed,
      stateHash,
      next,
    }
    host.print(JSON.stringify(result, undefined, 2))
    return
  }
  const rows: [string, string][] = [
    ['from', from],
    ['to', to],
    ['up to command', `${count(tail.seq)}, ${isoTime(tail.time)}`],
    [
      'batches',
      `${count(copied)} ${WORDS[kind]}${isResumed && kind !== 'MOVED_BEFORE' ? ', after those of an earlier run' : ''}`,
    ],
  ]
  if (stateHash !== undefined) rows.push(['state hash', stateHash])
  host.print(facts(rows))
  host.print(['', ...(kind === 'DRY_RUN' ? [DRY_RUN_END] : next)].join('\n'))
}

const WORDS: Readonly<Record<Moved['kind'], string>> = {
  MOVED: 'copied, read back and replayed to the same state, then sealed',
  MOVED_BEFORE: 'nothing to copy: everything was already there, including the seal',
  DRY_RUN: 'would be copied, and a seal would be written',
}

const DRY_RUN_END = 'Nothing was changed: run it without --dry-run to move the exchange.'

function clusterOf({ settings }: ClusterRequest): ClusterDatabase {
  return { database: databaseOf(settings), durability: settings.durability }
}

function nameOf({ database: { host, port, database } }: ClusterDatabase): string {
  return `${host}:${port}/${database}`
}

function requireNoJournal(directory: string): void {
  if (!existsSync(path.join(directory, JOURNAL_FILE))) return
  throw new CannotRunError(
    `--engine-data ${directory} contains an exchange of its own: choose another directory`,
  )
}
