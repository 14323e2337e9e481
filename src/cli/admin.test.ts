import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseRequest } from '../gateway/admin/schemas.ts'
import {
  ADMIN_COMMANDS,
  allForms,
  EXIT_FAILED,
  EXIT_OK,
  EXIT_USAGE,
  findCommand,
  requestOf,
  runAdmin,
} from './admin.ts'
import { parseArguments } from './arguments.ts'

/** Words of an example as a shell would split them. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

async function run(...line: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = []
  const err: string[] = []
  const code = await runAdmin(line, {
    print: (text) => out.push(text),
    printError: (text) => err.push(text),
    defaultData: undefined,
    userName: 'tester',
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('every command', () => {
  for (const command of ADMIN_COMMANDS) {
    test(`${command.name}: its examples are requests that the node understands`, () => {
      expect(command.examples.length).toBeGreaterThan(0)
      for (const example of command.examples) {
        const { words, options } = parseArguments(shellWords(example).slice(2), allForms())
        expect(findCommand(words)).toBe(command)
        const rest = words.slice(command.name.split(' ').length)
        const request = requestOf(command, { words: rest, options }, { userName: 'tester' })
        expect(parseRequest(command.operation, request) as object).toEqual(request)
      }
    })

    test(`${command.name}: --help shows usage and examples`, async () => {
      const { code, out } = await run(...command.name.split(' '), '--help')
      expect(code).toBe(EXIT_OK)
      expect(out).toContain(`Usage: bourse admin --data DIR ${command.name}`)
      expect(out).toContain(command.examples[0] as string)
    })
  }

  test('stands in the overview', async () => {
    const { code, out } = await run('--help')
    expect(code).toBe(EXIT_OK)
    for (const { name } of ADMIN_COMMANDS) expect(out).toContain(name)
  })
})

describe('what is not understood is said', () => {
  const cases: readonly [string, string][] = [
    ['', 'which command?'],
    ['assets list', 'did you mean asset?'],
    ['asset', 'asset needs a verb'],
    ['asset burn', 'there is no command asset burn; there are: asset list'],
    ['asset add', 'needs <code>'],
    ['asset add BTC', 'needs --fraction'],
    ['asset add BTC --fraction eight', 'needs a whole number'],
    ['asset add BTC --fraction', 'needs a value'],
    ['asset add BTC --fration 8', 'did you mean --fraction?'],
    ['asset add BTC --fraction 8 --fraction 8', 'given twice'],
    ['asset add BTC USDT --fraction 8', 'does not understand "USDT"'],
    ['asset add BTC --fraction 8 --limit 3', 'has no option --limit'],
    ['asset set BTC --trade maybe', 'needs on or off'],
    ['asset list --json=yes', 'takes no value'],
    ['asset list', 'Name its data directory'],
    ['asset list --__proto__', 'unknown option'],
  ]
  for (const [line, message] of cases) {
    test(`bourse admin ${line}`, async () => {
      const { code, err } = await run(...shellWords(line))
      expect(err).toContain(message)
      expect(code).toBe(EXIT_USAGE)
    })
  }
})

describe('a node that cannot be asked', () => {
  test('no node on the directory, a damaged address, a node that is gone', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'bourse-cli-'))
    try {
      const missing = await run('--data', data, 'asset', 'list')
      expect([missing.code, missing.err]).toEqual([EXIT_FAILED, expect.stringContaining('no node runs on')])
      writeFileSync(path.join(data, 'admin.json'), '{"url":')
      expect((await run('--data', data, 'asset', 'list')).err).toContain('is damaged')
      const closed = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
      const url = `http://127.0.0.1:${closed.port}`
      await closed.stop(true)
      writeFileSync(path.join(data, 'admin.json'), JSON.stringify({ url, token: 'x', pid: 1 }))
      expect((await run('--data', data, 'asset', 'list')).err).toContain('does not answer at')
    } finally {
      rmSync(data, { recursive: true })
    }
  })
})
