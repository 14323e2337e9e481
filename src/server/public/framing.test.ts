/** Answers of the three servers to requests that no client would send, on raw sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { LiveBackOffice } from '../../views/back-office.ts'
import { openAdminServer } from '../admin/admin-server.ts'
import type { AdminContext } from '../admin/context.ts'
import { Health } from '../monitoring/health.ts'
import { openMonitoringServer } from '../monitoring/monitoring-server.ts'
import { type Fixture, openFixture } from './gateway.fixture.ts'

type Server = { readonly url: string; readonly path: string; readonly served: number; stop(): Promise<void> }
type Name = 'public' | 'admin' | 'monitoring'

const logged: unknown[] = []
const note = (...parts: unknown[]) => logged.push(parts)
const log = { debug: note, info: note, warn: note, error: note }

let fixture: Fixture
const servers: Partial<Record<Name, Server>> = {}

beforeAll(async () => {
  fixture = await openFixture()
  const here = { hostname: '127.0.0.1', port: 0, log }
  const context = { backOffice: new LiveBackOffice({ rulesVersion: 1 }) } as unknown as AdminContext
  const metrics = { contentType: 'text/plain', text: async () => 'some 1\n' }
  servers.public = { url: fixture.url, path: '/api/v3/exchangeInfo', served: 200, stop: () => fixture.stop() }
  servers.admin = {
    ...openAdminServer({ ...here, context, token: 'x' }),
    path: '/admin/v1/node/status',
    served: 401,
  }
  const monitoring = openMonitoringServer({ ...here, health: new Health(() => 0), metrics })
  servers.monitoring = { ...monitoring, path: '/metrics', served: 200 }
})
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())))

/**
 * Sends bytes, one per character, and ends as soon as a complete answer has come or the server has closed.
 */
function answerTo(url: string, bytes: string): Promise<{ status: number; text: string; isClosed: boolean }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const done = (isClosed: boolean) => {
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text, isClosed })
      socket.destroy()
    }
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('close', () => done(true))
    socket.on('data', (chunk) => {
      text += chunk
      // The answer follows the `100 Continue`.
      const [head = '', body] = text.replace(/^(?:HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/, '').split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN)
      if (body !== undefined && body.length >= length && !/^connection: close$/im.test(head)) done(false)
    })
  })
}

const NAMES: readonly Name[] = ['public', 'admin', 'monitoring']
const MALFORMED_HOSTS = [
  ...[
    '',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'user@a',
    'a\\b',
    '<x>',
    '"',
    'a,b',
    '%',
    'a%00b',
    '{}',
    '^',
    '|',
    '\xe9',
  ],
  ...[
    '[',
    '[::1',
    '::1',
    '[::g]',
    '[]',
    '[127.0.0.1',
    'a:b',
    'a:',
    'a:99999',
    'a:1:2',
    '[::1]:x',
    '999.999.999.999',
  ],
  ...['xn--', '/', '//', 'http://a', 'a'.repeat(300)],
]

describe.each([...NAMES])('the %s server', (name) => {
  const ask = (head: readonly string[], path?: string, version = 'HTTP/1.1') => {
    const server = servers[name] as Server
    return answerTo(server.url, [`GET ${path ?? server.path} ${version}`, ...head, '', ''].join('\r\n'))
  }
  const clean = (text: string) => {
    expect(text).not.toMatch(/^\s*at |node_modules|\.ts\b|TypeError|SyntaxError|<html/im)
  }

  test('refuses a Host that is not a host name with 400 and says so, without a stack trace and without a log entry', async () => {
    const before = [logged.length, fixture.logged.length]
    for (const host of MALFORMED_HOSTS) {
      const { status, text } = await ask([`Host: ${host}`])
      expect([host, status]).toEqual([host, 400])
      expect(text).toContain('"INVALID_HOST"')
      clean(text)
    }
    expect([logged.length, fixture.logged.length]).toEqual(before)
  })

  test('refuses a Host that is given twice, equal or not', async () => {
    for (const second of ['127.0.0.1', 'b', '']) {
      const { status, text } = await ask(['Host: 127.0.0.1', `Host: ${second}`])
      expect(status).toBe(400)
      expect(text).toContain('"INVALID_HOST"')
    }
  })

  test('refuses a Content-Length that is given twice and closes the connection, equal or not', async () => {
    const { url, path } = servers[name] as Server
    for (const [second, reason] of [
      ['3', '"DUPLICATE_HEADER"'],
      ['4', ''],
    ]) {
      const lengths = `Content-Length: 3\r\nContent-Length: ${second}\r\n`
      const hidden = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
      const bytes = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lengths}\r\nabc${hidden}`
      const { status, text, isClosed } = await answerTo(url, bytes)
      expect([status, isClosed]).toEqual([400, true])
      expect(text).toContain(reason as string)
      expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    }
  })

  test('refuses an encoded body by name, and accepts one that is not', async () => {
    for (const encoding of ['gzip', 'br', 'GZIP', 'identity, gzip', 'identity;q=0', 'x-identity']) {
      const { status, text } = await ask(['Host: 127.0.0.1', `Content-Encoding: ${encoding}`])
      expect([encoding, status]).toEqual([encoding, 400])
      expect(text).toContain('"UNSUPPORTED_CONTENT_ENCODING"')
      clean(text)
    }
    for (const encoding of ['identity', 'Identity', '', 'identity, IDENTITY', ' , identity']) {
      const { text } = await ask(['Host: 127.0.0.1', `Content-Encoding: ${encoding}`])
      expect(text).not.toContain('UNSUPPORTED_CONTENT_ENCODING')
    }
  })

  test('accepts a repeated expectation as a single one, and ignores an empty one', async () => {
    const { url, path } = servers[name] as Server
    for (const lines of [['Expect: 100-continue', 'Expect: 100-continue'], ['Expect:'], ['Expect: ,']]) {
      const head = ['Host: 127.0.0.1', ...lines, 'Content-Length: 3']
      const bytes = [`POST ${path} HTTP/1.1`, ...head, '', 'a=b'].join('\r\n')
      const { text } = await answerTo(url, bytes)
      expect([lines, text.includes('EXPECTATION_FAILED')]).toEqual([lines, false])
      expect(text).toMatch(/^HTTP\/1\.1 [1-5]\d\d /)
    }
  })

  test('answers at once a client that expects anything but 100-continue, or where it cannot send that', async () => {
    const { url, path } = servers[name] as Server
    for (const expectation of [
      '100-Continue',
      '100-CONTINUE',
      '200-ok',
      '100-continue, x',
      '100-continue;x=1',
      '100-Continue, 100-continue',
    ]) {
      const head = ['Host: 127.0.0.1', `Expect: ${expectation}`, 'Content-Length: 3']
      const bytes = [`POST ${path} HTTP/1.1`, ...head, '', ''].join('\r\n')
      const { status, text, isClosed } = await answerTo(url, bytes)
      expect([expectation, status, isClosed]).toEqual([expectation, 417, true])
      expect(text).toContain('"EXPECTATION_FAILED"')
      clean(text)
    }
  })

  test.each([
    ['no Host', [], undefined, 'HTTP/1.1', [400]],
    ['a folded header', ['Host: 127.0.0.1', 'X-A: 1', ' 2'], undefined, 'HTTP/1.1', [400]],
    ['a line feed alone', ['Host: 127.0.0.1\nX-A: 1'], undefined, 'HTTP/1.1', [400]],
    ['a zero byte in a header', ['Host: 127.0.0.1', 'X-A: \0'], undefined, 'HTTP/1.1', [400]],
    ['a zero byte in Host', ['Host: a\0b'], undefined, 'HTTP/1.1', [400]],
    ['a zero byte in the path', ['Host: 127.0.0.1'], '/a\0b', 'HTTP/1.1', [400, 505]],
    ['another version', ['Host: 127.0.0.1'], undefined, 'HTTP/2.0', [505]],
    ['a path that is too long', ['Host: 127.0.0.1'], `/${'a'.repeat(40_000)}`, 'HTTP/1.1', [431]],
    [
      'a header that is too long',
      ['Host: 127.0.0.1', `X-A: ${'a'.repeat(40_000)}`],
      undefined,
      'HTTP/1.1',
      [431],
    ],
    ['no path', ['Host: 127.0.0.1'], 'nothing', 'HTTP/1.1', [400]],
    [
      'an absolute target without a host',
      ['Host: 127.0.0.1'],
      'http://[/x',
      'HTTP/1.1',
      [400, 401, 404, 421],
    ],
  ] as const)('refuses %s, without a stack trace', async (_what, head, path, version, statuses) => {
    const { status, text } = await ask(head, path, version)
    expect(statuses).toContain(status as never)
    clean(text)
  })

  test('serves HTTP/1.0 without a Host, an absolute target, and any other valid host', async () => {
    const { url, path, served } = servers[name] as Server
    expect((await ask([], undefined, 'HTTP/1.0')).status).toBe(served)
    expect((await ask([`Host: ${new URL(url).host}`], `${url}${path}`)).status).toBe(served)
    for (const host of ['127.0.0.1', 'localhost', 'localhost:1', '[::1]:65535']) {
      expect([host, (await ask([`Host: ${host}`])).status]).toEqual([host, served])
    }
    for (const host of ['exchange.example', 'under_score', '192.0.2.1:80', '[2001:db8::1]', 'a-b.c']) {
      expect([host, (await ask([`Host: ${host}`])).status]).toEqual([host, name === 'public' ? 200 : 421])
    }
  })
})

test('an error of the admin server itself is a 500 with the envelope, and its stack is in the log alone', async () => {
  const backOffice = { tokens: () => Promise.reject(new Error('secret place')) } as unknown as LiveBackOffice
  const context = new Proxy({} as AdminContext, {
    get: (_, name) => (name === 'backOffice' ? backOffice : undefined),
  })
  const server = openAdminServer({ hostname: '127.0.0.1', port: 0, log, context, token: undefined })
  const bytes = 'POST /admin/v1/node/status HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer y\r\n\r\n'
  const { status, text } = await answerTo(server.url, bytes)
  await server.stop()
  expect(status).toBe(500)
  expect(text).toContain('"INTERNAL_ERROR"')
  expect(text).not.toContain('secret place')
})

describe('requests that the runtime refuses before any code of ours', () => {
  const HEAD = 'Host: 127.0.0.1\r\nConnection: close\r\n'
  const CHUNKED = 'Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n'
  /** The form in which the runtime writes it. */
  const BARE = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

  async function isServedAfter({ url, path, served }: Server): Promise<boolean> {
    return (await answerTo(url, `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`)).status === served
  }

  for (const name of NAMES) {
    test(`OPTIONS * and a method in lower case get no body from the ${name} server, which keeps serving`, async () => {
      const server = servers[name] as Server
      for (const line of ['OPTIONS *', `get ${server.path}`]) {
        const { text } = await answerTo(server.url, `${line} HTTP/1.1\r\n${HEAD}\r\n`)
        expect([line, ['', BARE].includes(text)]).toEqual([line, true])
        expect(await isServedAfter(server)).toBe(true)
      }
    })

    test(`trailers behind chunks follow the answer of the ${name} server as a refused request`, async () => {
      const server = servers[name] as Server
      const head = `POST ${server.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${CHUNKED}\r\n`
      const { text } = await answerTo(server.url, `${head}3\r\na=1\r\n0\r\nX-Later: 1\r\n\r\n`)
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
      // A client that reads only the first answer has disconnected before the second.
      const [, , second] = text.split(/(?=HTTP\/1\.1 \d)/).toSpliced(0, 0, '')
      expect([undefined, BARE]).toContain(second)
      expect(await isServedAfter(server)).toBe(true)
    })
  }
})
