/**
 * Every operation of the server is tried with every role, against the rights that it requires and the tables
 * of the reference.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AdminOperation, OPERATION_ROWS } from '../../../contract/admin/admin.ts'
import type { TakenRight } from '../../../contract/admin/operations/row.ts'
import { ADMIN_RIGHTS, type AdminRight, BUILT_IN_ROLES, builtInRights } from '../../../units/admin-rights.ts'
import { openAdminFixture, TOKEN } from '../admin.fixture.ts'
import { OPERATIONS } from '../operations.ts'
import { REACH_BY_OPERATION } from './reach.fixture.ts'
import { missingRight } from './roles.ts'
import { WRONG_TOKENS_MAX } from './wrong-tokens.ts'

/** A custom role, made for this file. */
const OWN = 'deposits'
const OWN_RIGHTS: readonly AdminRight[] = ['credit', 'read.accounts']
/** Roles with a single right each, one for every right. */
const ALONE = new Map<string, AdminRight>(
  ADMIN_RIGHTS.map((right) => [`only-${right.replace('.', '-')}`, right]),
)
const ROLES = [...Object.keys(BUILT_IN_ROLES), OWN, ...ALONE.keys()]
const EVERY_OPERATION = Object.keys(OPERATIONS) as AdminOperation[]

const server = await openAdminFixture()
afterAll(() => server.stop())

const tokens = new Map<string, string>()
beforeAll(async () => {
  await server.done('role/set', { name: OWN, rights: OWN_RIGHTS })
  for (const [name, right] of ALONE) await server.done('role/set', { name, rights: [right] })
  for (const role of ROLES) {
    tokens.set(role, ((await server.done('token/add', { name: role, role })) as { token: string }).token)
  }
})

function rightsOfRole(role: string): readonly AdminRight[] {
  const alone = ALONE.get(role)
  return alone === undefined ? (builtInRights(role) ?? OWN_RIGHTS) : [alone]
}

test('the reference lists which rights each operation needs, and which rights each role has', async () => {
  const page = await Bun.file(new URL('../../../../docs/reference/admin.md', import.meta.url)).text()
  const documented = documentedRights(page)
  expect([...documented.keys()]).toEqual([...ADMIN_RIGHTS, 'owner', 'customers'])
  for (const operation of Object.keys(OPERATIONS) as AdminOperation[]) {
    const rights: TakenRight[] = ([...ADMIN_RIGHTS, 'owner', 'customers'] as const).filter((right) =>
      documented.get(right)?.includes(operation),
    )
    // `account/restrict` requires `accounts.release` only to lift restrictions, which its row does not show.
    const ofItself = rights.filter(
      (right) => operation !== 'account/restrict' || right !== 'accounts.release',
    )
    expect([operation, ofItself]).toEqual([operation, [...OPERATION_ROWS[operation].rights]])
  }
  for (const [role, rights] of Object.entries(BUILT_IN_ROLES)) {
    const line = page.match(new RegExp(`^\\| \`${role}\` \\| .* \\| (.*) \\|$`, 'm'))?.[1] ?? ''
    const own = [...line.matchAll(/`([a-z.-]+)`/g)].map(([, right = '']) => right)
    const based = line.includes('those of `READ_ONLY`') ? [...BUILT_IN_ROLES.READ_ONLY, ...own] : own
    expect([role, line === 'all' ? [...ADMIN_RIGHTS] : based]).toEqual([role, [...rights]])
  }
})

/** For each right in the reference's table, the operations in its row. */
function documentedRights(page: string): Map<string, string[]> {
  const table = page.slice(page.indexOf('| Right | Operations |'), page.indexOf('\n## Audit trail'))
  const lines = [...table.matchAll(/^\| `([a-z.-]+)`(?:: [^|]*)? \| (.*) \|$/gm)]
  return new Map(
    lines.map(([, right = '', cell = '']) => [
      right,
      [...cell.matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, operation = '']) => operation),
    ]),
  )
}

for (const role of ROLES) {
  test(`${role} may do exactly what its rights say, and is told which one is missing; a denied operation changes nothing`, async () => {
    const before = await server.engine.port.follow(() => {})
    for (const operation of EVERY_OPERATION) {
      // No operation has this field, so nothing is done even if the role allows the operation.
      const { status, body } = await server.ask(operation, { 'no such field': 1 }, tokens.get(role))
      const lacking = OPERATION_ROWS[operation].rights.find(
        (right) => !rightsOfRole(role).includes(right as AdminRight),
      )
      const error = body.ok ? undefined : body.error
      expect([operation, status]).toEqual([operation, lacking === undefined ? 400 : 403])
      if (lacking === undefined) expect([operation, error?.reason]).toEqual([operation, 'INVALID_FIELD'])
      else if (lacking === 'owner')
        expect([operation, error?.reason]).toEqual([operation, 'OWN_TOKEN_NEEDED'])
      else {
        expect([operation, error?.reason]).toEqual([operation, 'ROLE_NOT_ALLOWED'])
        expect(error?.message).toContain(`the right ${lacking}, which the role ${role} `)
      }
    }
    expect((await server.engine.port.follow(() => {})).seq).toBe(before.seq)
  })
}

test('no right reaches what another right protects: an operation needs every right whose data it returns', () => {
  for (const operation of EVERY_OPERATION) {
    const reached: readonly TakenRight[] = REACH_BY_OPERATION[operation]
    expect([operation, reached.filter((one) => !OPERATION_ROWS[operation].rights.includes(one))]).toEqual([
      operation,
      [],
    ])
    // An operation that only reads still returns data: each right that it requires protects that data.
    const { isReading, rights } = OPERATION_ROWS[operation]
    const looks = isReading ? rights.filter((right) => right !== 'customers') : undefined
    expect([operation, looks ?? reached]).toEqual([operation, [...reached]])
  }
})

test('the right to send events elsewhere is useless without the right to read them', async () => {
  const url = 'https://books.example/bourse'
  const token = tokens.get('only-webhooks')
  const before = await server.engine.port.follow(() => {})
  for (const operation of EVERY_OPERATION.filter((one) => one.startsWith('webhook/'))) {
    expect(await server.error(operation, { name: 'mine', url, after: 0 }, token)).toMatchObject({
      ...{ status: 403, reason: 'ROLE_NOT_ALLOWED', message: expect.stringContaining('the right events') },
    })
  }
  expect((await server.engine.port.follow(() => {})).seq).toBe(before.seq)
})

test('a role that lacks a right of a token cannot revoke that token', async () => {
  const revoke = (name: string) => server.error('token/revoke', { name }, tokens.get('only-tokens'))
  expect(await revoke('OPERATOR')).toMatchObject({
    ...{ status: 403, reason: 'ROLE_NOT_ALLOWED' },
    message: expect.stringContaining('revoking a token of role OPERATOR needs the right read,'),
  })
  await server.done('token/add', { name: 'like-it', role: 'only-tokens' })
  await server.done('token/revoke', { name: 'like-it' }, tokens.get('only-tokens'))
})

test('the node’s own token may do everything but act as the customers process', async () => {
  for (const operation of EVERY_OPERATION) {
    const isOfCustomers = OPERATION_ROWS[operation].rights.includes('customers')
    const { status } = await server.ask(operation, { 'no such field': 1 })
    expect([operation, status]).toEqual([operation, isOfCustomers ? 403 : 400])
  }
})

test('the first roles have the rights that they always had', () => {
  const may = (role: string) =>
    EVERY_OPERATION.filter((one) => missingRight(rightsOfRole(role), one) === undefined)
  const reading = EVERY_OPERATION.filter(
    (one) =>
      OPERATION_ROWS[one].isReading &&
      !one.startsWith('journal/') &&
      !OPERATION_ROWS[one].rights.includes('customers'),
  )
  expect(may('READ_ONLY').toSorted()).toEqual(reading.toSorted())
  const support =
    'order/cancel order/cancel-all account/note account/add account/restrict account/freeze key/revoke key/disable ban/add ban/lift customer/freeze'
  expect(
    may('SUPPORT')
      .filter((one) => !reading.includes(one))
      .toSorted(),
  ).toEqual(support.split(' ').toSorted() as AdminOperation[])
  const owners = EVERY_OPERATION.filter((one) =>
    OPERATION_ROWS[one].rights.some((right) => right === 'owner' || right === 'customers'),
  )
  expect(may('OPERATOR')).toEqual(EVERY_OPERATION.filter((one) => !owners.includes(one)))
  expect(may('DEPOSITOR')).toEqual(['money/credit'])
  expect(may('AUDITOR').every((one) => OPERATION_ROWS[one].isReading)).toBe(true)
})

describe('a browser on this machine cannot use the server', () => {
  const send = (headers: Record<string, string>, body = '{"name":"mallory"}') =>
    server.raw('/admin/v1/account/add', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      body,
    })

  test('under a name that resolves to this machine', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '0.0.0.0']) {
      const answer = await send({ host, 'content-type': 'application/json' })
      expect([answer.status, answer.body]).toMatchObject([421, { error: { reason: 'WRONG_HOST' } }])
    }
    expect((await send({ host: 'localhost:1', 'content-type': 'application/json' })).status).toBe(200)
  })

  test('with what a form can send, nor after a preflight', async () => {
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

test('wrong tokens are counted: above the limit per minute they are no longer logged, and right ones are served', async () => {
  const before = server.logged.length
  const statuses: number[] = []
  for (let at = 0; at < WRONG_TOKENS_MAX * 3; at++) {
    statuses.push((await server.ask('node/status', {}, `guess ${at}`)).status)
  }
  expect(statuses[0]).toBe(401)
  // The count may be reset once, at the turn of a minute.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(WRONG_TOKENS_MAX * 2)
  expect(statuses.at(-1)).toBe(429)
  expect(server.logged.length - before).toBeLessThanOrEqual(WRONG_TOKENS_MAX * 2)
  expect((await server.ask('node/status', {}, tokens.get('READ_ONLY'))).status).toBe(200)
})
