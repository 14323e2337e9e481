import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SettingsError } from '../settings/load.ts'
import { settingsWith } from '../settings/section.ts'
import { linkSecretsOf, loadCluster } from './settings.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-cluster-file-'))
afterAll(() => rmSync(directory, { recursive: true }))
const file = path.join(directory, 'cluster.json')

const LINK = { secretFile: '/etc/bourse/link.secret', tls: { certFile: 'c.pem', keyFile: 'k.pem' } }
const ENGINE = { name: 'engine-1', link: 'one.example:7701' }
const WHOLE = {
  database: { host: '127.0.0.1', name: 'bourse', tls: 'off' },
  durability: { kind: 'single' },
  link: LINK,
  engines: [
    ENGINE,
    { name: 'engine-2', link: '[::1]:7701', data: '/var/lib/bourse', admin: '127.0.0.1:8081' },
  ],
  historians: [{ name: 'historian-1', link: '/run/bourse/historian.sock', monitoring: 'localhost:9464' }],
  gateways: [{ name: 'gateway-1', port: 8080 }],
  leadership: { heartbeatMs: 100 },
  masterKeyFile: '/etc/bourse/master.key',
  settings: { http: { bodyBytesMax: 5000 }, logLevel: 'warn' },
}

const CUSTOMERS = {
  exchangeSecretFile: '/etc/bourse/exchange.secret',
  gatewaySecretFile: '/etc/bourse/gateway.secret',
  processes: [{ name: 'a', link: 'four.example:7706' }],
}
const STORE = { host: '127.0.0.1', name: 'people', tls: 'off' }
const PEOPLE = { customers: { rpId: 'exchange.example', origins: ['https://trade.exchange.example'] } }
/** The parts of the file for customers. */
const WITH_CUSTOMERS = {
  engines: [{ ...ENGINE, customers: 'one.example:7705' }],
  customers: CUSTOMERS,
  settings: PEOPLE,
}

function load(content: unknown) {
  writeFileSync(file, JSON.stringify(content, null, 1))
  return loadCluster(file)
}

/** The errors in a cluster file with these parts, without its path. */
function problemsOf(parts: object): readonly string[] {
  try {
    load({ ...WHOLE, ...parts })
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.map((each) => each.replace(`${file}:`, ''))
    throw error
  }
  return []
}

describe('the file of a cluster', () => {
  test('gives every part, with defaults for what is left out', () => {
    const cluster = load(WHOLE)
    expect(cluster.engines).toEqual([
      { name: 'engine-1', link: { kind: 'TCP', host: 'one.example', port: 7701 } },
      {
        name: 'engine-2',
        link: { kind: 'TCP', host: '::1', port: 7701 },
        data: '/var/lib/bourse',
        admin: { host: '127.0.0.1', port: 8081 },
      },
    ])
    expect(cluster.historians).toEqual([
      {
        name: 'historian-1',
        link: { kind: 'SOCKET', path: '/run/bourse/historian.sock' },
        monitoring: { host: 'localhost', port: 9464 },
      },
    ])
    expect([cluster.gateways, cluster.leadership]).toEqual([
      [{ name: 'gateway-1', port: 8080 }],
      { heartbeatMs: 100, silenceMs: 700, gatewayReadyMs: 30_000 },
    ])
    expect(cluster.masterKeyFile).toBe('/etc/bourse/master.key')
  })

  test('requires only its database and what is declared about it', () => {
    const { database, durability } = WHOLE
    const { engines, gateways, historians, link, leadership } = load({ database, durability })
    expect([engines, gateways, historians, link]).toEqual([[], [], [], undefined])
    expect(leadership).toEqual({ heartbeatMs: 150, silenceMs: 700, gatewayReadyMs: 30_000 })
  })

  test('has settings under the names of the file of bourse serve, for every process', () => {
    const { settings } = load(WHOLE)
    const made = settingsWith(
      settings,
      new Map<string, string | number>([
        ['dataDirectory', 'd'],
        ['port', 9],
      ]),
    )
    expect([made.gateway.bodyBytesMax, made.logLevel, made.dataDirectory, made.server.port]).toEqual([
      5000,
      'warn',
      'd',
      9,
    ])
    const outside = new Map([
      ['dataDirectory', 'd'],
      ['adminHost', '10.0.0.1'],
    ])
    expect(() => settingsWith(settings, outside)).toThrow('adminHost (10.0.0.1) must be 127.0.0.1')
  })

  test('has the processes of customers, and what gateways and engines need of them', () => {
    const { customers, engines, settings } = load({ ...WHOLE, ...WITH_CUSTOMERS })
    expect(customers?.processes).toEqual([
      { name: 'a', link: { kind: 'TCP', host: 'four.example', port: 7706 } },
    ])
    expect(engines[0]?.customers).toEqual({ host: 'one.example', port: 7705 })
    expect(settings.get('customers.rpId')?.value).toBe('exchange.example')
    // The file alone does not define links to customers processes.
    expect(load(WHOLE).customers).toBeUndefined()
  })

  test('can be read where the secrets that it names cannot', () => {
    const cluster = load(WHOLE)
    const { link } = cluster
    if (link === undefined) throw new Error('expected the section link')
    expect(() => linkSecretsOf(link)).toThrow('/etc/bourse/link.secret cannot be read')
  })
})

describe('a secret of links', () => {
  function secretIn(text: string, mode = 0o600) {
    const secretFile = path.join(directory, `secret-${Math.random()}`)
    writeFileSync(secretFile, text, { mode })
    return secretFile
  }

  test('is read together with the previous one, newest first', () => {
    const [newest, before] = ['n'.repeat(32), 'b'.repeat(32)]
    const files = { secretFile: secretIn(`${newest}\n`), previousSecretFile: secretIn(before) }
    expect(linkSecretsOf(files).secrets).toEqual([newest, before])
  })

  test('is refused when it is short or readable by others', () => {
    const of = (secretFile: string) => linkSecretsOf({ secretFile })
    expect(() => of(secretIn('s'.repeat(31)))).toThrow(
      'expected a secret of at least 32 characters, found 31',
    )
    expect(() => of(secretIn('s'.repeat(32), 0o644))).toThrow('is accessible to others (mode 0644)')
  })
})

const CASES: readonly [string, object, string][] = [
  [
    'a name of capitals',
    { engines: [{ ...ENGINE, name: 'Engine' }] },
    '19: engines.0.name: expected a name of 1 to 63 characters from a-z',
  ],
  [
    'an address without a port',
    { engines: [{ ...ENGINE, link: 'one' }] },
    'engines.0.link: expected host:port, or the absolute path',
  ],
  [
    'a port out of range',
    { engines: [{ ...ENGINE, admin: 'one:70000' }] },
    'engines.0.admin: expected host:port, found "one:70000"',
  ],
  [
    'an unknown field',
    { engines: [{ ...ENGINE, port: 1 }] },
    'engines.0.port: expected name, link, data, admin, customers, monitoring, and no other field, found 1',
  ],
  ['no engine at all', { engines: [] }, 'engines: expected a list of 1 to 7 entries, found []'],
  [
    'too many engines',
    { engines: Array.from({ length: 8 }, (_, i) => ({ name: `e${i}`, link: `e:${i + 1}` })) },
    'engines: expected a list of 1 to 7',
  ],
  ['no list', { historians: 'one' }, 'historians: expected a list of 0 to 16 entries, found "one"'],
  [
    'a gateway without a port',
    { gateways: [{ name: 'g' }] },
    'gateways.0.port: expected a whole number from 1 to 65535, found nothing',
  ],
  [
    'a name twice',
    { gateways: [{ name: 'engine-1', port: 1 }] },
    'gateways.0.name: expected a value other than that of engines.0.name, found engine-1',
  ],
  [
    'a link twice',
    { historians: [{ name: 'h', link: 'one.example:7701' }] },
    'historians.0.link: expected a value other than that of engines.0.link',
  ],
  [
    'no link for an engine',
    { link: undefined },
    '1: link: expected an object with secretFile and tls, which engines',
  ],
  [
    'an unknown word for TLS',
    { link: { ...LINK, tls: 'on' } },
    'link.tls: expected "off", or an object with certFile, keyFile and caFile, found "on"',
  ],
  [
    'no TLS beyond this machine',
    { link: { ...LINK, tls: 'off' } },
    'engines.0.link: expected an address of this machine, since link.tls is "off", found one.example:7701',
  ],
  [
    'a heartbeat out of range',
    { leadership: { heartbeatMs: 1 } },
    'leadership.heartbeatMs: expected a whole number from 20 to 10000, found 1',
  ],
  [
    'a silence of two heartbeats',
    { leadership: { heartbeatMs: 350 } },
    'leadership.silenceMs: expected at least 3 times heartbeatMs (350), found 700',
  ],
  [
    'an unknown setting',
    { settings: { http: { bodyMax: 1 } } },
    'settings.http.bodyMax: there is no such setting',
  ],
  [
    'a setting of the wrong form',
    { settings: { http: { bodyBytesMax: 0 } } },
    'settings.http.bodyBytesMax: expected a whole number of at least 1, found 0',
  ],
  [
    'settings that contradict each other',
    { settings: { limits: { banMsMin: 9e9 } } },
    'limits.banMsMin (9000000000) must be at most limits.banMsMax',
  ],
  [
    'a setting of one process',
    { settings: { dataDirectory: '/d' } },
    'settings.dataDirectory: not allowed here: set "data" of the engine or historian instead',
  ],
  ['a secret', { settings: { masterKey: 'k' } }, 'settings.masterKey: secrets are not allowed in the file'],
  ['a path of no text', { masterKeyFile: 1 }, 'masterKeyFile: expected the path of a file, found 1'],
  [
    'customers whom an engine has no address for',
    { ...WITH_CUSTOMERS, engines: [ENGINE] },
    'engines.0: expected host:port, at which the customers processes reach this engine',
  ],
  [
    'customers without a domain',
    { ...WITH_CUSTOMERS, settings: { customers: { name: 'Example' } } },
    'customers.rpId: expected the domain that passkeys are bound to, found nothing',
  ],
  [
    'one secret for customers and links',
    { ...WITH_CUSTOMERS, customers: { ...CUSTOMERS, exchangeSecretFile: LINK.secretFile } },
    'customers.exchangeSecretFile: expected a file of its own',
  ],
  [
    'one secret for gateways and engines of customers',
    { ...WITH_CUSTOMERS, customers: { ...CUSTOMERS, gatewaySecretFile: CUSTOMERS.exchangeSecretFile } },
    'customers.gatewaySecretFile: expected a file of its own',
  ],
  [
    'a process of customers with the name of another process',
    { ...WITH_CUSTOMERS, customers: { ...CUSTOMERS, processes: [{ name: 'gateway-1', link: 'f:1' }] } },
    'customers.processes.0.name: expected a value other than that of gateways.0.name, found gateway-1',
  ],
  [
    'two processes of customers over files',
    {
      ...WITH_CUSTOMERS,
      customers: {
        ...CUSTOMERS,
        processes: [...CUSTOMERS.processes, { name: 'b', link: 'five.example:7706' }],
      },
    },
    'customers.processes.1: expected one process, or the databases store and keys',
  ],
  [
    'a store of customers without its keys',
    { ...WITH_CUSTOMERS, customers: { ...CUSTOMERS, store: STORE } },
    'customers.store: expected to be set together with keys',
  ],
  [
    'a store of customers over an open network',
    { ...WITH_CUSTOMERS, customers: { ...CUSTOMERS, store: { ...STORE, host: 'db.example' }, keys: STORE } },
    'customers.store.tls: expected "on": db.example is not known to be this machine',
  ],
  [
    'a switch of customers',
    { settings: { customers: { isEnabled: true } } },
    'settings.customers.isEnabled: not allowed here: list the customers processes in "customers"',
  ],
  ['an unknown part', { engine: {} }, 'engine: expected database, durability, link, engines'],
]

for (const [what, parts, sentence] of CASES) {
  test(`the file of a cluster is refused for ${what}, with line and field`, () => {
    const problems = problemsOf(parts)
    expect(problems.length).toBe(1)
    expect(problems[0]).toMatch(/^\d+: /)
    expect(problems[0]).toContain(sentence)
  })
}
