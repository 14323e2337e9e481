import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkStreamConfig, STREAM_BOUNDS } from '../../server/stream/config.ts'
import { SANDBOX_DEFAULTS, SERVE_DEFAULTS, type Settings } from './defaults.ts'
import { type SettingValue, textOf } from './kinds.ts'
import { type Environment, loadSettings, loadWithOrigins, type Origin, type SettingsError } from './load.ts'
import { flatten, SETTINGS } from './schema.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

const file = path.join(directory, 'config.json')

function load(content: unknown, environment: Environment = {}, ...line: string[]): Settings {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return loadSettings(['--config', file, ...line], environment, SERVE_DEFAULTS)
}

/** The source of a value if everything else is the default. */
function originOf(
  name: string,
  content: unknown,
  environment: Environment,
  ...line: string[]
): Origin | undefined {
  writeFileSync(file, JSON.stringify(content))
  const all = ['--config', file, '--data=d', ...line]
  return loadWithOrigins(all, environment, SERVE_DEFAULTS).origins.get(name)
}

/** `{ http: { bodyBytesMax: value } }` for `http.bodyBytesMax`. */
function nested(name: string, value: SettingValue): unknown {
  return name.split('.').reduceRight((inner: unknown, part) => ({ [part]: inner }), value)
}

function problem(content: unknown, environment: Environment = {}, ...line: string[]): string {
  try {
    load(content, environment, ...line)
  } catch (error) {
    return (error as Error).message
  }
  return 'no problem'
}

function throws(check: () => void): boolean {
  try {
    check()
  } catch {
    return true
  }
  return false
}

describe('settings', () => {
  test('the environment overrides the file, and the command line overrides both', () => {
    const content = { dataDirectory: 'f', port: 1, adminPort: 1, host: '10.0.0.1', logLevel: 'error' }
    const environment = { PORT: '2', BOURSE_ADMIN_PORT: '2', DATA_DIR: 'e' }
    const { server, adminPort, dataDirectory, logLevel } = load(content, environment, '--port', '3')
    expect([server.port, adminPort, dataDirectory, server.hostname, logLevel]).toEqual([
      3,
      2,
      'e',
      '10.0.0.1',
      'error',
    ])
  })

  test('a value that is not set has its default, limit by limit', () => {
    const settings = load({
      dataDirectory: 'd',
      limits: { weightPerMinuteMax: 7 },
      http: { bodyTimeoutMs: 9, idleTimeoutSeconds: 11, trustedProxies: ['10.0.0.0/8'] },
      stream: { tradesOnJoin: 3 },
      engine: { batchRequestsMax: 5 },
      follower: { snapshotCommands: 6 },
    })
    const { gateway, server, stream, engine, follower } = SERVE_DEFAULTS
    expect(settings).toEqual({
      ...SERVE_DEFAULTS,
      dataDirectory: 'd',
      gateway: {
        ...gateway,
        limits: { ...gateway.limits, weightPerMinuteMax: 7 },
        bodyTimeoutMs: 9,
        trustedProxies: ['10.0.0.0/8'],
      },
      server: { ...server, idleTimeoutSeconds: 11 },
      stream: { ...stream, tradesOnJoin: 3 },
      engine: { ...engine, batchRequestsMax: 5 },
      follower: { ...follower, snapshotCommands: 6 },
    })
  })

  test('a sandbox needs no settings, and limits can be switched off', () => {
    const settings = loadSettings(['--limits=off'], {}, SANDBOX_DEFAULTS)
    expect([settings.dataDirectory, settings.server.port, settings.server.hostname]).toEqual([
      'data/sandbox',
      8080,
      '127.0.0.1',
    ])
    expect(settings.gateway.limits).toEqual({ ...SANDBOX_DEFAULTS.gateway.limits, isEnabled: false })
  })

  test('an empty variable counts as not set', () => {
    expect(load({ dataDirectory: 'd' }, { PORT: '', DATA_DIR: '' }).server.port).toBe(8080)
  })

  test('every setting has an option and a variable of its own, and each of the three ways says the same', () => {
    const { dataDirectory: _, ...rest } = Object.fromEntries(flatten(SERVE_DEFAULTS))
    for (const { name, kind, option, variable } of SETTINGS) {
      const standard = rest[name]
      if (standard === undefined || option === undefined) continue
      const other = typeof standard === 'number' && standard > 0 ? standard - 1 : standard
      if (kind.check(other) === undefined) continue
      const text = textOf(other)
      if (text === '') continue
      for (const [place, origin] of [
        [`--${option}`, originOf(name, {}, {}, `--${option}=${text}`)],
        [`${variable} in the environment`, originOf(name, {}, { [variable]: text })],
        [`${file}:1: ${name}`, originOf(name, nested(name, other), {})],
      ] as const) {
        expect([name, origin]).toEqual([name, { value: other, place }])
      }
    }
    const options = SETTINGS.flatMap(({ option }) => option ?? [])
    expect(new Set(options).size).toBe(options.length)
    expect(new Set(SETTINGS.map(({ variable }) => variable)).size).toBe(SETTINGS.length)
  })

  test('the admin server is open to other machines only with a certificate', () => {
    const files = ['--tls-cert-file=c', '--tls-key-file=k']
    const of = (host: string, ...line: string[]) =>
      load({ dataDirectory: 'd', adminHost: host }, {}, ...line).adminHost
    for (const host of ['127.0.0.1', '::1', 'localhost']) expect(of(host)).toBe(host)
    expect(of('0.0.0.0', ...files)).toBe('0.0.0.0')
    expect(() => of('10.0.0.1')).toThrow(
      'adminHost (10.0.0.1) must be 127.0.0.1, ::1 or localhost, or be used with a certificate in tls.certFile (not set)',
    )
  })

  test('addresses of customers need the domain that passkeys are bound to, belong to it, and are secure', () => {
    const said = (customers: object) => problem({ dataDirectory: 'd', customers })
    const rpId = 'exchange.example'
    for (const origins of [[], ['https://example'], ['https://notexchange.example'], ['https://a.example']])
      expect(said({ rpId, origins })).toContain(
        'must be set together with, and have only hosts in the domain of,',
      )
    expect(said({ origins: ['https://exchange.example'] })).toContain('customers.rpId (not set)')
    for (const origin of ['http://exchange.example', '*', 'https://exchange.example/trade'])
      expect(said({ rpId, origins: [origin] })).toContain('origins with https')
    for (const wrong of ['127.0.0.1', 'Exchange.example', 'https://exchange.example', '.example'])
      expect(said({ rpId: wrong })).toContain('expected a domain in lowercase')
    const origins = ['https://exchange.example', 'https://trade.exchange.example:8443']
    expect(load({ dataDirectory: 'd', customers: { rpId, origins } }).customers).toMatchObject({
      ...{ rpId, origins, isEnabled: false, signUp: 'CLOSED' },
    })
    const local = { rpId: 'localhost', origins: ['http://localhost:8080'] }
    expect(load({ dataDirectory: 'd', customers: local }).customers).toMatchObject(local)
  })

  test('all errors are found at once, each with its place', () => {
    const content = '{\n  "prot": 1,\n  "http": {\n    "bodyBytesMax": 0\n  }\n}'
    let problems: readonly string[] = []
    try {
      load(content, { BOURSE_HOSTS: 'x' }, '--port=x', '--data=d')
    } catch (error) {
      problems = (error as SettingsError).problems
    }
    expect(problems).toEqual([
      'BOURSE_HOSTS in the environment is not a setting; did you mean BOURSE_HOST? (bourse config show lists all)',
      `${file}:2: prot: there is no such setting; did you mean port?`,
      '--port: expected a port from 0 to 65535, found "x"',
      `${file}:4: http.bodyBytesMax: expected a whole number of at least 1, found 0`,
    ])
  })

  test('a secret never appears in a message, and is never taken from a file or an option', () => {
    expect(problem('{"masterKey": "0123secret"}')).toBe(
      `${file}:1: masterKey: secrets are not allowed in the file: set BOURSE_MASTER_KEY`,
    )
    expect(problem({ dataDirectory: 'd' }, {}, '--master-key=0123secret')).toContain('unknown option')
  })

  const limits = { drainedBytesMax: 5_000_000 }
  const cases: readonly [string, unknown, Environment, string[], string][] = [
    ['text that is no JSON', '{\n{', {}, [], 'config.json:2: cannot be read as JSON: expected a text'],
    ['a list', [], {}, [], 'config.json:1: the top level: expected an object'],
    ['a name that stands twice', '{"port": 1,\n"port": 2}', {}, [], 'config.json:2: cannot be read'],
    [
      'an unknown setting',
      { dataDirectory: 'd', prot: 1 },
      {},
      [],
      'config.json:1: prot: there is no such setting',
    ],
    [
      'an unknown limit',
      { limits: { weight: 1 } },
      {},
      ['--data=d'],
      'config.json:1: limits.weight: there is no such setting',
    ],
    ['a number for a group', { http: 1 }, {}, ['--data=d'], 'config.json:1: http: expected an object'],
    ['a limit of 0', { stream: { connectionsMax: 0 } }, {}, ['--data=d'], 'stream.connectionsMax: expected'],
    ['a fraction', { engine: { batchBytesMax: 1.5 } }, {}, ['--data=d'], 'engine.batchBytesMax: expected'],
    ['a text for a number', { port: '80' }, {}, ['--data=d'], 'config.json:1: port: expected'],
    ['a proxy that is none', { http: { trustedProxies: ['lan'] } }, {}, ['--data=d'], 'http.trustedProxies'],
    ['an origin with a path', { http: { corsOrigins: ['https://a/b'] } }, {}, ['--data=d'], 'corsOrigins'],
    ['an environment level', {}, { BOURSE_LOG_LEVEL: 'loud' }, ['--data=d'], 'BOURSE_LOG_LEVEL in the'],
    [
      'two windows of one name',
      {},
      {},
      ['--data=d', '--limits-order-windows=A:1:1,A:2:2'],
      '--limits-order-',
    ],
    ['no directory', {}, {}, [], 'expected a data directory'],
    ['an empty directory', { dataDirectory: 'd' }, {}, ['--data='], '--data: expected a text that is not'],
    ['a negative port', { dataDirectory: 'd' }, {}, ['--port=-1'], '--port: expected a port'],
    [
      'a certificate without its key',
      {},
      {},
      ['--data=d', '--tls-cert-file=c'],
      '--tls-cert-file: tls.certFile',
    ],
    ['limits that contradict', { stream: limits }, {}, ['--data=d'], 'config.json:1: stream.drainedBytesMax'],
  ]
  test('limits of the stream are refused exactly where the stream would not start with them', () => {
    const { stream } = SERVE_DEFAULTS
    // Every bound of one limit, and every default that another limit may be compared with, from both sides.
    const values = new Set(
      [...Object.values(stream), 1, 8, 960].flatMap((value) => [value - 1, value, value + 1]),
    )
    const refused: string[] = []
    for (const name of Object.keys(stream)) {
      for (const value of values) {
        const canStart = !throws(() => checkStreamConfig({ ...stream, [name]: value }))
        const found = problem({ dataDirectory: 'd', stream: { [name]: value } })
        expect(`${name} ${value}: ${found === 'no problem'}`).toBe(`${name} ${value}: ${canStart}`)
        if (!canStart && value > 0) refused.push(name)
      }
    }
    const bounded = STREAM_BOUNDS.flatMap(({ name, other }): string[] => [name, other])
    expect(new Set(refused)).toEqual(new Set([...bounded, 'idleTimeoutSeconds']))
  })

  test('the limit of a connection is within that of its address, and that within the limit of all: otherwise the start is refused with both names', () => {
    const defaults = flatten(SERVE_DEFAULTS)
    const of = (name: string): number => Number(defaults.get(name))
    // The same name without `PerAddress` is the limit of one connection, or of all: the defaults show which.
    const pairs = [...defaults.keys()].flatMap((name): [string, string][] => {
      const other = name.replace('PerAddress', '')
      if (other === name || !defaults.has(other)) return []
      return [of(name) <= of(other) ? [name, other] : [other, name]]
    })
    expect(pairs.length).toBeGreaterThan(5)
    for (const [part, whole] of pairs) {
      const most = of(whole)
      const [group = '', name = ''] = part.split('.')
      const found = (value: number) => problem({ [group]: { [name]: value } }, {}, '--data=d')
      expect(`${part}: ${found(most)}`).toBe(`${part}: no problem`)
      expect(found(most + 1)).toContain(`${part} (${most + 1}) must be at most ${whole} (${most})`)
    }
  })

  for (const [what, content, environment, line, message] of cases) {
    test(`${what} stops the start and the place is named`, () => {
      expect(problem(content, environment, ...line)).toContain(message)
    })
  }
})
