/**
 * A database server: a log that it has on its disk, and as the primary the transactions that run on it. It behaves as PostgreSQL is documented to
 * and was measured to: a commit is on the own disk before it waits for standbys; while it waits nobody sees its rows and whoever wants
 * the same key waits as well; a wait that is canceled, or released because nobody is waited for any more, is a success; after a restart all
 * that is on disk is visible, a standby's or not.
 */
import type { Batch } from '../../src/engine/port/journal.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'
import type { Network } from './network.ts'

/** What a commit writes to the log. */
export type LogRecord = {
  /** Undefined: it changes the leader's row alone. */
  readonly batch: Batch | undefined
  /** Undefined: the leader's row stays as it is. */
  readonly leader: LeaderState | undefined
}

export type LeaderState = {
  readonly epoch: number
  readonly name: string
  readonly heardAt: number | undefined
}

export const NO_LEADER: LeaderState = { epoch: 0, name: '', heardAt: undefined }

/** Who must have a commit before it is answered. */
export type Waiting = { readonly standbys: readonly string[]; readonly confirmations: number }

type Commit = {
  readonly record: LogRecord
  /** Length of the log with it. */
  readonly end: number
  readonly locks: readonly string[]
  readonly done: (notices: readonly string[]) => void
}

/** What a commit says of a wait that was canceled. */
const CANCELED = 'WARNING 01000: canceling wait for synchronous replication due to user request'

/** How often a standby that was cut off tries again. */
const PULL_MS = 40

export class Server {
  readonly name: string
  readonly #schedule: Schedule
  readonly #network: Network
  readonly #onDurable: (server: Server) => void
  /** On the disk; what was written stays, whatever happens to the process. */
  log: LogRecord[] = []
  /** Of this process; a new one after each start. */
  life: Lifetime = { isOver: true }
  role: 'PRIMARY' | 'STANDBY' = 'STANDBY'
  upstream: Server | undefined
  /** `synchronous_standby_names`. */
  waiting: Waiting
  isFull = false
  /** An administrator cancels the next wait for standbys. */
  cancelsNext = false
  /** How far each standby that follows says that it is. */
  readonly flushed = new Map<string, number>()
  readonly #locks = new Set<string>()
  #lockWaiters: (() => void)[] = []
  #commits: Commit[] = []
  #onStop: (() => void)[] = []
  /** Whoever follows, and how it is told that there is more. */
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

  /** How many commits wait for standbys. */
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

  /** Called once, when this process ends. */
  onStop(stopped: () => void): void {
    this.#onStop.push(stopped)
  }

  /** The process ends: statements and connections are gone, the disk is not. */
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

  /** Follows `upstream` from now on; what it has and the other has not is given up. */
  follow(upstream: Server): void {
    this.upstream?.flushed.delete(this.name)
    this.role = 'STANDBY'
    this.upstream = upstream
    const common = commonLength(this.log, upstream.log)
    this.log.length = common
    this.#pull(upstream, this.life)
  }

  /** Rows that a session sees. */
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
   * Takes the locks, one after another, then commits what `write` makes of what it sees; undefined: nothing. Answers
   * with the notices; never, where the process ends first. `waits`: for standbys.
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

  /** Waits for no standby any more; whoever waits now is released with `notices`. */
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

  /** Asks for what is new again and again, for as long as this process follows that server; what is written meanwhile it is told of at once. */
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
