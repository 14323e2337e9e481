import { expect, test } from 'bun:test'
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
    ...{ print, printError: print, terminal: undefined, operator: 'anna@east', version: '0' },
    ...{ monotonicMs: () => 0, nowMs: () => 0 },
  }
  expect(await runCluster([...line, '--help'], host)).toBe(0)
  return out
}

test('every command of bourse cluster is completed, listed by its help, and has a help of its own', async () => {
  const overview = await help()
  const listed = [...overview.matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map(([, name]) => name as string)
  expect(listed.sort()).toEqual([...CLUSTER_WORDS].sort())
  for (const name of CLUSTER_WORDS) {
    const own = await help(name)
    expect(own).toStartWith(`bourse cluster ${name}: `)
    expect(own).toMatch(/^Exit code: 0 /m)
  }
})

test('a command or an option that there is not, and a word too few or too many, are refused with what was expected', async () => {
  const host = {} as ClusterHost
  for (const [line, sentence] of [
    [[], 'cluster needs one of init, check'],
    [['exprt'], 'cluster has no exprt; did you mean export?'],
    [['check', '--engine-data', 'x', '--config', 'f'], 'cluster check takes no --engine-data'],
    [['import', '--config', 'f'], 'expected the data directory that is to be moved'],
    [['import', 'a', 'b', '--config', 'f'], 'does not understand "b"'],
    [['status'], 'expected the file of the cluster: --config FILE'],
  ] as const) {
    const refused = await runCluster(line, host).catch((cause) => cause)
    expect(refused).toBeInstanceOf(UsageError)
    expect(refused.message).toContain(sentence)
  }
})
