/**
 * The customers' part of a backup. The store comes first, then the journal: a restored store may be older
 * than the journal, never newer. The keys that unseal it are kept elsewhere, for 30 days at most: after that
 * no copy reveals anything about an erased person.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { KEYS_FILE } from '../../../customers/store/key-file.ts'
import { STORE_FILE } from '../../../customers/store/schema.ts'
import { StoreFault } from '../../../customers/store/sql.ts'
import {
  checkKeys,
  checkStore,
  copyKeys,
  copyStore,
  hasStore,
} from '../../../customers/store/store-copies.ts'
import { CannotRunError } from '../verification/host.ts'
import type { BackupManifest } from './backup-manifest.ts'

/** In a data directory and in a backup. */
const CUSTOMERS_DIRECTORY = 'customers'
/** Copies of the keys are removed when they are older. */
export const KEYS_KEPT_MS = 30 * 24 * 3_600_000
const KEYS_NAME = /^customers-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.keys$/

type OfCustomers = NonNullable<BackupManifest['customers']>

/** A copy of the store that is not part of a backup yet. */
export type PendingCopy = OfCustomers & {
  /** Puts the copy into the finished backup. */
  readonly place: () => void
  readonly drop: () => void
}

/** Undefined if the directory has no customers. Throws `CannotRunError`. */
export function beginCustomersCopy(dataDirectory: string, to: string): PendingCopy | undefined {
  const directory = path.join(dataDirectory, CUSTOMERS_DIRECTORY)
  if (!hasStore(directory)) return undefined
  const file = `${path.resolve(to)}.customers.tmp`
  const drop = (): void => rmSync(file, { force: true })
  // Left by a backup that was killed.
  drop()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const { persons } = orCannotRun(() => copyStore(directory, file))
  const place = (): void => {
    const target = path.join(to, CUSTOMERS_DIRECTORY)
    mkdirSync(target, { mode: 0o700 })
    renameSync(file, path.join(target, STORE_FILE))
  }
  return { sha256: digestOf(file), persons, place, drop }
}

/**
 * A copy of the keys in a directory of copies, from which those that are older than 30 days are removed.
 * Throws `CannotRunError`.
 */
export function keepKeys(dataDirectory: string, into: string, nowMs: number): string {
  const directory = path.join(dataDirectory, CUSTOMERS_DIRECTORY)
  mkdirSync(into, { recursive: true, mode: 0o700 })
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const file = path.join(into, `customers-${time}.keys`)
  const unfinished = `${file}.tmp`
  rmSync(unfinished, { force: true })
  orCannotRun(() => copyKeys(directory, unfinished))
  renameSync(unfinished, file)
  for (const name of readdirSync(into)) {
    const [, ...parts] = KEYS_NAME.exec(name) ?? []
    const [year, month, day, hour, minute, second] = parts.map(Number)
    if (year === undefined) continue
    const atMs = Date.UTC(year, (month ?? 1) - 1, day, hour, minute, second)
    if (nowMs - atMs > KEYS_KEPT_MS) rmSync(path.join(into, name))
  }
  return file
}

/** Checks, before anything is written, that the backup's store is the one recorded in its manifest. */
export function checkCustomersOf(from: string, { sha256 }: OfCustomers, keysFile: string | undefined): void {
  const file = path.join(from, CUSTOMERS_DIRECTORY, STORE_FILE)
  if (!existsSync(file)) throw new CannotRunError(`${file} is missing, but backup.json lists it`)
  const found = digestOf(file)
  if (found !== sha256)
    throw new CannotRunError(`${file}: expected the SHA-256 ${sha256}, found ${found}: it is damaged`)
  orCannotRun(() => checkStore(file))
  if (keysFile !== undefined) orCannotRun(() => checkKeys(keysFile))
}

/** Copies the store, and the keys if given, into a restored directory. */
export function restoreCustomers(from: string, data: string, keysFile: string | undefined): void {
  const target = path.join(data, CUSTOMERS_DIRECTORY)
  mkdirSync(target, { mode: 0o700 })
  const copied = (source: string, name: string): void => {
    copyFileSync(source, path.join(target, name))
    chmodSync(path.join(target, name), 0o600)
  }
  copied(path.join(from, CUSTOMERS_DIRECTORY, STORE_FILE), STORE_FILE)
  if (keysFile !== undefined) copied(keysFile, KEYS_FILE)
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function orCannotRun<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof StoreFault) throw new CannotRunError(cause.message, { cause })
    throw cause
  }
}
