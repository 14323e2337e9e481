import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Environment, loadSettings } from './load.ts'
import { SANDBOX_DEFAULTS, SERVE_DEFAULTS, type Settings } from './settings.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

function load(content: unknown, environment: Environment = {}, ...line: string[]): Settings {
  const file = path.join(directory, 'config.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return loadSettings(['--config', file, ...line], environment, SERVE_DEFAULTS)
}

function problem(content: unknown, environment: Environment = {}, ...line: string[]): string {
  try {
    load(content, environment, ...line)
  } catch (error) {
    return (error as Error).message
  }
  return 'no problem'
}

describe('settings', () => {
  test('the environment wins over the file, and the command line over both', () => {
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

  test('what nobody says is the default, limit by limit', () => {
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

  test('the sandbox needs nothing said, and limits can be switched off', () => {
    const settings = loadSettings(['--limits=off'], {}, SANDBOX_DEFAULTS)
    expect([settings.dataDirectory, settings.server.port, settings.server.hostname]).toEqual([
      'data/sandbox',
      8080,
      '127.0.0.1',
    ])
    expect(settings.gateway.limits).toEqual({ ...SANDBOX_DEFAULTS.gateway.limits, isEnabled: false })
  })

  test('an empty variable says nothing', () => {
    expect(load({ dataDirectory: 'd' }, { PORT: '', DATA_DIR: '' }).server.port).toBe(8080)
  })

  const cases: readonly [string, unknown, Environment, string[], string][] = [
    ['text that is no JSON', '{', {}, [], 'config.json: cannot be read as JSON'],
    ['a list', [], {}, [], 'config.json: the top level'],
    ['an unknown setting', { dataDirectory: 'd', prot: 1 }, {}, [], '"prot"'],
    ['an unknown limit', { dataDirectory: 'd', limits: { weight: 1 } }, {}, [], 'config.json: limits'],
    ['a limit of 0', { dataDirectory: 'd', stream: { connectionsMax: 0 } }, {}, [], 'stream.connectionsMax'],
    ['a fraction', { dataDirectory: 'd', engine: { batchBytesMax: 1.5 } }, {}, [], 'engine.batchBytesMax'],
    ['a text for a number', { dataDirectory: 'd', port: '80' }, {}, [], 'config.json: port'],
    [
      'a proxy that is none',
      { dataDirectory: 'd', http: { trustedProxies: ['lan'] } },
      {},
      [],
      'trustedProxies.0',
    ],
    [
      'an environment level',
      { dataDirectory: 'd' },
      { BOURSE_LOG_LEVEL: 'loud' },
      [],
      'BOURSE_LOG_LEVEL in the',
    ],
    ['no directory', {}, {}, [], 'expected a data directory'],
    ['an empty directory', { dataDirectory: 'd' }, {}, ['--data='], 'expected a data directory'],
    ['a negative port', { dataDirectory: 'd' }, {}, ['--port=-1'], '--port: expected a port'],
  ]
  for (const [what, content, environment, line, message] of cases) {
    test(`${what} stops the start and the place is named`, () => {
      expect(problem(content, environment, ...line)).toContain(message)
    })
  }
})
