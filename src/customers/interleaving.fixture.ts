/**
 * Two processes on one store: a whole operation of one runs between two statements of the other, or before
 * one of its calls to the exchange. Statements in a transaction belong together: no other process writes
 * between them.
 */
import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KnowingExchange, Rig } from './customers.fixture.ts'
import type { ExchangeAccess } from './ports.ts'
import { SqliteSql } from './store/sqlite.ts'
import type { CustomersConfig } from './terms.ts'

/** Runs the loop until the promise is settled, inside a synchronous function. */
function waitFor<Result>(promise: Promise<Result>): Result {
  let end: { readonly value: Result } | { readonly cause: unknown } | undefined
  const settled = promise.then(
    (value) => {
      end = { value }
    },
    (cause) => {
      end = { cause }
    },
  )
  // The runtime's matcher waits for the promise before it returns.
  expect(settled).resolves.toBeUndefined()
  if (end === undefined) throw new Error('the promise is not settled')
  if ('cause' in end) throw end.cause
  return end.value
}

/** The places in one operation at which another process may act. */
class Places {
  readonly #at: number
  readonly #act: () => Promise<unknown>
  #count = 0
  #isWithin = false
  /** Whether the other process has acted. */
  isReached = false

  constructor(at: number, act: () => Promise<unknown>) {
    this.#at = at
    this.#act = act
  }

  reach(): void {
    if (this.#isWithin || ++this.#count !== this.#at) return
    this.isReached = true
    this.#isWithin = true
    try {
      waitFor(this.#act())
    } finally {
      this.#isWithin = false
    }
  }

  /** A complete transaction: the other process may act before it, but not within it. */
  atOnce<Result>(work: () => Result): Result {
    if (this.#isWithin) return work()
    this.reach()
    this.#isWithin = true
    try {
      return work()
    } finally {
      this.#isWithin = false
    }
  }
}

const STATEMENTS = ['get', 'all', 'run', 'scrub'] as const
type Work = (...args: unknown[]) => unknown

/** Reaches a place before every statement of this process, until the returned function is called. */
function watch(places: Places): () => void {
  const before = { ...methodsOf(SqliteSql.prototype) }
  const watched = Object.fromEntries(
    STATEMENTS.map((name) => [
      name,
      function (this: SqliteSql, ...args: unknown[]) {
        places.reach()
        return (before[name] as Work).apply(this, args)
      },
    ]),
  )
  Object.assign(SqliteSql.prototype, watched, {
    atOnce(this: SqliteSql, work: () => unknown) {
      return places.atOnce(() => before.atOnce.call(this, work))
    },
  })
  return () => Object.assign(SqliteSql.prototype, before)
}

function methodsOf({ get, all, run, scrub, atOnce }: SqliteSql) {
  return { get, all, run, scrub, atOnce }
}

function watched(exchange: ExchangeAccess, places: Places): ExchangeAccess {
  return new Proxy(exchange, {
    get(target, name) {
      const found = Reflect.get(target, name) as Work
      return async (...args: unknown[]) => {
        places.reach()
        const result = await found.apply(target, args)
        places.reach()
        return result
      }
    },
  })
}

/** Its files are not flushed to the disk: no test here cuts the power. */
function unflushed(open: () => Rig): Rig {
  const { run } = Database.prototype
  Database.prototype.run = function (this: Database, sql: string, ...more: never[]) {
    return run.call(this, sql.startsWith('PRAGMA synchronous') ? 'PRAGMA synchronous = OFF' : sql, ...more)
  } as typeof run
  try {
    return open()
  } finally {
    Object.assign(Database.prototype, { run })
  }
}

/** The files, the exchange and the time from which each run begins. */
export type Beginning<Known> = {
  readonly directory: string
  readonly exchange: KnowingExchange
  readonly nowMs: number
  readonly config: CustomersConfig
  readonly known: Known
}

/** An operation whose process has prepared everything that it needs. */
export type Prepared = () => Promise<string>
export type Operation<Known> = (rig: Rig, known: Known) => Promise<Prepared>

export async function begin<Known>(
  make: (rig: Rig) => Promise<Known>,
  config?: CustomersConfig,
): Promise<Beginning<Known>> {
  const rig = unflushed(() => new Rig(config))
  const known = await make(rig)
  rig.leave()
  const { directory, exchange, nowMs } = rig
  return { directory, exchange, nowMs, config: rig.config, known }
}

/**
 * Runs every transaction twice and stores it once, until the returned function is called: a database may
 * repeat a transaction.
 */
export function repeatTransactions(): () => void {
  const { atOnce } = SqliteSql.prototype
  let isWithin = false
  SqliteSql.prototype.atOnce = function <Result>(this: SqliteSql, work: () => Result): Result {
    if (isWithin) return atOnce.call(this, work) as Result
    isWithin = true
    try {
      const undone = new Error('undone')
      try {
        atOnce.call(this, () => {
          work()
          throw undone
        })
      } catch (cause) {
        if (cause !== undone) throw cause
      }
      return atOnce.call(this, work) as Result
    } finally {
      isWithin = false
    }
  }
  return () => Object.assign(SqliteSql.prototype, { atOnce })
}

export type Outcome = { readonly first: string; readonly second: string; readonly facts: string }

export type Run<Known> = {
  readonly beginning: Beginning<Known>
  readonly first: Operation<Known>
  readonly second: Operation<Known>
  /** Called when both operations have ended and both processes have settled. */
  readonly facts: (one: Rig, other: Rig, known: Known) => Promise<string>
}

/**
 * If `order` is a number, the second operation runs at that place of the first one. Returns undefined if
 * there is no such place.
 */
export async function run<Known>(
  { beginning, first, second, facts }: Run<Known>,
  order: 'FIRST' | 'SECOND' | number,
): Promise<Outcome | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-customers-'))
  cpSync(beginning.directory, directory, { recursive: true })
  const { known, nowMs } = beginning
  const shared = { directory, exchange: beginning.exchange.copy(), clock: { nowMs } }
  const one = unflushed(() => new Rig(beginning.config, undefined, shared))
  const other = unflushed(() => one.beside())
  try {
    const [a, b] = [await first(one, known), await second(other, known)]
    const ends: { first?: string; second?: string } = {}
    const doFirst = async (): Promise<void> => {
      ends.first = await a()
    }
    const doSecond = async (): Promise<void> => {
      ends.second = await b()
    }
    if (order === 'FIRST') await doFirst()
    if (order === 'SECOND' || order === 'FIRST') await doSecond()
    if (order === 'SECOND') await doFirst()
    if (typeof order === 'number' && !(await within(one, order, doFirst, doSecond))) return undefined
    const { first: firstEnd = '', second: secondEnd = '' } = ends
    return { first: firstEnd, second: secondEnd, facts: await facts(one, other, known) }
  } finally {
    one.leave()
    other.leave()
    rmSync(directory, { recursive: true })
  }
}

async function within(rig: Rig, at: number, doFirst: () => Promise<void>, doSecond: () => Promise<void>) {
  const places = new Places(at, doSecond)
  const { exchange } = rig
  rig.outside = watched(exchange, places)
  const end = watch(places)
  try {
    await doFirst()
  } finally {
    end()
    rig.outside = exchange
  }
  return places.isReached
}
