/** Every operation of the server is tried with every role, against a table of its own: a new operation fails until it is in it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ADMIN_RIGHTS, RIGHTS_BY_ROLE } from '../../units/admin-rights.ts'
import type { AdminRole } from '../../units/operator-words.ts'
import type { AdminOperation } from '../../wire/admin.ts'
import { openAdminFixture, TOKEN } from './admin.fixture.ts'
import { OPERATIONS } from './operations.ts'
import { RIGHTS_BY_OPERATION } from './roles.ts'
import { WRONG_TOKENS_MAX } from './wrong-tokens.ts'

const ANYBODY = [
  'node/status asset/list symbol/list tier/list account/list account/show key/list balance/list withdrawal/list',
  'account/story account/find order/list order/show order/fills withdrawal/ended transfer/show',
  'approval/list token/list ban/list audit/list event/list clock/show exchange/show report/show liabilities/show',
  'webhook/list webhook/show dead-event/list',
]
const SUPPORT = [
  'order/cancel order/cancel-all account/note account/add account/restrict account/freeze key/revoke key/disable ban/add ban/lift',
]
const OPERATOR = [
  'rules/set asset/add asset/set symbol/add symbol/rates symbol/set symbol/increments symbol/halt symbol/resume symbol/cancel-only symbol/delist',
  'tier/set account/terms account/unfreeze account/close account/set key/add key/set key/rotate key/enable master-key/rotate',
  'journal/read journal/quarantined journal/archives archive/record archive/trim money/credit money/debit money/move savings/deposit savings/withdraw house/payout',
  'withdrawal/hold withdrawal/complete withdrawal/cancel approval/approve approval/reject token/add token/revoke',
  'clock/accept exchange/halt exchange/close exchange/open exchange/plan exchange/unplan',
  'webhook/add webhook/pause webhook/resume webhook/remove webhook/test webhook/retry',
]
const words = (lines: readonly string[]) => lines.join(' ').split(' ') as AdminOperation[]
const FORBIDDEN: Readonly<Record<AdminRole, ReadonlySet<AdminOperation>>> = {
  READ_ONLY: new Set(words([...SUPPORT, ...OPERATOR])),
  SUPPORT: new Set(words(OPERATOR)),
  OPERATOR: new Set(),
}

const server = await openAdminFixture()
afterAll(() => server.stop())

const tokens = {} as Record<AdminRole, string>
beforeAll(async () => {
  for (const role of Object.keys(FORBIDDEN) as AdminRole[]) {
    tokens[role] = ((await server.done('token/add', { name: role, role })) as { token: string }).token
  }
})

test('the reference says which rights each operation takes, and which rights each role has', async () => {
  const page = await Bun.file(new URL('../../../docs/reference/admin.md', import.meta.url)).text()
  const documented = documentedRights(page)
  expect([...documented.keys()]).toEqual([...ADMIN_RIGHTS])
  for (const operation of Object.keys(OPERATIONS) as AdminOperation[]) {
    const rights = ADMIN_RIGHTS.filter((right) => documented.get(right)?.includes(operation))
    // Forbidding less is an exception that its operation has.
    const ofItself = rights.filter(
      (right) => operation !== 'account/restrict' || right !== 'accounts.release',
    )
    expect([operation, ofItself]).toEqual([operation, [...RIGHTS_BY_OPERATION[operation]]])
  }
  for (const [role, rights] of Object.entries(RIGHTS_BY_ROLE)) {
    const line = page.match(new RegExp(`^\\| \`${role}\` \\| .* \\| (.*) \\|$`, 'm'))?.[1] ?? ''
    const own = [...line.matchAll(/`([a-z.-]+)`/g)].map(([, right = '']) => right)
    const based = line.includes('those of `READ_ONLY`') ? [...RIGHTS_BY_ROLE.READ_ONLY, ...own] : own
    expect([role, line === 'all' ? [...ADMIN_RIGHTS] : based]).toEqual([role, [...rights]])
  }
})

/** Of each right in the reference's table, the operations in its line. */
function documentedRights(page: string): Map<string, string[]> {
  const table = page.slice(page.indexOf('| Right | Operations |'), page.indexOf('\n## Audit trail'))
  const lines = [...table.matchAll(/^\| `([a-z.-]+)` \| (.*) \|$/gm)]
  return new Map(
    lines.map(([, right = '', cell = '']) => [
      right,
      [...cell.matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, operation = '']) => operation),
    ]),
  )
}

test('the table has every operation, once', () => {
  const table = words([...ANYBODY, ...SUPPORT, ...OPERATOR])
  expect(table.toSorted()).toEqual((Object.keys(OPERATIONS) as AdminOperation[]).toSorted())
})

for (const role of Object.keys(FORBIDDEN) as AdminRole[]) {
  test(`${role} is refused all that it must not do, whatever the body, and nothing else`, async () => {
    for (const operation of Object.keys(OPERATIONS) as AdminOperation[]) {
      // A field that no operation has: nothing is done even where the role allows it.
      const { status } = await server.ask(operation, { 'no such field': 1 }, tokens[role])
      expect([operation, status]).toEqual([operation, FORBIDDEN[role].has(operation) ? 403 : 400])
    }
  })
}

describe('a browser on this machine cannot use the server', () => {
  const send = (headers: Record<string, string>, body = '{"name":"mallory"}') =>
    server.raw('/admin/v1/account/add', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      body,
    })

  test('under a name that was made to lead here', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '0.0.0.0']) {
      const answer = await send({ host, 'content-type': 'application/json' })
      expect([answer.status, answer.body]).toMatchObject([421, { error: { reason: 'WRONG_HOST' } }])
    }
    expect((await send({ host: 'localhost:1', 'content-type': 'application/json' })).status).toBe(200)
  })

  test('with what a form can send, nor after asking first', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect((await send({ 'content-type': type })).status).toBe(415)
    }
    const preflight = await server.raw('/admin/v1/account/add', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(401)
  })
})

test('wrong tokens are counted: more than so many in a minute are silence in the log, and right ones are served', async () => {
  const before = server.logged.length
  const statuses: number[] = []
  for (let at = 0; at < WRONG_TOKENS_MAX * 3; at++) {
    statuses.push((await server.ask('node/status', {}, `guess ${at}`)).status)
  }
  expect(statuses[0]).toBe(401)
  // The count may start anew with a minute, once.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(WRONG_TOKENS_MAX * 2)
  expect(statuses.at(-1)).toBe(429)
  expect(server.logged.length - before).toBeLessThanOrEqual(WRONG_TOKENS_MAX * 2)
  expect((await server.ask('node/status', {}, tokens.READ_ONLY)).status).toBe(200)
})
