/** The public port with a certificate, which is replaced while connections are open. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from 'node:tls'
import { BourseProcess, dataDirectory } from './support/bourse-process.ts'
import { until } from './support/until.ts'

const TLS = path.join(import.meta.dir, 'support', 'tls')
const data = dataDirectory()
const certFile = path.join(data.path, '..', 'tls', 'cert.pem')
const keyFile = path.join(data.path, '..', 'tls', 'key.pem')

let node: BourseProcess
let url: URL

function install(name: string): void {
  copyFileSync(path.join(TLS, `${name}.pem`), certFile)
  copyFileSync(path.join(TLS, `${name}.key.pem`), keyFile)
}

/** The subject of the certificate on a new connection. */
function peer(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), rejectUnauthorized: false }, () => {
      const { CN } = socket.getPeerCertificate().subject
      resolve(String(CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Sends SIGHUP and waits for the message in the log. */
async function renew(message: string): Promise<void> {
  const seen = node.err.length
  node.child.kill('SIGHUP')
  await until(message, () => node.err.slice(seen).includes(message))
}

beforeAll(async () => {
  mkdirSync(path.dirname(certFile))
  install('first')
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile]
  node = new BourseProcess(['serve', '--init', '--data', data.path, '--port', '0', ...files])
  url = new URL(await node.ready)
})

afterAll(async () => {
  node.child.kill('SIGKILL')
  await node.exited()
  data.remove()
})

test('a port with a certificate speaks HTTPS and nothing else', async () => {
  expect(url.protocol).toBe('https:')
  const answer = await fetch(`${url.origin}/api/v3/exchangeInfo`, { tls: { rejectUnauthorized: false } })
  expect(await answer.json()).toEqual({ symbols: [] })
  const plain = fetch(`http://${url.host}/api/v3/exchangeInfo`)
  await expect(plain.then((response) => response.status)).rejects.toThrow()
})

test('SIGHUP: new connections get the new certificate, open WebSockets stay', async () => {
  const socket = new WebSocket(`wss://${url.host}/stream`, { tls: { rejectUnauthorized: false } } as never)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  expect(await peer()).toBe('first.test')
  install('second')
  await renew('the certificate was reloaded')
  expect(await peer()).toBe('second.test')
  const answer = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
  socket.send('["join","NO/SUCH"]')
  expect((await answer) as MessageEvent).toMatchObject({ data: expect.stringContaining('UNKNOWN_SYMBOL') })
  socket.close()
})

test('SIGHUP with an unusable certificate: the log names the file, and the old one stays', async () => {
  writeFileSync(certFile, 'no certificate')
  await renew(`${certFile}: expected a certificate in PEM`)
  expect(await peer()).toBe('second.test')
})

test('a key that does not belong to the certificate stops the start and is named', async () => {
  install('first')
  const other = path.join(TLS, 'second.key.pem')
  const files = ['--tls-cert-file', certFile, '--tls-key-file', other]
  const refused = new BourseProcess(['serve', '--init', '--data', `${data.path}-2`, '--port', '0', ...files])
  expect(await refused.exited()).toBe(1)
  expect(refused.err).toBe(`bourse: ${other}: expected the key of the certificate in ${certFile}\n`)
})
