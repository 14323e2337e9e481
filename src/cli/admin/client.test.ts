import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type AdminOperation, TOKEN_MARK } from '../../contract/admin/admin.ts'
import { AdminUnreachableFault, askAdmin } from './client.ts'

/** A node that reads a request and then does not answer, or closes the connection. */
function mute(answer: () => Response | Promise<Response>) {
  return Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
}

const silent = mute(() => new Promise<Response>(() => {}))
const garbled = mute(() => new Response('{"ok":tr'))
/** Reads the complete request, then closes the connection. */
const breaking = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: { data: (socket) => socket.terminate() },
})

afterAll(async () => {
  await silent.stop(true)
  await garbled.stop(true)
  breaking.stop(true)
})

async function messageOf(
  port: number | undefined,
  operation: AdminOperation,
  scheme = 'http',
): Promise<string> {
  const address = { url: `${scheme}://127.0.0.1:${port}`, token: 'x', pid: 1 }
  const fault = await askAdmin(address, operation, {} as never, port === silent.port ? 100 : undefined).catch(
    (error: unknown) => error,
  )
  expect(fault).toBeInstanceOf(AdminUnreachableFault)
  return (fault as AdminUnreachableFault).message
}

test('a command that got no answer in time may have been carried out, and the message says how to check', async () => {
  const message = await messageOf(silent.port, 'asset/add')
  expect(message).toContain('did not answer in time')
  expect(message).toContain('may have been carried out nevertheless: check with "bourse admin asset list"')
  expect(await messageOf(silent.port, 'money/credit')).toContain(
    'with the same reference: it is not carried out twice',
  )
  expect(await messageOf(silent.port, 'key/add')).toContain('secret cannot be shown again')
  expect(await messageOf(silent.port, 'key/disable')).toContain(
    'check with "bourse admin key list <account>"',
  )
})

test('a command whose connection broke, before the answer or in the middle of it, may have been carried out', async () => {
  for (const port of [breaking.port, garbled.port]) {
    const message = await messageOf(port, 'symbol/halt')
    expect(message).toContain('closed the connection')
    expect(message).toContain('check with "bourse admin symbol list"')
  }
})

test('a question changes nothing and is asked again', async () => {
  for (const operation of ['asset/list', 'node/status', 'journal/read'] as const) {
    expect(await messageOf(silent.port, operation)).toContain('nothing was changed: try again')
  }
})

test('a command that reached no server was not carried out', async () => {
  const gone = mute(() => new Response())
  await gone.stop(true)
  const message = await messageOf(gone.port, 'asset/add')
  expect(message).toContain('is it still running?')
  expect(message).not.toContain('may have been carried out')
})

test('a token that is unknown says whose node answers: another one, unless the token is one that is given by name', async () => {
  const strange = mute(() => Response.json({ ok: false, error: { reason: 'INVALID_TOKEN', message: '' } }))
  const messageWith = async (token: string, pid?: number) => {
    const address = { url: `http://127.0.0.1:${strange.port}`, token, pid }
    const fault = await askAdmin(address, 'asset/list', {}).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(AdminUnreachableFault)
    return (fault as Error).message
  }
  expect(await messageWith('of-a-file', 17)).toContain('another node answers')
  for (const message of [await messageWith(`${TOKEN_MARK}x`, 17), await messageWith('of-a-file')])
    expect(message).toContain('the token is unknown to the node at')
  await strange.stop(true)
})

test('an answer that is not from an admin server is reported as such, whatever it is', async () => {
  for (const body of [
    'null',
    '[]',
    '"ok"',
    '{}',
    '{"ok":false}',
    '{"ok":false,"error":{}}',
    '{"status":false}',
  ]) {
    const other = mute(() => new Response(body))
    expect([body, await messageOf(other.port, 'asset/list')]).toEqual([
      body,
      expect.stringContaining('is not an admin server'),
    ])
    await other.stop(true)
  }
})

test('a server whose certificate is not trusted is asked nothing', async () => {
  const files = path.join(import.meta.dir, '../../../test/support/tls')
  const read = (file: string) => readFileSync(path.join(files, file), 'utf8')
  const tls = { cert: read('first.pem'), key: read('first.key.pem') }
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: () => new Response() })
  expect(await messageOf(server.port, 'asset/add', 'https')).toContain(
    'is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); nothing was sent',
  )
  await server.stop(true)
})
