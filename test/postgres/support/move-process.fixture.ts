/**
 * A process that moves an exchange with the production drivers and kills itself at one of the move's steps.
 * Its arguments: the source, the data directory, the database as JSON, the number of the step. It prints
 * `done` if it completes before that step.
 */

import {
  beginWith,
  type ClusterDatabase,
  openIncomingCluster,
  openIncomingDirectory,
  openLeavingCluster,
  openLeavingDirectory,
} from '../../../src/app/node/storage/moving-exchange.ts'
import { ANY_EXCHANGES } from '../../../src/engine/port/machines.fixture.ts'
import { moveJournal } from '../../../src/engine/standby/move.ts'
import { stepped } from '../../../src/engine/standby/steps.fixture.ts'
import type { JournalHome } from '../../../src/engine/writer/seal.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import { timeMs } from '../../../src/units/quantities.ts'

const [to, directory, database, endAt] = process.argv.slice(2) as [JournalHome, string, string, string]
const cluster = JSON.parse(database) as ClusterDatabase
const leading = { by: 'the test', silenceMs: 0, heartbeatMs: 60_000, isDryRun: false }
let steps = 0
const step = (): void => {
  if (++steps === Number(endAt)) process.kill(process.pid, 'SIGKILL')
}

const source =
  to === 'CLUSTER' ? openLeavingDirectory(directory) : await openLeavingCluster({ ...cluster, ...leading })
const target =
  to === 'CLUSTER' ? await openIncomingCluster(cluster, 'the test') : openIncomingDirectory(directory)
const moved = await moveJournal({
  source: stepped(source, step),
  target: stepped(target, step),
  digest: sha256,
  factory: ANY_EXCHANGES,
  seal: () => ({ to, name: 'there', identity: target.identity, by: 'the test', time: timeMs(Date.now()) }),
  isDestinationLost: false,
  marks: [],
  isDryRun: false,
  beforeFinish: async (snapshot) => {
    step()
    if (to === 'DIRECTORY') await beginWith(directory, snapshot)
    step()
  },
  onProgress: () => {},
  untilTurn: async () => {},
})
await source.close()
await target.close()
console.log(`done ${moved.kind}`)
