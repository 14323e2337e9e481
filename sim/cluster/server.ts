/**
 * A database server: a log on its disk, and on the primary the transactions. It behaves as PostgreSQL does
 * according to its documentation and to measurements. A commit is on the local disk before it waits for
 * standbys. While it waits, no session can read its rows, and a session that needs the same key waits as
 * well. A wait that is canceled, or released because no standby is required any more, counts as a success.
 * After a restart, everything on the disk is visible, whether or not a standby has it.
 */
import type { Batch } from '../../src/engine/port/journal.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'
import type { Network } from './network.ts'

/** A record that a commit writes to the log. */
export type LogRecord = {
  /** Undefined if the record changes only the leader's row. */
  readonly batch: Batch | undefined
  /** Undefined if the leader's row is unchanged. */
  readonly leader: LeaderState | undefined
}

export type LeaderState = {
  readonly epoch: number
  readonly name: string
  readonly heardAt: number | undefined
}

export const NO_LEADER: LeaderState = { epoch: 0, name: '', heardAt: undefined }

/** The servers that must have a commit before it is answered. */
export type Waiting = { readonly standbys: readonly string[]; readonly confirmations: number }

type Commit = {
  readonly record: LogRecord
  /** Length of the log up to and including the commit. */
  readonly end: number
  readonly locks: readonly string[]
  readonly done: (notices: readonly string[]) => void
}

/** The notice of a commit whose wait was canceled. */
const CANCELED = 'WARNING 01000: canceling wait for synchronous replication due to user request'

/** Retry interval of a standby that was disconnected. */
const PULL_MS = 40

export class Server {
  readonly name: string
  readonly #schedule: Schedule
  readonly #network: Network
  readonly #onDurable: (server: Server) => void
  /** The log on the disk; written records stay, whatever happens to the process. */
  log: LogRecord[] = []
  /** Lifetime of this process; a new one after each start. */
  life: Lifetime = { isOver: true }
  role: 'PRIMARY' | 'STANDBY' = 'STANDBY'
  upstream: Server | undefined
  /** `synchronous_standby_names`. */
  waiting: Waiting
  isFull = false
  /** An administrator cancels the next wait for standbys. */
  cancelsNext = false
  /** The position that each standby has reported. */
  readonly flushed = new Map<string, number>()
  readonly #locks = new Set<string>()
  #lockWaiters: (() => void)[] = []
  #commits: Commit[] = []
  #onStop: (() => void)[] = []
  /** The followers, each with a function that notifies it of new records. */
  readonly #followers = new Map<Server, () => void>()

  constructor(
    name: string,
    waiting: Waiting,
    world: { schedule: Schedule; network: Network; onDurable: (server: Server) => void },
  ) {
    this.name = name
    this.waiting = waiting
    this.#schedule = world.schedule
    this.#network = world.network
    this.#onDurable = world.onDurable
  }

  get isUp(): boolean {
    return !this.life.isOver
  }

  /** Number of commits that wait for standbys. */
  get commitsWaiting(): number {
    return this.#commits.length
  }

  start(role: Server['role'], upstream?: Server): void {
    this.stop()
    this.life = { isOver: false }
    this.role = role
    if (upstream !== undefined) this.follow(upstream)
    else this.upstream = undefined
  }

  /** `stopped` is called once, when this process ends. */
  onStop(stopped: () => void): void {
    this.#onStop.push(stopped)
  }

  /** Ends the process: statements and connections are lost, the disk is not. */
  stop(): void {
    this.life.isOver = true
    const stopped = this.#onStop
    this.#onStop = []
    for (const one of stopped) one()
    this.#locks.clear()
    this.#lockWaiters = []
    this.#commits = []
    this.flushed.clear()
  }

  promote(): void {
    this.role = 'PRIMARY'
    this.upstream = undefined
    this.flushed.clear()
  }

  /** Follows `upstream` from now on; records that only this server has are dropped. */
  follow(upstream: Server): void {
    this.upstream?.flushed.delete(this.name)
    this.role = 'STANDBY'
    this.upstream = upstream
    const common = commonLength(this.log, upstream.log)
    this.log.length = common
    this.#pull(upstream, this.life)
  }

  /** The rows that a session can read. */
  visible(): readonly LogRecord[] {
    if (this.#commits.length === 0) return this.log
    const hidden = new Set(this.#commits.map(({ record }) => record))
    return this.log.filter((record) => !hidden.has(record))
  }

  batchAt(position: number): Batch | undefined {
    return this.visible().find(({ batch }) => batch?.position === position)?.batch
  }

  leader(): LeaderState {
    return this.visible().findLast(({ leader }) => leader !== undefined)?.leader ?? NO_LEADER
  }

  /**
   * Takes the locks, one after another, then commits the result of `write` on the visible rows; nothing if
   * the result is undefined. Resolves with the notices; never if the process ends first. `waits` is whether
   * the commit waits for standbys.
   */
  async commit(
    locks: readonly string[],
    write: () => LogRecord | undefined,
    waits = true,
  ): Promise<readonly string[] | undefined> {
    const { life } = this
    for (const lock of locks) {
      while (this.#locks.has(lock)) await new Promise<void>((resolve) => this.#lockWaiters.push(resolve))
      if (life.isOver) await new Promise(() => {})
      this.#locks.add(lock)
    }
    const record = write()
    if (record === undefined) {
      this.#release(locks)
      return undefined
    }
    this.log.push(record)
    this.#onDurable(this)
    for (const wake of [...this.#followers.values()]) wake()
    if (!waits) {
      this.#release(locks)
      return []
    }
    return new Promise((done) => {
      this.#commits.push({ record, end: this.log.length, locks, done })
      this.#settle()
      if (this.cancelsNext && this.#commits.length > 0) {
        this.cancelsNext = false
        this.release([CANCELED])
      }
    })
  }

  /** Stops waiting for standbys; commits that are waiting now are released with `notices`. */
  release(notices: readonly string[]): void {
    for (const commit of [...this.#commits]) this.#finish(commit, notices)
  }

  setWaiting(waiting: Waiting): void {
    this.waiting = waiting
    this.#settle()
  }

  #settle(): void {
    for (const commit of [...this.#commits]) {
      const { standbys, confirmations } = this.waiting
      const passed = standbys.filter((name) => (this.flushed.get(name) ?? 0) >= commit.end).length
      if (passed >= Math.min(confirmations, standbys.length)) this.#finish(commit, [])
    }
  }

  #finish(commit: Commit, notices: readonly string[]): void {
    this.#commits = this.#commits.filter((one) => one !== commit)
    this.#release(commit.locks)
    commit.done(notices)
  }

  #release(locks: readonly string[]): void {
    for (const lock of locks) this.#locks.delete(lock)
    const waiters = this.#lockWaiters
    this.#lockWaiters = []
    for (const wake of waiters) wake()
  }

  /**
   * Polls for new records while this process follows that server; it is notified at once of records written
   * in the meantime.
   */
  #pull(upstream: Server, life: Lifetime): void {
    const isFollowing = (): boolean => this.upstream === upstream && this.life === life
    const again = (delayMs: number): void => {
      this.#schedule.after(delayMs, life, () => {
        if (!isFollowing()) return
        this.#take(upstream, isFollowing)
        again(PULL_MS)
      })
    }
    again(this.#network.delayMs())
    upstream.#followers.set(this, () => {
      if (!isFollowing()) upstream.#followers.delete(this)
      else
        this.#schedule.after(this.#network.delayMs(), life, () => {
          if (isFollowing()) this.#take(upstream, isFollowing)
        })
    })
  }

  #take(upstream: Server, isFollowing: () => boolean): void {
    if (!upstream.isUp || upstream.role !== 'PRIMARY' || this.#network.isCut(this.name, upstream.name)) return
    for (let i = this.log.length; i < upstream.log.length; i++) this.log.push(upstream.log[i] as LogRecord)
    const length = this.log.length
    this.#onDurable(this)
    const { life } = upstream
    this.#schedule.after(this.#network.delayMs(), life, () => {
      if (!isFollowing() || this.#network.isCut(this.name, upstream.name)) return
      upstream.flushed.set(this.name, length)
      upstream.#settle()
    })
  }
}

function commonLength(one: readonly LogRecord[], other: readonly LogRecord[]): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
