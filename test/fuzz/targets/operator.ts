/** Operators' input: the configuration file, the command line, requests to the admin server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_DEFAULTS } from '../../../src/app/settings/defaults.ts'
import { loadSettings, OPTION_FORMS, SettingsError } from '../../../src/app/settings/load.ts'
import { parseArguments, UsageError } from '../../../src/cli/arguments.ts'
import { AdminRequestError } from '../../../src/server/admin/context.ts'
import { isOperation, parseRequest } from '../../../src/server/admin/requests.ts'
import { expectThat, type Target } from '../target.ts'

/** `loadSettings`: the input is the configuration file. */
export function settings(): Target<string> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-fuzz-'))
  const path = join(directory, 'bourse.json')
  return {
    name: 'settings',
    executions: 8_000,
    samples: [
      '{}',
      '{"port":8080,"host":"127.0.0.1","logLevel":"info","limits":{"isEnabled":false,"weightPerMinuteMax":1}}',
      '{"http":{"trustedProxies":["10.0.0.0/8"],"bodyBytesMax":1024},"stream":{"frameBytesMax":1},"engine":{},"follower":{}}',
      '{"limits":{"orderWindows":[{"name":"10S","windowMs":10000,"ordersMax":100}]}}',
      '[]',
      'null',
    ],
    tokens: [
      '"port":',
      '-1',
      '1.5',
      '1e400',
      'null',
      '{"__proto__":1}',
      ',',
      '"x"',
      '70000',
      '"10.0.0.0/99"',
      '[]',
    ],
    check: (text) => {
      writeFileSync(path, text)
      try {
        const found = loadSettings(['--config', path], {}, SANDBOX_DEFAULTS)
        checkSettings(found)
        return 'settings'
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error
        expectThat(
          error.problems.every((problem) => problem.startsWith(`${path}:`) && !problem.includes('\n')),
          () => error.message,
        )
        return 'SettingsError'
      }
    },
    outcomes: ['settings', 'SettingsError'],
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function checkSettings({
  server,
  adminPort,
  gateway,
  stream,
  engine,
  follower,
}: ReturnType<typeof loadSettings>): void {
  for (const port of [server.port, adminPort]) {
    expectThat(Number.isInteger(port) && port >= 0 && port <= 65_535, () => `port ${port}`)
  }
  for (const limits of [stream, engine, follower]) {
    for (const [name, value] of Object.entries(limits)) {
      expectThat(Number.isSafeInteger(value) && value >= 1, () => `${name} is ${value}`)
    }
  }
  expectThat(Number.isSafeInteger(gateway.bodyBytesMax) && gateway.bodyBytesMax >= 1, () => 'bodyBytesMax')
  expectThat(gateway.limits.orderWindows.length >= 1, () => 'no order window')
}

/** `parseArguments` and `loadSettings`: the input is a command line, one word a line. */
export const commandLine: Target<string> = {
  name: 'command-line',
  executions: 15_000,
  samples: [
    '--port\n8080',
    '--port=8080\n--limits\noff',
    '--data=x\n--\n--port',
    '--help',
    '--accept-journal-tail',
    '--prot\n1',
    '-h',
    '--port=1\n--port=2',
    '--limits=maybe',
  ],
  tokens: [
    '\n',
    '--',
    '=',
    '--config=/nowhere',
    '--__proto__',
    '--constructor=1',
    '65536',
    '--log-level=debug',
    'off',
  ],
  check: (text) => {
    const line = text.split('\n')
    try {
      const { words, options } = parseArguments(line, OPTION_FORMS)
      for (const [name, value] of options) {
        const form = Object.hasOwn(OPTION_FORMS, name) ? OPTION_FORMS[name] : undefined
        expectThat(form === (value === true ? 'flag' : 'value'), () => `--${name} became ${value}`)
      }
      expectThat(words.length + options.size <= line.length, () => 'more words than were typed')
      loadSettings(line, {}, SANDBOX_DEFAULTS)
      return 'settings'
    } catch (error) {
      if (error instanceof UsageError || error instanceof SettingsError) return error.name
      throw error
    }
  },
  outcomes: ['settings', 'UsageError', 'SettingsError'],
}

/** `parseRequest`: the operation, a line feed, and the body. */
export const admin: Target<string> = {
  name: 'admin',
  executions: 30_000,
  samples: [
    'node/status\n{}',
    'asset/add\n{"code":"BTC","fraction":8,"name":"Bitcoin","supplyCap":"0","isTrade":true}',
    'symbol/add\n{"symbol":"BTC/USDT","baseFraction":8,"quoteFraction":2,"takerRate":"0.001","openOrdersMax":5}',
    'money/credit\n{"account":"alice","asset":"BTC","amount":"1.5","reference":"r","actor":"me","note":"why"}',
    'money/move\n{"account":"alice","asset":"BTC","amount":"1","from":"free","to":"freeze","reference":"r"}',
    'key/add\n{"account":"alice","permissions":["TRADE"],"addresses":["10.0.0.0/8"]}',
    'account/list\n{"after":"alice","limit":10}',
    'account/search\n{"text":"ali","limit":10}',
    'toString\n{}',
    'symbol/halt\n[]',
  ],
  tokens: [
    '\n',
    '"',
    '{"__proto__":{}}',
    '"x":1',
    'null',
    '1e300',
    '""',
    '\\ud800',
    'symbol/resume',
    'account/add',
    '"name":"a:b"',
  ],
  check: (text) => {
    const feed = text.indexOf('\n')
    const operation = feed < 0 ? text : text.slice(0, feed)
    if (!isOperation(operation)) return 'no operation'
    let body: unknown
    try {
      body = JSON.parse(text.slice(feed + 1))
    } catch {
      return 'no JSON'
    }
    try {
      const request = parseRequest(operation, body)
      expectThat(Bun.deepEquals(request, body), () => `${JSON.stringify(request)} was read`)
      return 'request'
    } catch (error) {
      if (!(error instanceof AdminRequestError)) throw error
      const { reason, field, message } = error.error
      expectThat(
        error.status === 400 && reason === 'INVALID_FIELD' && field !== undefined && message !== '',
        () => message,
      )
      return 'refusal'
    }
  },
  outcomes: ['request', 'refusal', 'no operation', 'no JSON'],
}
