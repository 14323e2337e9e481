/**
 * `clients/python` with the machine's Python: its own tests, against a running sandbox. Without a Python they
 * are skipped, which `npm test` reports and which fails a continuous-integration run.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { type BourseProcess, dataDirectory, ROOT, sandbox } from '../support/bourse-process.ts'
import { runPython } from './support/run-python.ts'

const CLIENT = path.join(ROOT, 'clients/python')
const TLS = path.join(ROOT, 'test/support/tls')
const CERTIFICATE = path.join(TLS, 'first.pem')
/** A run with fewer tests has not found all of them. */
const ALONE_MIN = 30
const SANDBOX_MIN = 12
const STREAM_MIN = 8
const TLS_TESTS = 3

const { path: data, remove } = dataDirectory()
let node: BourseProcess
beforeAll(async () => {
  node = await sandbox(data)
})
afterAll(async () => {
  await node.end('SIGKILL')
  remove()
})

/** Runs a module of unit tests against the sandbox of a data directory; returns their number. */
async function unitTests(module: string, directory = data): Promise<number> {
  const { out, code } = await runPython(['-W', 'error', '-m', 'unittest', module], {
    cwd: CLIENT,
    env: { BOURSE_TEST_DATA: directory, BOURSE_TEST_CERTIFICATE: CERTIFICATE },
  })
  if (code !== 0) throw new Error(out)
  expect(out).not.toContain('skipped')
  return Number(/^Ran (\d+) tests? in /m.exec(out)?.[1])
}

test('the promises of the Python client that need no exchange hold', async () => {
  expect(await unitTests('tests.test_alone')).toBeGreaterThanOrEqual(ALONE_MIN)
})

test('the Python client reads, trades and recovers lost answers at a sandbox', async () => {
  expect(await unitTests('tests.test_sandbox')).toBeGreaterThanOrEqual(SANDBOX_MIN)
})

test('the Python client’s stream keeps book and account, and places orders, over cuts', async () => {
  expect(await unitTests('tests.test_stream')).toBeGreaterThanOrEqual(STREAM_MIN)
})

test('the Python client uses TLS, over HTTP and on the stream, with a certificate that it trusts', async () => {
  const secure = dataDirectory()
  const files = ['--tls-cert-file', CERTIFICATE, '--tls-key-file', path.join(TLS, 'first.key.pem')]
  const started = await sandbox(secure.path, ...files)
  try {
    expect(await unitTests('tests.test_tls', secure.path)).toBe(TLS_TESTS)
  } finally {
    await started.end('SIGKILL')
    secure.remove()
  }
})
