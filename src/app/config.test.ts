import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { UsageError } from '../cli/arguments.ts'
import { runConfig } from './config.ts'
import { SETTINGS } from './settings/schema.ts'

const TLS = path.join(import.meta.dir, '../../test/support/tls')

function run(line: string, environment: Record<string, string> = {}) {
  let [out, err] = ['', '']
  const code = runConfig(line.split(' '), {
    print: (text) => (out += `${text}\n`),
    printError: (text) => (err += `${text}\n`),
    environment,
  })
  return { code, out, err }
}

describe('bourse config', () => {
  test('show lists every setting once, with its value and its source', () => {
    const { code, out } = run('show --data d --limits off', { BOURSE_STREAM_SWEEP_MS: '7' })
    expect(code).toBe(0)
    const rows = out
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(rows.slice(1).map(([name]) => name)).toEqual(SETTINGS.map(({ name }) => name))
    const row = (name: string) => rows.find(([first]) => first === name)?.slice(1)
    expect(row('limits.isEnabled')).toEqual(['off', '--limits'])
    expect(row('stream.sweepMs')).toEqual(['7', 'BOURSE_STREAM_SWEEP_MS in the environment'])
    expect(row('port')).toEqual(['8080', 'default'])
  })

  test('a secret is masked, in the table and in JSON', () => {
    const secret = { BOURSE_MASTER_KEY: 'ab'.repeat(32) }
    for (const line of ['show --data d', 'show --data d --json']) {
      const { out } = run(line, secret)
      expect(out).toContain('(set)')
      expect(out).not.toContain('abab')
    }
  })

  test('the sandbox has its own defaults', () => {
    const list = JSON.parse(run('show --sandbox --json').out) as { name: string; value: unknown }[]
    const value = (name: string) => list.find((each) => each.name === name)?.value
    expect([value('dataDirectory'), value('logLevel')]).toEqual(['data/sandbox', 'warn'])
  })

  test('check reports everything that is wrong, one line each, and exits with 1', () => {
    const { code, out, err } = run('check --port x --admin-port y')
    expect([code, out]).toEqual([1, ''])
    expect(err.trim().split('\n')).toEqual([
      '--port: expected a port from 0 to 65535, found "x"',
      '--admin-port: expected a port from 0 to 65535, found "y"',
      'expected a data directory: set it with --data DIR or DATA_DIR in the environment',
    ])
    expect(run('check --data d').code).toBe(0)
  })

  test('check --json prints what is wrong on standard output', () => {
    const { code, out } = run('check --port x --data d --json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({ problems: ['--port: expected a port from 0 to 65535, found "x"'] })
    expect(JSON.parse(run('check --data d --json').out)).toEqual({ problems: [] })
    expect(run('check --config /none.json').err).toBe('/none.json: there is no such file\n')
    expect(run('check --config /').err).toBe('/: expected a file, found a directory\n')
  })

  test('check examines the certificate and its key', () => {
    const files = (cert: string, key: string) =>
      `check --data d --tls-cert-file ${TLS}/${cert} --tls-key-file ${TLS}/${key}`
    expect(run(files('first.pem', 'first.key.pem')).code).toBe(0)
    expect(run(files('first.pem', 'second.key.pem')).err).toContain('expected the key of the certificate')
    expect(run(files('first.key.pem', 'first.key.pem')).err).toContain('expected a certificate in PEM')
    expect(run(files('absent.pem', 'first.key.pem')).err).toContain('absent.pem: cannot be read')
  })

  test('a word other than check and show is refused', () => {
    expect(() => run('list')).toThrow(UsageError)
    expect(() => run('show more --data d')).toThrow(UsageError)
  })
})
