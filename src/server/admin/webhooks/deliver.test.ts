/**
 * Requests of webhooks to all kinds of receivers: they work, fail, hang, close the connection, redirect,
 * answer too much, or do not exist.
 */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { until } from '../../../../test/support/until.ts'
import { chosenAddress, type Delivery, deliver } from './deliver.ts'

const TLS = path.join(import.meta.dir, '../../../../test/support/tls')
const pem = (name: string) => readFileSync(path.join(TLS, name), 'utf8')

const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A receiver over HTTP; `taken`: the received bodies. */
function receiver(
  answer: (request: Request) => Response | Promise<Response>,
  tls?: { cert: string; key: string },
) {
  const taken: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    ...(tls === undefined ? {} : { tls }),
    fetch: async (request) => {
      taken.push(await request.clone().text())
      return answer(request)
    },
  })
  ends.push(() => server.stop(true))
  return { taken, url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${server.port}/hook?a=1` }
}

/** A receiver of bytes. */
async function socketReceiver(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

const send = (url: string, more: Partial<Delivery> = {}) =>
  deliver({
    ...{ url: new URL(url), headers: { 'X-Bourse-Event': '7' }, body: '{"a":"ü"}' },
    ...{ timeoutMs: 60_000, mayBePrivate: true, signal: new AbortController().signal },
    ...more,
  })

const problemOf = async (url: string, more: Partial<Delivery> = {}): Promise<string> => {
  const outcome = await send(url, more)
  return outcome.kind === 'FAILED' ? outcome.problem : `delivered with ${outcome.status}`
}

test('a receiver gets path, query, headers and the exact bytes of the body', async () => {
  const seen: unknown[] = []
  const { taken, url } = receiver((request) => {
    const { pathname, search } = new URL(request.url)
    seen.push([request.method, pathname + search, request.headers.get('x-bourse-event')])
    seen.push(request.headers.get('content-type'))
    return new Response('ok')
  })
  expect(await send(url)).toEqual({ kind: 'DELIVERED', status: 200 })
  expect([taken, seen]).toEqual([['{"a":"ü"}'], [['POST', '/hook?a=1', '7'], 'application/json']])
})

test('every status of success is accepted, and no other one', async () => {
  for (const [status, expected] of [
    [204, 'delivered with 204'],
    [299, 'delivered with 299'],
    [302, 'was answered with status 302'],
    [404, 'was answered with status 404'],
    [500, 'was answered with status 500'],
  ] as const) {
    const { url } = receiver(() => new Response(null, { status }))
    expect(await problemOf(url)).toBe(expected)
  }
})

test('a redirect is not followed', async () => {
  const other = receiver(() => new Response(''))
  const { url } = receiver(() => Response.redirect(other.url, 307))
  expect(await problemOf(url)).toBe('was answered with status 307')
  expect(other.taken).toEqual([])
})

test('a receiver that never answers takes the time limit and no longer', async () => {
  const { url } = receiver(() => new Promise<Response>(() => {}))
  expect(await problemOf(url, { timeoutMs: 50 })).toBe('no answer within 50 ms')
})

test('an address that is resolved after the time limit is not connected to', async () => {
  let connections = 0
  const url = await socketReceiver((socket) => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\n\r\n')
  })
  const found = Promise.withResolvers<readonly string[]>()
  const addressesOf = () => found.promise
  const named = url.replace('127.0.0.1', 'books.example')
  expect(await problemOf(named, { timeoutMs: 1, addressesOf })).toBe('no answer within 1 ms')
  found.resolve(['127.0.0.1'])
  await Bun.sleep(0)
  // Connections are accepted in order, so a client that connects afterwards would be the first if the ended
  // request had opened none.
  expect(await send(url)).toEqual({ kind: 'DELIVERED', status: 200 })
  expect(connections).toBe(1)
})

test('an endless answer is not read beyond its status, and its connection is closed at once', async () => {
  let isClosed = false
  const url = await socketReceiver((socket) => {
    socket.on('close', () => {
      isClosed = true
    })
    const more = (): void => {
      if (!socket.destroyed) socket.write('x'.repeat(65_536), more)
    }
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n', more)
  })
  expect(await send(url)).toEqual({ kind: 'DELIVERED', status: 200 })
  await until('the connection is closed', () => isClosed)
})

test('an endless status line, an answer that is not HTTP and a connection that dies are failures', async () => {
  const endless = await socketReceiver((socket) => socket.write('H'.repeat(10_000)))
  expect(await problemOf(endless)).toBe('the answer is not HTTP/1.1')
  const other = await socketReceiver((socket) => socket.write('SSH-2.0-something\r\n'))
  expect(await problemOf(other)).toBe('the answer is not HTTP/1.1')
  const dying = await socketReceiver((socket) => socket.end())
  expect(await problemOf(dying)).toBe('the connection ended without an answer')
})

test('an absent receiver is a failure', async () => {
  const { url } = receiver(() => new Response(''))
  for (const end of ends.splice(0)) end()
  expect((await send(url)).kind).toBe('FAILED')
})

test('names and addresses of this machine, and any without TLS, are refused where only public ones are allowed', async () => {
  const { taken, url } = receiver(() => new Response(''))
  const { port } = new URL(url)
  const mayBePrivate = false
  expect(await problemOf(url, { mayBePrivate })).toBe('unsupported protocol http:')
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '169.254.169.254',
  ]) {
    expect([host, await problemOf(`https://${host}:${port}/`, { mayBePrivate })]).toEqual([
      host,
      expect.stringMatching(/ is not a public address$/),
    ])
  }
  expect(taken).toEqual([])
})

test('a name with one address that is not public is not connected to at any', () => {
  expect(chosenAddress('a', ['1.1.1.1', '2606:4700:4700::1111'], false)).toBe('1.1.1.1')
  for (const found of [
    ['1.1.1.1', '10.0.0.1'],
    ['10.0.0.1', '1.1.1.1'],
  ])
    expect(() => chosenAddress('a', found, false)).toThrow('a is not a public address')
  expect(() => chosenAddress('a', [], true)).toThrow('a has no address')
  expect(chosenAddress('a', ['10.0.0.1'], true)).toBe('10.0.0.1')
})

test('a name that does not resolve gets the same answer as one that resolves to an internal address', async () => {
  const unknown = () => Promise.reject(new Error('getaddrinfo ENOTFOUND a.example'))
  const answers = [unknown, async () => [], async () => ['10.0.0.1']].map((addressesOf) =>
    problemOf('https://a.example/', { mayBePrivate: false, addressesOf }),
  )
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['a.example is not a public address']))
  expect(await problemOf('https://a.example/', { mayBePrivate: true, addressesOf: unknown })).toContain(
    'ENOTFOUND',
  )
})

test('a receiver without a certificate of a trusted authority gets nothing', async () => {
  const tls = { cert: pem('first.pem'), key: pem('first.key.pem') }
  const { taken, url } = receiver(() => new Response(''), tls)
  expect((await send(url)).kind).toBe('FAILED')
  expect((await send(url, { ca: pem('second.pem') })).kind).toBe('FAILED')
  expect(taken).toEqual([])
  expect(await send(url, { ca: tls.cert })).toEqual({ kind: 'DELIVERED', status: 200 })
})

test('a name is resolved once, and the address found is used, with TLS and without, whatever the name resolves to later', async () => {
  const tls = { cert: pem('first.pem'), key: pem('first.key.pem') }
  for (const of of [undefined, tls]) {
    const { taken, url } = receiver(() => new Response(''), of)
    const asked: string[] = []
    const addressesOf = async (host: string) => {
      asked.push(host)
      return ['127.0.0.1']
    }
    // The name is not resolved by the system, which would not find it.
    const outcome = await send(url.replace('127.0.0.1', 'books.invalid'), { addressesOf, ca: tls.cert })
    // The certificate is for the address: that it was accepted shows that this address was connected to.
    const expected =
      of === undefined
        ? { kind: 'DELIVERED', status: 200 }
        : { kind: 'FAILED', problem: expect.stringMatching(/certificate/i) }
    expect([of === undefined ? 'plain' : 'TLS', outcome]).toEqual([
      of === undefined ? 'plain' : 'TLS',
      expected as never,
    ])
    expect([asked, taken.length]).toEqual([['books.invalid'], of === undefined ? 1 : 0])
  }
})

test('a receiver with a certificate for another name gets nothing', async () => {
  const tls = { cert: pem('first.pem'), key: pem('first.key.pem') }
  const { taken, url } = receiver(() => new Response(''), tls)
  // The certificate is for 127.0.0.1, and not for this name of the same machine.
  const outcome = await send(url.replace('127.0.0.1', 'localhost'), { ca: tls.cert })
  expect([outcome.kind, taken]).toEqual(['FAILED', []])
})

test('a sender that stops does not wait for an answer', async () => {
  const over = new AbortController()
  const { url } = receiver(() => {
    over.abort()
    return new Promise<Response>(() => {})
  })
  expect(await problemOf(url, { signal: over.signal })).toBe('the answer was incomplete')
})
