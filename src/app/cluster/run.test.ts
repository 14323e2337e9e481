import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UsageError } from '../../cli/arguments.ts'
import { CLUSTER_WORDS } from '../../cli/completion.ts'
import type { ClusterHost } from './command.ts'
import { runCluster } from './run.ts'

async function help(...line: string[]): Promise<string> {
  let out = ''
  const print = (text: string) => {
    out += `${text}\n`
  }
  const host: ClusterHost = {
    ...{
      print,
      printError: print,
      terminal: undefined,
      operator: 'anna@east',
      version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    },
    ...{ monotonicMs: () => 0, nowMs: () => 0 },
  }
  expect(await runCluster([...line, '--help'], host)).toBe(0)
  return out
}

test('every command of bourse cluster has completion, a line in the list of commands and a help of its own', async () => {
  const overview = await help()
  const listed = [...overview.matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map(([, name]) => name as string)
  expect(listed.sort()).toEqual([...CLUSTER_WORDS].sort())
  for (const name of CLUSTER_WORDS) {
    const own = await help(name)
    expect(own).toStartWith(`bourse cluster ${name}: `)
    expect(own).toMatch(/^Exit code: 0 /m)
  }
})

test('an unknown command or option, and a word too few or too many, are refused with what was expected', async () => {
  const host = {} as ClusterHost
  for (const [line, sentence] of [
    [[], 'cluster needs one of init, check'],
    [['exprt'], 'there is no command cluster exprt; did you mean export?'],
    [['check', '--engine-data', 'x', '--config', 'f'], 'cluster check takes no --engine-data'],
    [['import', '--config', 'f'], 'expected the data directory to move'],
    [['import', 'a', 'b', '--config', 'f'], 'unexpected argument "b"; expected an option'],
    [['status'], 'expected the cluster file: --config FILE'],
  ] as const) {
    const refused = await runCluster(line, host).catch((cause) => cause)
    expect(refused).toBeInstanceOf(UsageError)
    expect(refused.message).toContain(sentence)
  }
})

test('a directory that a standby keeps, or that was taken over from, is not moved into a cluster, and the refusal says why', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-import-'))
  try {
    const secret = path.join(root, 'secret')
    writeFileSync(secret, `${'5e'.repeat(32)}\n`, { mode: 0o600 })
    const config = path.join(root, 'cluster.json')
    const settings = {
      database: { host: '127.0.0.1', name: 'bourse', passwordFile: secret },
      durability: { kind: 'single' },
      link: { secretFile: secret, tls: 'off' },
      engines: [{ name: 'one', link: '127.0.0.1:7701', data: root, admin: '127.0.0.1:8081' }],
    }
    writeFileSync(config, JSON.stringify(settings))
    const said: string[] = []
    const printError = (text: string) => void said.push(text)
    const host = { print: () => {}, printError, operator: 'anna@east' } as unknown as ClusterHost
    for (const [mark, sentence] of [
      ['standby.json', 'belongs to a standby'],
      ['superseded.json', 'another node has taken over from'],
    ] as const) {
      const data = mkdtempSync(path.join(root, 'data-'))
      for (const name of ['journal.sqlite', mark]) writeFileSync(path.join(data, name), '{}')
      const code = await runCluster(['import', data, '--config', config], host)
      expect([mark, code, said.at(-1)]).toEqual([mark, 2, expect.stringContaining(sentence)])
    }
  } finally {
    rmSync(root, { recursive: true })
  }
})
