/** `bourse rebuild`: rebuilds the trade history from the journal. */
import path from 'node:path'
import { facts } from '../../../cli/table.ts'
import { type Rebuilt, rebuildHistory } from '../../../engine/audit/rebuild.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { HISTORY_FILE, StoredExchange } from '../../node/storage/stored-exchange.ts'
import { dataOf, openStopped } from './data.ts'
import { type AuditCommand, type AuditHost, CannotRunError, EXIT_SOUND } from './host.ts'
import { count, Progress } from './progress.ts'

const HELP = `bourse rebuild: rebuild trade history from the journal

Usage: bourse rebuild --data DIR [--json]

The node must be stopped, and cannot start while this runs. The old history is kept until the new one is complete. A node
also rebuilds its history at start when it is missing, damaged or of another version.

Options:
  --data DIR   data directory [DATA_DIR]
  --json       the result as JSON
  --help       show this help

Exit code: 0 done, 1 the journal is damaged (the old history is kept), 2 the history could not be rebuilt.`

export const REBUILD: AuditCommand = {
  name: 'rebuild',
  help: HELP,
  forms: { data: 'value', json: 'flag' },
  run: async (given, host) => {
    const directory = dataOf(given, host)
    const source = openStopped(directory)
    if (source === undefined) {
      throw new CannotRunError(
        `a node runs on ${directory}: stop it first. A node also rebuilds missing history at its next start`,
      )
    }
    try {
      const { tail, trades } = await rebuild(source, directory, host)
      const result = [
        ['history', path.join(directory, HISTORY_FILE)],
        ['trades', count(trades)],
        ['up to command', count(tail.seq)],
      ] as const
      host.print(
        given.options.has('json') ? JSON.stringify({ seq: tail.seq, trades }, undefined, 2) : facts(result),
      )
      return EXIT_SOUND
    } finally {
      await source.close()
    }
  },
}

async function rebuild(source: JournalSource, directory: string, host: AuditHost): Promise<Rebuilt> {
  const progress = new Progress(host, 'rebuilding')
  const parts = { source, factory: EXCHANGE_FACTORY, digest: sha256, onProgress: progress.at }
  return new StoredExchange(directory).replaceHistory((history) =>
    rebuildHistory({ ...parts, history }).finally(() => progress.end()),
  )
}
