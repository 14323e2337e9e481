/** Traders' text in the answers of a node, as it appears in an operator's terminal. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EXIT_OK, runAdmin } from './run.ts'

/**
 * Returns to the start of the line and clears it, sets the window's title, sets the clipboard, reverses the
 * direction of the line, and adds a row.
 */
const HOSTILE =
  'x\r\u001b[2K\u001b]0;y\u0007\u001b]52;c;AAAA\u0007\u009b2K\u202e\u200b\u2028\u0000\nBTC  bc1q-of-a-thief'
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

const at = '2026-01-01T00:00:00Z'
const action = {
  seq: 1,
  time: at,
  actor: HOSTILE,
  kind: HOSTILE,
  outcome: 'done',
  fields: { [HOSTILE]: HOSTILE },
  note: HOSTILE,
}
const account = {
  ...{
    name: HOSTILE,
    role: 'trader',
    closed: false,
    restrictions: [],
    operatorRestrictions: [],
    customerRestrictions: [],
    feeTier: null,
    openOrdersMax: null,
  },
  ...{ createdAt: at, customerId: '', labels: [], fields: [HOSTILE], remark: HOSTILE, terms: null },
}
const key = {
  ...{
    apiKey: 'k',
    account: HOSTILE,
    enabled: true,
    revoked: false,
    permissions: [],
    addresses: [],
    strict: false,
  },
  ...{ expiresAt: null, lastUsedAt: null, label: HOSTILE },
}
const webhook = {
  ...{
    name: 'books',
    url: HOSTILE,
    kinds: null,
    account: HOSTILE,
    paused: HOSTILE,
    position: 1,
    journal: 'j',
  },
  ...{ waiting: 0, lagMs: 0, attempts: 0, problem: HOSTILE, dead: 0, secret: 's' },
}
const address = { asset: 'BTC', address: 'bc1q', tag: HOSTILE, label: HOSTILE, addedAt: at, usableAt: at }
const withdrawal = {
  reference: HOSTILE,
  account: HOSTILE,
  asset: 'BTC',
  amount: '1',
  requestedAt: at,
  asked: { address: HOSTILE, tag: HOSTILE, claimedAt: at, claimedBy: HOSTILE, approvedBy: [HOSTILE] },
  waits: { kind: 'ClaimWithdrawal', requestedBy: HOSTILE, requestedAt: at, note: HOSTILE },
  rejected: {
    kind: 'ClaimWithdrawal',
    requestedBy: HOSTILE,
    rejectedBy: HOSTILE,
    rejectedAt: at,
    note: HOSTILE,
  },
}
const story = {
  ...{
    account,
    restrictedBy: action,
    balances: [],
    keys: [key],
    openOrders: 0,
    orders: [],
    approvalsWaiting: [],
  },
  ...{ withdrawalsWaiting: [withdrawal], money: [], actions: [action] },
}
const event = {
  number: 1,
  time: at,
  kind: 'CREDIT',
  account: HOSTILE,
  fields: { label: HOSTILE, list: [HOSTILE] },
  actor: HOSTILE,
  note: HOSTILE,
}

/** Each command, the node's answer, and the maximum number of lines in the output. */
const CASES: readonly (readonly [line: string, result: unknown, linesMax: number])[] = [
  ['address list x', [address], 2],
  ['account list', [account], 2],
  ['account show x', account, 2],
  ['account story x', story, 30],
  ['key list x', [key], 2],
  ['webhook list', [webhook], 2],
  ['webhook show books', webhook, 12],
  ['webhook test books', { delivered: false, status: null, problem: HOSTILE }, 1],
  ['webhook dead books', [{ number: 1, time: at, awaited: false, problem: HOSTILE }], 2],
  ['audit', [action], 2],
  ['action find --text x', { actions: [action], next: null }, 2],
  ['events', { events: [event], next: 1, end: 1 }, 2],
  ['withdrawal list', [withdrawal], 2],
  [
    'account search x',
    { accounts: [{ ...account, foundIn: 'remark', foundText: HOSTILE }], next: HOSTILE },
    3,
  ],
  [
    'transfer show x',
    { reference: HOSTILE, state: HOSTILE, account: HOSTILE, asset: HOSTILE, amount: '1', actions: [action] },
    7,
  ],
  ['exchange show', { phase: HOSTILE, since: at, by: HOSTILE, note: HOSTILE, planned: [] }, 6],
]

let result: unknown
let body: string | undefined
let server: ReturnType<typeof Bun.serve>
beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => (body === undefined ? Response.json({ ok: true, result }) : new Response(body)),
  })
})
afterAll(() => server.stop(true))

async function shown(...line: string[]) {
  const printed = { out: '', err: '' }
  const code = await runAdmin(line, {
    print: (text) => {
      printed.out += `${text}\n`
    },
    printError: (text) => {
      printed.err += `${text}\n`
    },
    write: (text) => {
      printed.out += text
    },
    defaultData: undefined,
    userName: 'tester',
    url: `http://127.0.0.1:${server.port}`,
    token: 'bourse_token',
  })
  return { code, ...printed }
}

for (const [line, answer, linesMax] of CASES) {
  test(`bourse admin ${line} shows text of others as plain text, on the lines of its table`, async () => {
    body = undefined
    result = answer
    const { code, out } = await shown(...line.split(' '))
    expect(code).toBe(EXIT_OK)
    expect(out).not.toMatch(OBEYED)
    expect(out).toContain('\\u001b[2K')
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(linesMax)
  })
}

test('a refusal that repeats text of others is one line', async () => {
  body = JSON.stringify({ ok: false, error: { reason: 'INVALID_FIELD', message: HOSTILE } })
  const { err } = await shown('account', 'show', 'x')
  expect(err).not.toMatch(OBEYED)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
})

test('a report is shown as lines of text, and saved as the node sent it', async () => {
  body = `account\r\n${HOSTILE}\r\n`
  const { out } = await shown('report', 'balances')
  expect(out).not.toMatch(/(?!\n|\r\n)[\p{Cc}\p{Cf}\p{Zl}]/u)
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-cli-'))
  try {
    const file = path.join(directory, 'balances.csv')
    await shown('report', 'balances', '--out', file)
    expect(readFileSync(file, 'utf8')).toBe(body)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
