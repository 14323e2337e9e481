/**
 * Customers in PostgreSQL: roles and tables, transactions of several processes, and a server that is frozen,
 * killed and restarted.
 */
import type { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase } from '../../src/customers/store/database.ts'
import { CUSTOMERS_FORMS } from '../../src/customers/store/postgres/schema.ts'
import { STORE_FORM } from '../../src/customers/store/schema.ts'
import { StoreAwayFault, StoreFault } from '../../src/customers/store/sql.ts'
import type { Store } from '../../src/customers/store/store.ts'
import { PostgresFault } from '../../src/storage/postgres/connection.ts'
import { emptyCustomers, makeCustomers, type OpenOptions, openStore } from './support/customers.ts'
import { eventually } from './support/eventually.ts'
import { ADMINISTRATOR, discardServers, ENGINE, PostgresServer } from './support/server.ts'

const server = await PostgresServer.start()
await makeCustomers(server)
afterAll(discardServers)

const stores: Store[] = []
function open(options: OpenOptions = {}): Store {
  const store = openStore(server, options)
  stores.push(store)
  return store
}
beforeEach(() => emptyCustomers(server))
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

/** Timeout of stores whose server freezes: long enough for a machine that pauses. */
const TIMEOUT_MS = 4_000
const NOW = 1_790_000_000_000
const STORE = CUSTOMERS_FORMS.store
const KEYS = CUSTOMERS_FORMS.keys

/** Adds a person; returns the person's owner id. */
function addPerson(store: Store, name = 'jo'): string {
  const made = store.keys.newOwner()
  const mail = `${name}@example.org`
  const fields = { account: `c-${name}`, handle: new TextEncoder().encode(name), created_ms: NOW }
  store.people.add(fields, store.keys.mailIndex(mail), { mail, language: 'en', termsVersion: 1 }, made)
  return made.owner
}

function invite(store: Store, uses: number): void {
  store.invitations.add({
    ...{ id: 'i', code_digest: new Uint8Array(32), mail_index: null, uses_max: uses, uses: 0 },
    ...{ by_operator: 'ops', created_ms: NOW, ends_ms: Number.MAX_SAFE_INTEGER },
  })
}

/** SQLSTATE with which the server refuses a statement; undefined if it does not refuse. */
async function codeOf(user: string, text: string): Promise<string | undefined> {
  const connection = await server.connect(user)
  try {
    await connection.run({ text })
    return undefined
  } catch (cause) {
    if (cause instanceof PostgresFault) return cause.code
    throw cause
  } finally {
    await connection.close()
  }
}

test('each role reads its own schema and no other', async () => {
  const tables = {
    [ENGINE]: 'bourse.batch',
    [STORE.role]: `${STORE.schema}.person`,
    [KEYS.role]: `${KEYS.schema}.key`,
  }
  const found: Record<string, string | undefined> = {}
  const expected: Record<string, string | undefined> = {}
  for (const user of Object.keys(tables))
    for (const [owner, table] of Object.entries(tables)) {
      found[`${user} reads ${table}`] = await codeOf(user, `SELECT * FROM ${table}`)
      expected[`${user} reads ${table}`] = user === owner ? undefined : '42501'
    }
  expect(found).toEqual(expected)
})

test('the roles of customers change rows, and neither tables nor their version', async () => {
  for (const { role, schema } of [STORE, KEYS]) {
    expect(await codeOf(role, `CREATE TABLE ${schema}.more (id int)`)).toBe('42501')
    expect(await codeOf(role, `UPDATE ${schema}.version SET version = 99`)).toBe('42501')
    expect(await codeOf(role, `DROP SCHEMA ${schema} CASCADE`)).toBe('42501')
    expect(await codeOf(role, `CREATE ROLE other`)).toBe('42501')
  }
  expect(await codeOf(STORE.role, `DROP TABLE ${STORE.schema}.person`)).toBe('42501')
  expect(await codeOf(STORE.role, `TRUNCATE ${STORE.schema}.person`)).toBe('42501')
})

test('the tables have the columns of the files, in their order', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-customers-'))
  const file = openDatabase(path.join(directory, 'customers.sqlite'), STORE_FORM)
  const columnsIn = (db: Database, table: string) =>
    db
      .query<{ name: string }, []>(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => name)
  const rows = await server.sql(
    `SELECT table_name AS table, string_agg(column_name, ' ' ORDER BY ordinal_position) AS columns
      FROM information_schema.columns WHERE table_schema = $1 AND table_name <> 'version' GROUP BY table_name`,
    [STORE.schema],
  )
  expect(rows.length).toBeGreaterThan(20)
  for (const { table, columns } of rows)
    expect([table, columns]).toEqual([table, columnsIn(file, String(table)).join(' ')])
  file.close()
  rmSync(directory, { recursive: true })
})

test('tables of an earlier version are updated with their rows, and those of a later one are refused', async () => {
  const database = 'customers_versions'
  await server.sql(`CREATE DATABASE ${database}`)
  const connection = await server.connect(ADMINISTRATOR, database)
  const run = (text: string) => connection.run({ text })
  expect(() => openStore(server, { database })).toThrow('found none that this role may read')
  await run(`CREATE SCHEMA ${STORE.schema}`)
  await run(`SET search_path = ${STORE.schema}`)
  await run('CREATE TABLE version (version integer NOT NULL)')
  await run('INSERT INTO version VALUES (1)')
  await run(STORE.steps[0] as string)
  await run("INSERT INTO person VALUES ('o', 'c-o', 'ACTIVE', '\\x01', '\\x02', '\\x03', 5000000000)")
  await makeCustomers(server, database)
  // A store with a person needs the keys of that person's exchange.
  expect(() => openStore(server, { database })).toThrow(
    'the customer key database, which unseals the data of 1 person, is empty',
  )
  await run("INSERT INTO bourse_customer_keys.key VALUES ('index', decode(repeat('00', 32), 'hex'))")
  const store = openStore(server, { database })
  expect(store.people.byOwner('o')).toMatchObject({ account: 'c-o', created_ms: 5_000_000_000 })
  expect(store.marks.of('c-o')?.epoch).toBe(0)
  store.close()
  // The second time nothing changes.
  await makeCustomers(server, database)
  await run('UPDATE version SET version = 99')
  const refusal = `expected version ${STORE.steps.length} of the schema bourse_customers, found 99`
  expect(() => openStore(server, { database })).toThrow(refusal)
  const again = await makeCustomers(server, database).catch((cause: Error) => cause.message)
  expect(again).toContain('found 99: it was created by a later version of the program')
  await connection.close()
})

test('a transaction that another process has overtaken is repeated, and only one of both uses the resource', () => {
  const [mine, other] = [open(), open()]
  const owner = addPerson(mine)
  invite(mine, 1)
  mine.factors.setRecoveryCodes(owner, ['code'])
  let runs = 0
  const isUsed = mine.atOnce(() => {
    runs++
    const left = mine.factors.recoveryCodesLeft(owner)
    if (runs === 1) {
      expect(
        other.atOnce(() => other.invitations.use('i', NOW) && other.factors.useRecoveryCode(owner, 'code')),
      ).toBe(true)
      other.records.note(owner, 'RECOVERED', { device: '', network: '' }, NOW)
    }
    mine.records.note(owner, 'SIGNED_IN', { device: '', network: '' }, NOW)
    return left > 0 && mine.invitations.use('i', NOW)
  })
  expect([runs, isUsed]).toEqual([2, false])
  expect(mine.records.historyOf(owner, 9).map(({ kind }) => kind)).toEqual(['SIGNED_IN', 'RECOVERED'])
  expect(mine.records.firstBroken()).toBeUndefined()
})

test('a conflict is repeated even if the work ignores it', () => {
  const [mine, other] = [open(), open()]
  const owner = addPerson(mine)
  let runs = 0
  mine.atOnce(() => {
    runs++
    mine.marks.of('c-jo')
    if (runs === 1) other.marks.want(owner)
    try {
      mine.marks.want(owner)
    } catch {
      // Ignores the fault, as careless code might.
    }
  })
  expect([runs, mine.marks.of('c-jo')?.wanted_epoch]).toEqual([2, 2])
})

test('a transaction that is overtaken each time gives up', () => {
  const [mine, other] = [open(), open()]
  const owner = addPerson(mine)
  let runs = 0
  const always = () =>
    mine.atOnce(() => {
      runs++
      mine.marks.of('c-jo')
      other.marks.want(owner)
      mine.marks.want(owner)
    })
  expect(always).toThrow(StoreAwayFault)
  expect(runs).toBe(10)
  expect(mine.marks.of('c-jo')?.wanted_epoch).toBe(10)
})

test('three processes at once leave a complete trail, count every change, and use an invitation as often as it allows', async () => {
  const store = open()
  const owner = addPerson(store)
  const [uses, rounds] = [40, 30]
  invite(store, uses)
  const program = path.join(import.meta.dir, 'support', 'customers-child.fixture.ts')
  const children = [1, 2, 3].map(() =>
    Bun.spawn([process.execPath, program, String(server.port), owner, 'i', String(rounds)], {
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  )
  const used = await Promise.all(children.map((child) => new Response(child.stdout).text()))
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0])
  expect(used.map(Number).reduce((sum, count) => sum + count)).toBe(uses)
  expect(store.records.head()?.number).toBe(3 * rounds)
  expect(store.records.firstBroken()).toBeUndefined()
  expect(store.marks.of('c-jo')?.wanted_epoch).toBe(3 * rounds)
})

test('processes that start at once on an empty store have one key of the index', async () => {
  await server.sql(`TRUNCATE ${KEYS.schema}.key`)
  const [one, two] = [open(), open()]
  expect(one.keys.mailIndex('a@example.org')).toEqual(two.keys.mailIndex('a@example.org'))
})

test('a frozen server stops one request for the time limit and no other one, and serves again once it is thawed', async () => {
  const store = open({ timeoutMs: TIMEOUT_MS })
  const owner = addPerson(store)
  // Uses the shortest of several durations, since a busy machine may delay any of them.
  const refusedAtOnce = (work: () => unknown): void => {
    const took = Array.from({ length: 5 }, () => {
      const from = performance.now()
      expect(work).toThrow(StoreAwayFault)
      return performance.now() - from
    })
    expect(Math.min(...took)).toBeLessThan(TIMEOUT_MS / 2)
  }
  server.freeze()
  try {
    expect(() => store.people.byOwner(owner)).toThrow(StoreAwayFault)
    refusedAtOnce(() => store.atOnce(() => store.marks.want(owner)))
    refusedAtOnce(() => store.sessions.count())
    // The keys have a connection of their own.
    expect(() => store.keys.keyOf(owner)).toThrow(StoreAwayFault)
    refusedAtOnce(() => store.keys.keyOf(owner))
  } finally {
    server.thaw()
  }
  await eventually('the store answers', async () => answers(() => store.people.byOwner(owner)))
  await eventually('the keys answer', async () => answers(() => store.keys.keyOf(owner)))
  expect(store.marks.of('c-jo')?.wanted_epoch).toBeNull()
  store.atOnce(() => store.marks.want(owner))
  expect(store.marks.of('c-jo')?.wanted_epoch).toBe(1)
})

test('a transaction whose server freezes before its end is refused, and is stored completely or not at all', async () => {
  const store = open({ timeoutMs: TIMEOUT_MS })
  const owner = addPerson(store)
  const change = (between: () => void) => () =>
    store.atOnce(() => {
      store.people.become(owner, 'ACTIVE', 'CONFIRMED')
      between()
      store.marks.want(owner)
    })
  expect(change(() => server.freeze())).toThrow(StoreAwayFault)
  server.thaw()
  await eventually('the store answers', async () => answers(() => store.people.byOwner(owner)))
  expect([store.people.byOwner(owner)?.state, store.marks.of('c-jo')?.wanted_epoch]).toEqual([
    'CONFIRMED',
    null,
  ])
  // The outcome is in doubt: only the end of the transaction is not confirmed.
  expect(() =>
    store.atOnce(() => {
      store.people.become(owner, 'ACTIVE', 'CONFIRMED')
      store.marks.want(owner)
      server.freeze()
    }),
  ).toThrow(StoreAwayFault)
  server.thaw()
  await eventually('the store answers', async () => answers(() => store.people.byOwner(owner)))
  const found = [store.people.byOwner(owner)?.state, store.marks.of('c-jo')?.wanted_epoch]
  expect([
    ['ACTIVE', 1],
    ['CONFIRMED', null],
  ]).toContainEqual(found as never)
})

test('a killed server is refused at once, and after its restart the store continues with everything stored', async () => {
  const store = open()
  const owner = addPerson(store)
  await server.kill()
  const took = Array.from({ length: 5 }, () => {
    const from = performance.now()
    expect(() => store.people.byOwner(owner)).toThrow(StoreAwayFault)
    expect(() => store.atOnce(() => store.marks.want(owner))).toThrow(StoreAwayFault)
    return performance.now() - from
  })
  expect(Math.min(...took)).toBeLessThan(1_000)
  expect(() => openStore(server)).toThrow(StoreAwayFault)
  await server.run()
  await eventually('the store answers', async () => answers(() => store.people.byOwner(owner)))
  await eventually('the keys answer', async () => answers(() => store.keys.keyOf(owner)))
  expect(store.people.byOwner(owner)?.account).toBe('c-jo')
})

test('a connection that the server ends between two requests is reopened without a refused request', async () => {
  const store = open()
  const owner = addPerson(store)
  await server.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'bourse_customer%'`,
  )
  await eventually('it has ended them', async () => {
    const [row] = await server.sql(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = $1 AND backend_start < now() - interval '1 second'`,
      [STORE.role],
    )
    return Number(row?.count) === 0
  })
  expect(store.people.byOwner(owner)?.account).toBe('c-jo')
})

test('a process that is stopped within a transaction blocks no rows for others', async () => {
  const [mine, other] = [open({ timeoutMs: TIMEOUT_MS }), open()]
  const owner = addPerson(other)
  expect(() =>
    mine.atOnce(() => {
      mine.marks.want(owner)
      // As if the process were stopped here.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMEOUT_MS)
      other.marks.want(owner)
      mine.marks.want(owner)
    }),
  ).toThrow(StoreAwayFault)
  expect(other.marks.of('c-jo')?.wanted_epoch).toBe(1)
})

test('a destroyed key is in no file of the server but its write-ahead log', async () => {
  const store = open()
  const [owner, stays] = [addPerson(store), addPerson(store, 'ann')]
  const key = store.keys.keyOf(owner) as Uint8Array
  const kept = store.keys.keyOf(stays) as Uint8Array
  const holds = async (bytes: Uint8Array) => {
    await server.sql('CHECKPOINT')
    return filesOf(path.join(server.directory, 'data')).some((file) => readFileSync(file).includes(bytes))
  }
  expect([await holds(key), await holds(kept)]).toEqual([true, true])
  store.erase(store.people.byOwner(owner) as NonNullable<ReturnType<typeof store.people.byOwner>>)
  expect([await holds(key), await holds(kept)]).toEqual([false, true])
  // The key of a sign-up that expired; it is removed within an hour.
  const expired = store.keys.newOwner()
  store.keys.destroy(expired.owner)
  expect(await holds(expired.key)).toBe(true)
  store.sweep(NOW)
  expect([await holds(expired.key), await holds(kept)]).toEqual([false, true])
})

test('an erasure is carried out while another session reads the keys, which leaves the rest to the next sweep', async () => {
  const store = open({ timeoutMs: TIMEOUT_MS })
  const owner = addPerson(store)
  const key = store.keys.keyOf(owner) as Uint8Array
  const reader = await server.connect(ADMINISTRATOR)
  await reader.run({ text: 'BEGIN' })
  await reader.run({ text: `SELECT * FROM ${KEYS.schema}.key` })
  store.erase(store.people.byOwner(owner) as NonNullable<ReturnType<typeof store.people.byOwner>>)
  expect([store.people.byOwner(owner), store.keys.keyOf(owner)]).toEqual([undefined, undefined])
  await reader.run({ text: 'ROLLBACK' })
  await reader.close()
  store.sweep(NOW)
  await server.sql('CHECKPOINT')
  expect(
    filesOf(path.join(server.directory, 'data')).filter((file) => readFileSync(file).includes(key)),
  ).toEqual([])
})

test('a statement that the server refuses is a fault with its code, and not a fault of the connection', () => {
  const store = open()
  const owner = addPerson(store)
  const again = () => addPerson(store)
  expect(again).toThrow(StoreFault)
  expect(again).toThrow('23505')
  expect(again).not.toThrow(StoreAwayFault)
  expect(store.people.byOwner(owner)?.account).toBe('c-jo')
})

function answers(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch (cause) {
    if (cause instanceof StoreAwayFault) return false
    throw cause
  }
}

/** All files except the write-ahead log. */
function filesOf(directory: string): readonly string[] {
  return readdirSync(directory).flatMap((name) => {
    const file = path.join(directory, name)
    if (name === 'pg_wal') return []
    return statSync(file).isDirectory() ? filesOf(file) : [file]
  })
}
