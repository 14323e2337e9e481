/** Data directories with every kind of file, as a stop and as a kill leave them. */
import { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hashOfQuarantined } from '../../../src/engine/port/journal.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import type { Seq } from '../../../src/units/quantities.ts'
import { type Credentials, readSandbox, sandbox, signed } from '../../support/bourse-process.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { Trader } from '../../support/random-trader.ts'

/** Contents by the file's name below the directory. */
export type Image = ReadonlyMap<string, Buffer>

/**
 * The files after a stop, with all data in the files themselves, and after a later kill, with the newest data
 * in their logs.
 */
export type Images = { readonly stopped: Image; readonly killed: Image }

/** Writes both images at `directory`, which cannot be used afterwards, each after `requests` requests. */
export async function makeImages(directory: string, requests: number, seed: number): Promise<Images> {
  const random = randomNumbers(seed)
  await trade(directory, requests, random, 'SIGTERM')
  const stopped = readImage(directory)
  await trade(directory, requests, random, 'SIGKILL')
  quarantineLast(directory)
  return { stopped, killed: readImage(directory) }
}

async function trade(
  directory: string,
  requests: number,
  random: () => number,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<void> {
  const node = await sandbox(directory)
  const { baseUrl, accounts } = readSandbox(directory)
  const traders = accounts.map((account) => new Trader(account, random))
  for (let i = 0; i < requests; i++) await traders[i % traders.length]?.act(baseUrl)
  await placeRefused(baseUrl, accounts[0] as Credentials)
  await node.end(signal)
}

/** Writes the image to `directory`, replacing its contents. */
export function writeImage(directory: string, image: Image): void {
  rmSync(directory, { recursive: true, force: true })
  for (const [name, contents] of image) {
    const file = path.join(directory, name)
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, contents, { mode: 0o600 })
  }
}

function readImage(directory: string): Image {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  return new Map(files.sort().map((file) => [path.relative(directory, file), readFileSync(file)]))
}

async function placeRefused(baseUrl: string, account: Credentials): Promise<void> {
  const order = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '1000', price: '50000' }
  const answer = await signed(baseUrl, account, 'POST', 'order', order)
  if (answer.ok) throw new Error('expected a refusal')
}

/**
 * Quarantines the last command, which was refused and so changed nothing: the quarantine has an entry, and
 * the state is the same. Runs in a process of its own that kills itself, so that SQLite leaves its log as a
 * killed node does.
 */
function quarantineLast(directory: string): void {
  const { signalCode, stderr } = Bun.spawnSync([process.execPath, import.meta.path, directory])
  if (signalCode !== 'SIGKILL') throw new Error(`cannot quarantine: ${stderr}`)
  rmSync(path.join(directory, 'journal.sqlite-shm'))
}

if (import.meta.main) {
  const db = new Database(path.join(process.argv[2] ?? '', 'journal.sqlite'), {
    strict: true,
    safeIntegers: true,
  })
  const last = db
    .query<{ seq: bigint; hash: Uint8Array }, []>(
      'SELECT last_seq AS seq, hash FROM batch ORDER BY position DESC',
    )
    .get()
  if (last === null) throw new Error('expected a batch')
  const seq = Number(last.seq) as Seq
  db.run('INSERT INTO quarantine VALUES (?, ?)', [
    seq,
    hashOfQuarantined(sha256, new Uint8Array(last.hash), seq),
  ])
  process.kill(process.pid, 'SIGKILL')
}
