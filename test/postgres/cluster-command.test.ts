/**
 * `bourse cluster` on a real server: it creates what a journal needs, also when run twice, and reports the
 * errors of a database.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fill } from '../../src/engine/port/journal.contract.ts'
import { Connection } from '../../src/storage/postgres/connection.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { BourseProcess } from '../support/bourse-process.ts'
import { journalOn, SINGLE } from './support/journals.ts'
import { ADMINISTRATOR, discardServers, PostgresServer } from './support/server.ts'

const PASSWORD = 'correct horse battery'
const TLS = path.join(import.meta.dir, '../support/tls')
const directory = mkdtempSync(path.join(tmpdir(), 'bourse-cluster-'))
const passwordFile = path.join(directory, 'engine.password')
let server: PostgresServer

beforeAll(async () => {
  server = await PostgresServer.start(
    { ssl: 'on', log_min_messages: 'warning', log_statement: 'all' },
    (data) => {
      for (const [from, to] of [
        ['first.pem', 'server.crt'],
        ['first.key.pem', 'server.key'],
      ] as const)
        data.write(to, readFileSync(path.join(TLS, from), 'utf8'))
      const rules = readFileSync(path.join(data.path, 'pg_hba.conf'), 'utf8')
      data.write('pg_hba.conf', `host all bourse_engine 127.0.0.1/32 scram-sha-256\n${rules}`)
    },
  )
  await server.sql('CREATE DATABASE exchange')
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 })
})
afterAll(async () => {
  await discardServers()
  rmSync(directory, { recursive: true, force: true })
})

type Parts = { readonly database?: object; readonly durability?: object }

/** A cluster file, with some parts changed. */
function config({ database = {}, durability = { kind: 'single' } }: Parts = {}): string {
  const file = path.join(directory, `cluster-${Math.random()}.json`)
  const place = { host: '127.0.0.1', port: server.port, name: 'exchange', passwordFile, tls: 'off' }
  writeFileSync(file, JSON.stringify({ database: { ...place, ...database }, durability }, null, 1))
  return file
}

async function cluster(...args: string[]) {
  const command = new BourseProcess(['cluster', ...args])
  const code = await command.exited()
  for (const text of [command.out, command.err]) expect(text).not.toContain(PASSWORD)
  return { code, out: command.out, err: command.err }
}

const init = (file: string) => cluster('init', '--config', file, '--admin-user', ADMINISTRATOR)

describe('cluster init', () => {
  test('creates tables and the role once, says so, and leaves them as they are the second time', async () => {
    const first = await init(config())
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.out).toContain('table bourse.batch: created')
    const journal = await PostgresJournal.open({
      ...journalOn(server, SINGLE, 'exchange'),
      connection: { ...server.where('bourse_engine', 'exchange'), password: PASSWORD },
    })
    await fill(journal, [1, 2])
    await journal.close()
    const second = await init(config())
    expect([second.code, second.out.includes('created')]).toEqual([0, false])
    expect(second.out).toContain('table bourse.batch: already existed')
    expect(second.out).toContain('role bourse_engine: already existed')
    const administrator = await server.connect(ADMINISTRATOR, 'exchange')
    expect((await administrator.run({ text: 'SELECT 1 FROM bourse.batch' })).count).toBe(3)
    await administrator.close()
  })

  test('revokes a superfluous right that was granted', async () => {
    const administrator = await server.connect(ADMINISTRATOR, 'exchange')
    await administrator.run({ text: 'GRANT ALL ON bourse.batch TO bourse_engine' })
    const before = await cluster('check', '--config', config(), '--json')
    await init(config())
    const after = await cluster('check', '--config', config(), '--json')
    const rights = ({ out }: typeof before) =>
      JSON.parse(out).findings.filter(({ about }: { about: string }) => about === 'rights')
    expect(rights(before)).toEqual([expect.objectContaining({ found: 'UPDATE, DELETE, TRUNCATE' })])
    expect(rights(after)).toEqual([])
    await administrator.close()
  })

  test('sends no password, so that the server’s log has none', () => {
    const log = readFileSync(path.join(server.directory, 'log'), 'utf8')
    expect(log).toContain('ALTER ROLE "bourse_engine" PASSWORD')
    expect(log).not.toContain(PASSWORD)
  })

  test('says in one line what it could not do, and none of it is done', async () => {
    const absent = await init(config({ database: { name: 'absent' } }))
    expect([absent.code, absent.out]).toEqual([2, ''])
    expect(absent.err).toContain('database "absent" does not exist')
    const refused = await cluster('init', '--config', config(), '--admin-user', 'nobody_known')
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('role "nobody_known" does not exist'),
    ])
  })
})

describe('cluster check', () => {
  test('finds nothing serious in a database that is as declared, and every deviation', async () => {
    const sound = await cluster('check', '--config', config())
    expect([sound.code, sound.out]).toEqual([
      0,
      expect.stringContaining('0 would lose acknowledged orders, 0 would stop'),
    ])
    const durability = { kind: 'quorum', standbys: ['east'], confirmations: 1 }
    await server.set('fsync', 'off')
    const wrong = await cluster('check', '--config', config({ durability }))
    await server.set('fsync', 'on')
    expect(wrong.code).toBe(1)
    for (const sentence of [
      'LOSES   fsync: found off',
      "remedy: ALTER SYSTEM SET fsync = 'on'; SELECT pg_reload_conf()",
      'LOSES   synchronous_standby_names: found nothing',
      `ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 ("east")'`,
      'STOPS   standbys: found nothing',
      '2 would lose acknowledged orders, 1 would stop the exchange',
    ])
      expect(wrong.out).toContain(sentence)
  })

  test('names the missing tables and the command that creates them', async () => {
    const { code, out } = await cluster(
      'check',
      '--config',
      config({ database: { name: 'postgres' } }),
      '--json',
    )
    expect(code).toBe(0)
    await server.sql('CREATE DATABASE bare')
    const bare = await cluster('check', '--config', config({ database: { name: 'bare' } }), '--json')
    expect(bare.code).toBe(1)
    expect(JSON.parse(out).findings.length).toBe(JSON.parse(bare.out).findings.length - 1)
    expect(bare.out).toContain('bourse cluster init creates them')
  })

  test('reports a wrong password without showing it', async () => {
    const wrong = path.join(directory, 'wrong.password')
    writeFileSync(wrong, 'another', { mode: 0o600 })
    const { code, err } = await cluster('check', '--config', config({ database: { passwordFile: wrong } }))
    expect([code, err]).toEqual([2, expect.stringContaining('password authentication failed')])
    expect(err).not.toContain('another')
  })

  test('refuses impossible values with the line and the field', async () => {
    chmodSync(passwordFile, 0o644)
    const open = await cluster('check', '--config', config())
    chmodSync(passwordFile, 0o600)
    expect([open.code, open.err]).toEqual([2, expect.stringContaining('is accessible to others (mode 0644)')])
    const cases: [Parts, string][] = [
      [
        { database: { port: 70_000 } },
        'json:4: database.port: expected a whole number from 1 to 65535, found 70000',
      ],
      [{ database: { host: 'db.example.com' } }, 'database.tls: expected "on": db.example.com is not known'],
      [{ database: { pasword: 'x' } }, 'json:8: database.pasword: expected host, port, name'],
      [{ durability: { kind: 'quorum', standbys: ['a'], confirmations: 2 } }, 'found 2 of 1'],
      [{ durability: { kind: 'quorum', standbys: [] } }, 'durability.standbys: expected at least one name'],
      [{ durability: { kind: 'some' } }, 'expected an object whose kind is "quorum", "storage" or "single"'],
    ]
    for (const [parts, sentence] of cases) {
      const { code, err } = await cluster('check', '--config', config(parts))
      expect([sentence, code, err]).toEqual([sentence, 2, expect.stringContaining(sentence)])
    }
  })
})

test('a server with an untrusted certificate, or that of another server, is not connected to', async () => {
  const where = {
    ...server.where(ADMINISTRATOR),
    tls: { ca: readFileSync(path.join(TLS, 'first.pem'), 'utf8') },
  }
  const connection = await Connection.open(where)
  const { rows } = await connection.run({ text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()' })
  expect(rows).toEqual([{ ssl: true }])
  await connection.close()
  for (const [ca, host] of [
    [undefined, '127.0.0.1'],
    [readFileSync(path.join(TLS, 'second.pem'), 'utf8'), '127.0.0.1'],
    [where.tls.ca, 'localhost'],
  ] as const) {
    const refused = await Connection.open({ ...where, host, tls: { ca } }).then(
      () => 'connected',
      (cause) => cause.message as string,
    )
    expect(refused).toMatch(/certificate|altname|self.signed/i)
  }
})
