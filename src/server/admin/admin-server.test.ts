import { expect, spyOn, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LiveBackOffice } from '../../views/back-office.ts'
import { type AdminServerOptions, openAdminServer } from './admin-server.ts'
import type { AdminContext } from './context.ts'

const TLS = path.join(import.meta.dir, '../../../test/support/tls')
const silent = () => {}
const log = { debug: silent, info: silent, warn: silent, error: silent }
const here = { token: 'x', hostname: '127.0.0.1', port: 0, log }

test('a connection is kept while an operator waits for an answer', async () => {
  const serve = spyOn(Bun, 'serve')
  const server = openAdminServer({ ...here, context: {} as AdminContext })
  expect(serve.mock.calls[0]?.[0] as object).toMatchObject({ idleTimeout: 30, hostname: '127.0.0.1' })
  serve.mockRestore()
  await server.stop()
})

function certificate(name: string) {
  const read = (file: string) => readFileSync(path.join(TLS, file), 'utf8')
  return { cert: read(`${name}.pem`), key: read(`${name}.key.pem`), expiresAtMs: 0 }
}

async function statusOf(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const tls = { rejectUnauthorized: false }
  const { status } = await fetch(`${url}/admin/v1/no/such`, { method: 'POST', headers, tls })
  return status
}

test('a server with a certificate speaks TLS alone and accepts a new one; without a token of its own only named ones open it', async () => {
  const backOffice = new LiveBackOffice({ rulesVersion: 1 })
  const options: AdminServerOptions = {
    ...here,
    context: { backOffice } as unknown as AdminContext,
    tls: certificate('first'),
  }
  const own = openAdminServer(options)
  const named = openAdminServer({ ...options, token: undefined })
  expect(own.url).toStartWith('https://127.0.0.1:')
  expect(await statusOf(own.url, 'x')).toBe(404)
  expect(await statusOf(named.url, 'x')).toBe(401)
  expect(await statusOf(named.url, '')).toBe(401)
  await expect(statusOf(own.url.replace('https', 'http'), 'x')).rejects.toThrow()
  own.renewTls(certificate('second'))
  expect(await statusOf(own.url, 'x')).toBe(404)
  await Promise.all([own.stop(), named.stop()])
})
