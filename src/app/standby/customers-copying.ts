/**
 * A standby's copy of the data of its node's customers: requested page by page over the link, and stored once
 * this journal has every command on which the page depends, so that the store is never newer than the
 * journal. A fault in it ends nothing else.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { writeAsked } from '../../customers/store/copying/page.ts'
import { StoreCopy } from '../../customers/store/copying/store-copy.ts'
import { STORE_FILE } from '../../customers/store/schema.ts'
import { StoreFault } from '../../customers/store/sql.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { CustomersCopyUse } from '../../server/monitoring/cluster-metrics.ts'
import { ensureDirectory, syncDirectory } from '../../storage/files/directory.ts'
import type { ReplicaLink } from '../../transport/link/asking/replica-link.ts'
import type { CustomersPage } from '../../transport/link/serving/replica-questions.ts'
import type { Seq } from '../../units/quantities.ts'

export type CustomersCopyingOptions = {
  readonly dataDirectory: string
  readonly log: Logger
  /** The last durable command in the standby's journal. */
  readonly storedSeq: () => Seq
  readonly isStopped: () => boolean
}

/** In a data directory. */
const CUSTOMERS_DIRECTORY = 'customers'
/** Pause between two requests to a node that had nothing new. */
const ASK_EVERY_MS = 1_000
/** Pause after a fault, and while the node has no customers. */
const FAULT_PAUSE_MS = 5_000
const CHECK_EVERY_MS = 20

export class CustomersCopying {
  readonly #options: CustomersCopyingOptions
  #copy: StoreCopy | undefined
  #problem = ''
  #isKeyless = false
  /** The time at which the node was first found to have customers. */
  #begunMs = 0

  constructor(options: CustomersCopyingOptions) {
    this.#options = options
  }

  get use(): CustomersCopyUse {
    if (this.#copy === undefined) return { ageMs: 0, hasKeys: true }
    const { atMs = this.#begunMs, hasKeys = true } = this.#copy.moment ?? {}
    return { ageMs: Math.max(0, Date.now() - atMs), hasKeys }
  }

  /** Resolves when the link is lost or the standby stops. */
  async follow(link: ReplicaLink): Promise<void> {
    let isOver = false
    const lost = link.lost.then(() => {
      isOver = true
    })
    const isEnded = (): boolean => isOver || this.#options.isStopped()
    while (!isEnded()) {
      const pauseMs = await this.#copyPage(link, isEnded)
      if (pauseMs > 0) await Promise.race([Bun.sleep(pauseMs), lost])
    }
    this.#copy?.interrupt()
  }

  close(): void {
    this.#copy?.close()
  }

  /** Resolves with the pause before the next request. */
  async #copyPage(link: ReplicaLink, isEnded: () => boolean): Promise<number> {
    try {
      const copy = await this.#opened(link)
      if (copy === undefined) return FAULT_PAUSE_MS
      const page = await link.customers(copy.asked())
      if (page === undefined) return FAULT_PAUSE_MS
      const isReached = await this.#reached(page.seq, isEnded)
      if (!isReached) return 0
      return this.#take(copy, page) ? ASK_EVERY_MS : 0
    } catch (cause) {
      if (!(cause instanceof EngineFault || cause instanceof StoreFault)) throw cause
      // A lost link is reported shortly after.
      await Promise.race([link.lost, Bun.sleep(CHECK_EVERY_MS)])
      if (isEnded()) return 0
      if (cause.message !== this.#problem)
        this.#options.log.error({ problem: cause.message }, "the node's customers are not being copied")
      this.#problem = cause.message
      return FAULT_PAUSE_MS
    }
  }

  #take(copy: StoreCopy, { bytes }: CustomersPage): boolean {
    const { log } = this.#options
    const before = copy.moment
    const hasAll = copy.take(bytes)
    this.#problem = ''
    const now = copy.moment
    if (before === undefined && now !== undefined) log.info({}, "copying the node's customers has begun")
    const isKeyless = now?.hasKeys === false
    if (isKeyless && !this.#isKeyless)
      log.error(
        {},
        'customers.keys is missing here: after a promotion no customer could sign in. Put a copy of the node’s file there',
      )
    this.#isKeyless = isKeyless
    return hasAll
  }

  /** Opened when the node is found to have customers: without customers there is no file. */
  async #opened(link: ReplicaLink): Promise<StoreCopy | undefined> {
    if (this.#copy !== undefined) return this.#copy
    const directory = path.join(this.#options.dataDirectory, CUSTOMERS_DIRECTORY)
    if (!existsSync(path.join(directory, STORE_FILE)) && !(await hasCustomers(link))) return undefined
    try {
      ensureDirectory(directory)
    } catch (cause) {
      throw new StoreFault(`cannot create ${directory}`, { cause })
    }
    const random = (size: number): Uint8Array => new Uint8Array(randomBytes(size))
    this.#copy = new StoreCopy({ directory, randomBytes: random, syncDirectory })
    this.#begunMs = Date.now()
    return this.#copy
  }

  /** Resolves when the standby's journal has this command; false if the link ended before that. */
  async #reached(seq: Seq, isEnded: () => boolean): Promise<boolean> {
    while (this.#options.storedSeq() < seq) {
      if (isEnded()) return false
      await Bun.sleep(CHECK_EVERY_MS)
    }
    return true
  }
}

async function hasCustomers(link: ReplicaLink): Promise<boolean> {
  return (await link.customers(writeAsked({ form: 0, place: undefined, hasKeys: false }))) !== undefined
}
