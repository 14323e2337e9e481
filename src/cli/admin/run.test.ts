import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../../test/support/free-port.ts'
import { OPERATION_ROWS } from '../../contract/admin/admin.ts'
import { WEBHOOK_WAITING_MAX } from '../../contract/admin/webhooks.ts'
import { parseRequest } from '../../server/admin/requests.ts'
import { parseArguments } from '../arguments.ts'
import { requestOf } from './request.ts'
import { allForms, EXIT_FAILED, EXIT_OK, EXIT_USAGE, findCommand, runAdmin } from './run.ts'
import { ADMIN_COMMANDS } from './sections.ts'

/** Splits an example into words, as a shell does. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

type Told = { code: number; out: string; err: string }

function run(...line: string[]): Promise<Told> {
  return runAt(undefined, ...line)
}

async function runAt(url: string | undefined, ...line: string[]): Promise<Told> {
  const out: string[] = []
  const err: string[] = []
  const code = await runAdmin(line, {
    print: (text) => out.push(text),
    printError: (text) => err.push(text),
    write: (text) => out.push(text),
    defaultData: undefined,
    userName: 'tester',
    url,
    token: url === undefined ? undefined : 'bourse_token',
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('every command', () => {
  for (const command of ADMIN_COMMANDS) {
    test(`${command.name}: its examples are requests that the node accepts`, () => {
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

  test('asset --help and help asset show the commands on assets', async () => {
    for (const line of [
      ['asset', '--help'],
      ['help', 'asset'],
    ]) {
      const { code, out } = await run(...line)
      expect(code).toBe(EXIT_OK)
      expect(out).toContain('asset add <code>')
      expect(out).not.toContain('symbol add')
    }
    expect((await run('help', 'asset', 'add')).out).toContain('Usage: bourse admin --data DIR asset add')
  })

  test('is in the overview', async () => {
    const { code, out } = await run('--help')
    expect(code).toBe(EXIT_OK)
    for (const { name } of ADMIN_COMMANDS) expect(out).toContain(name)
  })
})

describe('the actor', () => {
  const halt = ['symbol', 'halt', 'BTC/USDT']
  const requestBy = (token: string | undefined, ...line: string[]) => {
    const { words, options } = parseArguments(line, allForms())
    return requestOf(findCommand(words), { words: words.slice(2), options }, { userName: 'tester', token })
  }

  test('is claimed with the node’s own token: by --actor, else by the name of the user', () => {
    expect(requestBy(undefined, ...halt)).toEqual({ actor: 'tester', symbol: 'BTC/USDT' })
    expect(requestBy(undefined, ...halt, '--actor', 'ann')).toEqual({ actor: 'ann', symbol: 'BTC/USDT' })
  })

  test('is the holder of a named token: nothing is claimed beside it unless it was typed, and then the node refuses it', () => {
    expect(requestBy('bourse_x', ...halt)).toEqual({ symbol: 'BTC/USDT' })
    expect(requestBy('bourse_x', ...halt, '--actor', 'ann')).toEqual({ actor: 'ann', symbol: 'BTC/USDT' })
  })

  test('is sent by no command whose operation takes no actor', () => {
    expect(requestBy(undefined, 'invitation', 'add', '--uses', '2')).toEqual({ uses: 2 })
    for (const { operation, isReading } of ADMIN_COMMANDS)
      expect([operation, isReading]).toEqual([operation, !OPERATION_ROWS[operation].isAudited])
  })
})

test('a new symbol has the suggested self-trade prevention, unless another one is named', () => {
  const line = ['symbol', 'add', 'BTC/USDT', '--base-fraction', '6', '--quote-fraction', '2']
  const modeOf = (...more: string[]) => {
    const { words, options } = parseArguments([...line, ...more], allForms())
    const given = { words: words.slice(2), options }
    return requestOf(findCommand(words), given, { userName: 'tester' }).selfTradeMode
  }
  expect([modeOf(), modeOf('--self-trade', 'none')]).toEqual(['EXPIRE_MAKER', 'NONE'])
})

describe('dangerous commands', () => {
  const dangerous = ADMIN_COMMANDS.filter(({ confirm }) => confirm !== undefined)

  test('are those that cannot be undone, and no others', () => {
    expect(dangerous.map(({ name }) => name).toSorted()).toEqual([
      'account close',
      'clock accept',
      'customer refuse',
      'house payout',
      'key revoke',
      'master-key rotate',
      'order cancel-all',
      'rules set',
      'symbol delist',
      'token revoke',
      'webhook remove',
    ])
  })

  for (const command of dangerous) {
    const line = shellWords(command.examples[0] as string)
      .slice(2)
      .filter((word) => word !== '--yes')

    test(`${command.name} without a terminal and without --yes is refused, and the node is not asked`, async () => {
      let asked = 0
      const server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () => {
          asked++
          return Response.json({ ok: false, error: { reason: 'ASKED', message: 'the node was asked' } })
        },
      })
      try {
        const url = `http://127.0.0.1:${server.port}`
        const { code, err } = await runAt(url, ...line)
        expect([code, asked]).toEqual([EXIT_USAGE, 0])
        expect(err).toContain('Confirm with --yes')
        expect((await runAt(url, ...line, '--yes')).err).toContain('the node was asked')
        expect(asked).toBe(1)
      } finally {
        await server.stop(true)
      }
    })
  }
})

test('cancel-all continues piece by piece until nothing is left, and prints how many were canceled in total', async () => {
  const left = [1_200, 700, 200, 0]
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const now = left.shift() ?? 0
      return Response.json({ ok: true, result: { canceled: now === 0 ? 200 : 500, left: now } })
    },
  })
  try {
    const line = ['order', 'cancel-all', '--account', 'alice', '--yes', '--json']
    const { code, out, err } = await runAt(`http://127.0.0.1:${server.port}`, ...line)
    expect([code, JSON.parse(out)]).toEqual([EXIT_OK, { canceled: 1_700, left: 0 }])
    expect(err.split('\n')).toHaveLength(3)
    expect(left).toEqual([])
  } finally {
    await server.stop(true)
  }
})

test('a webhook with as many waiting events as are counted is shown with that many or more', async () => {
  const webhook = { name: 'books', url: 'https://books.example/', kinds: null, account: null, paused: null }
  const progress = { position: 7, journal: 'one', lagMs: 0, attempts: 3, problem: null, dead: 0 }
  const waiting = [WEBHOOK_WAITING_MAX - 1, WEBHOOK_WAITING_MAX]
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      Response.json({ ok: true, result: { ...webhook, ...progress, waiting: waiting.shift() ?? 0 } }),
  })
  try {
    const show = async () =>
      (await runAt(`http://127.0.0.1:${server.port}`, 'webhook', 'show', 'books')).out.match(
        /^waiting events +(.*)$/m,
      )?.[1]
    expect([await show(), await show()]).toEqual(['99', '100 or more'])
  } finally {
    await server.stop(true)
  }
})

describe('an invalid line is refused with what was expected', () => {
  const cases: readonly [string, string][] = [
    ['', 'Usage: bourse admin'],
    ['assets list', 'did you mean asset?'],
    ['asset', 'asset needs a second word'],
    ['asset burn', 'there is no command asset burn; there are: asset list'],
    ['asset add', 'needs <code>'],
    ['asset add BTC', 'needs --fraction'],
    ['asset add BTC --fraction eight', 'needs a whole number'],
    ['asset add BTC --fraction', 'needs a value'],
    ['asset add BTC --fration 8', 'did you mean --fraction?'],
    ['asset add BTC --fraction 8 --fraction 8', 'given twice'],
    ['asset add BTC USDT --fraction 8', 'unexpected argument "USDT"; expected an option'],
    ['asset add BTC --fraction 8 --limit 3', 'has no option --limit'],
    ['asset set BTC --trade maybe', 'needs on or off'],
    ['asset set BTC --note why', 'needs at least one of --deposit'],
    ['order cancel-all --yes', 'needs at least one of --account, --symbol'],
    ['credit alice USDT 5', 'Help: bourse admin credit --help'],
    ['--data data/main symbol add', 'Help: bourse admin symbol add --help'],
    ['frobnicate', 'Help: bourse admin --help'],
    ['asset list --json=yes', 'takes no value'],
    ['asset list', 'expected the data directory of a node'],
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

describe('with --json a command that was not carried out is one object on standard output', () => {
  test('an invalid line', async () => {
    const { out, err } = await run('credit', 'alice', 'USDT', '--json')
    expect(JSON.parse(out)).toEqual({
      error: { reason: 'NOT_UNDERSTOOD', message: expect.stringContaining('<amount>') },
    })
    expect(err).toContain('credit needs <amount>')
  })

  test('a refusal, in the words of the command line; and an answer that is not a node’s', async () => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        Response.json({
          ok: false,
          error: { reason: 'INVALID_FIELD', message: 'takerRate: expected less', field: 'takerRate' },
        }),
    })
    const market = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.json({ status: false }),
    })
    try {
      const rates = ['symbol', 'rates', 'BTC/USDT', '--taker-rate', '2', '--maker-rate', '0', '--json']
      const refused = await runAt(`http://127.0.0.1:${server.port}`, ...rates)
      expect(refused.code).toBe(EXIT_FAILED)
      expect(refused.err).toBe('bourse admin: --taker-rate: expected less [INVALID_FIELD]')
      expect(JSON.parse(refused.out).error).toEqual({
        reason: 'INVALID_FIELD',
        message: '--taker-rate: expected less',
        field: 'takerRate',
      })
      const other = await runAt(`http://127.0.0.1:${market.port}`, 'asset', 'list', '--json')
      expect(other.code).toBe(EXIT_FAILED)
      expect(JSON.parse(other.out).error.reason).toBe('NO_ANSWER')
      expect(other.err).toContain('is not an admin server')
      const nonsense = await runAt('nonsense', 'asset', 'list')
      expect([nonsense.code, nonsense.err]).toEqual([
        EXIT_USAGE,
        expect.stringContaining('--url needs an address'),
      ])
    } finally {
      await server.stop(true)
      await market.stop(true)
    }
  })
})

test('a refusal of one element of a list names the option of the command', async () => {
  const error = { reason: 'INVALID_FIELD', message: 'labels.1: expected less', field: 'labels.1' }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.json({ ok: false, error }),
  })
  try {
    // `credit` is also the name of a command.
    const line = ['account', 'note', 'desk', '--labels', 'credit , fly', '--note', 'as credit asked']
    const { err } = await runAt(`http://127.0.0.1:${server.port}`, ...line)
    expect(err).toBe('bourse admin: --labels: expected less [INVALID_FIELD]')
  } finally {
    await server.stop(true)
  }
})

describe('a node that cannot be asked', () => {
  test('no node on the directory, a damaged address, a node that is gone', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'bourse-cli-'))
    try {
      const missing = await run('--data', data, 'asset', 'list')
      expect([missing.code, missing.err]).toEqual([
        EXIT_FAILED,
        expect.stringContaining('no node is running on'),
      ])
      writeFileSync(path.join(data, 'admin.json'), '{"url":')
      expect((await run('--data', data, 'asset', 'list')).err).toContain('is damaged')
      const url = `http://127.0.0.1:${freePort()}`
      writeFileSync(path.join(data, 'admin.json'), JSON.stringify({ url, token: 'x', pid: 1 }))
      expect((await run('--data', data, 'asset', 'list')).err).toContain('does not answer at')
    } finally {
      rmSync(data, { recursive: true })
    }
  })
})
