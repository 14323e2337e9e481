/**
 * Operators' own roles, tokens with terms, limits, and approvals by several people, as operators use them
 * over the server.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isoTime } from '../../contract/time.ts'
import { timeMs } from '../../units/quantities.ts'
import { LiveBackOffice } from '../../views/back-office.ts'
import { type AdminFixture, NOW, openAdminFixture } from './admin.fixture.ts'
import { callerFinder, digestOf } from './callers.ts'
import type { AdminContext } from './context.ts'
import { TokenUse } from './roles/token-use.ts'
import { listTokens } from './roles/tokens.ts'

let server: AdminFixture
const tokens: Record<string, string> = {}

async function tokenOf(name: string, request: object): Promise<string> {
  const token = ((await server.done('token/add', { name, ...request })) as { token: string }).token
  tokens[name] = token
  return token
}

const money = (amount: string, reference: string) => ({ account: 'carol', asset: 'EUR', amount, reference })

beforeAll(async () => {
  server = await openAdminFixture()
  await server.done('asset/add', { code: 'EUR', fraction: 2 })
  await server.done('account/add', { name: 'carol' })
  await server.done('role/set', {
    name: 'desk',
    rights: ['credit', 'debit', 'approve', 'read.money', 'tokens'],
  })
  for (const name of ['dan', 'eve', 'fay']) await tokenOf(name, { role: 'desk' })
})
afterAll(() => server.stop())

describe('a custom role', () => {
  test('is created, listed and removed with the node’s own token alone', async () => {
    const made = await server.done('role/set', { name: 'deposits', rights: ['read.accounts', 'credit'] })
    expect(made).toEqual({
      name: 'deposits',
      builtIn: false,
      rights: ['read.accounts', 'credit'],
      limits: [],
    })
    expect(await server.done('role/list')).toContainEqual(made)
    expect(await server.done('role/remove', { name: 'deposits' })).toEqual({ removed: true })
    expect(await server.error('role/remove', { name: 'deposits' })).toMatchObject({
      status: 404,
      reason: 'UNKNOWN_ROLE',
    })
    await tokenOf('olga', { role: 'operator' })
    expect(await server.error('role/set', { name: 'mine', rights: ['credit'] }, tokens.olga)).toMatchObject({
      status: 403,
      reason: 'OWN_TOKEN_NEEDED',
    })
  })

  test('is refused with the field and what was expected', async () => {
    for (const [request, field] of [
      [{ name: 'Big', rights: ['credit'] }, 'name'],
      [{ name: 'operator', rights: ['credit'] }, 'name'],
      [{ name: 'x', rights: [] }, 'rights'],
      [{ name: 'x', rights: ['fly'] }, 'rights.0'],
      [{ name: 'x', rights: ['credit', 'credit'] }, 'rights'],
    ] as const) {
      expect(await server.error('role/set', request)).toMatchObject({ reason: 'INVALID_FIELD', field })
    }
  })

  test('is not removed while a token has it', async () => {
    expect(await server.error('role/remove', { name: 'desk' })).toMatchObject({
      status: 409,
      reason: 'ROLE_IN_USE',
      message: expect.stringContaining('revoked: dan, eve, fay'),
    })
  })
})

describe('a token', () => {
  test('is created by a named one for roles that move and approve nothing, with no more rights than its own', async () => {
    expect(await server.error('token/add', { name: 'x1', role: 'desk' }, tokens.dan)).toMatchObject({
      reason: 'OWN_TOKEN_NEEDED',
    })
    expect(await server.error('token/add', { name: 'x1', role: 'support' }, tokens.dan)).toMatchObject({
      status: 403,
      reason: 'ROLE_NOT_ALLOWED',
      message: expect.stringContaining('the right read'),
    })
    expect(await server.error('token/add', { name: 'x1', role: 'chief' })).toMatchObject({
      status: 404,
      reason: 'UNKNOWN_ROLE',
      field: 'role',
    })
  })

  test('shows when it expires, from where it is accepted, and when and from where it was last used', async () => {
    const terms = { role: 'AUDITOR', expiresAt: '2027-06-01T00:00:00Z', addresses: ['127.0.0.0/8'] }
    const token = await tokenOf('audrey', terms)
    const row = async () =>
      ((await server.done('token/list')) as { name: string }[]).find(({ name }) => name === 'audrey')
    expect(await row()).toMatchObject({
      role: 'AUDITOR',
      expiresAt: '2027-06-01T00:00:00.000+00:00',
      addresses: ['127.0.0.0/8'],
      lastUsedAt: null,
      lastUsedFrom: null,
    })
    await server.done('audit/list', {}, token)
    expect(await row()).toMatchObject({
      lastUsedAt: isoTime(timeMs(NOW)),
      lastUsedFrom: '127.0.0.1',
    })
  })

  test('is accepted from its addresses alone, and those can be changed', async () => {
    const token = await tokenOf('adele', { role: 'READ_ONLY', addresses: ['192.0.2.0/24'] })
    expect(await server.error('node/status', {}, token)).toMatchObject({
      status: 403,
      reason: 'TOKEN_ADDRESS_NOT_ALLOWED',
      message: 'the token adele may not be used from 127.0.0.1',
    })
    await server.done('token/set', { name: 'adele', addresses: ['192.0.2.0/24', '127.0.0.1'] })
    expect((await server.ask('node/status', {}, token)).status).toBe(200)
    await server.done('token/set', { name: 'adele', expiresAt: '2027-06-01T00:00:00Z' })
    expect((await server.ask('node/status', {}, token)).status).toBe(200)
    expect(await server.error('token/set', { name: 'adele', addresses: ['nowhere'] })).toMatchObject({
      field: 'addresses.0',
    })
    expect(
      await server.error('token/set', { name: 'adele', expiresAt: '2020-01-01T00:00:00Z' }),
    ).toMatchObject({
      field: 'expiresAt',
    })
  })

  test('is refused once its time is over, with the reason', async () => {
    const backOffice = new LiveBackOffice({ rulesVersion: 11 })
    const token = { name: 'ann', role: 'OPERATOR', digest: digestOf('secret'), createdAt: timeMs(0) }
    backOffice.apply({
      kind: 'AdminTokenChanged',
      token: { ...token, isRevoked: false, expiresAt: timeMs(1_000) },
    })
    let now = timeMs(999)
    const context: Partial<AdminContext> = { backOffice, tokenUse: new TokenUse(), now: () => now }
    const listed = () => listTokens(context as AdminContext, {})
    const find = callerFinder(undefined, backOffice, () => now)
    expect(find('Bearer secret', '::1')?.caller).toMatchObject({ token: 'ann', role: 'OPERATOR' })
    expect(await listed()).toMatchObject([{ name: 'ann', expired: false }])
    now = timeMs(1_000)
    expect(await listed()).toMatchObject([{ name: 'ann', expired: true }])
    expect(find('Bearer secret', '::1')).toMatchObject({
      refusal: {
        reason: 'INVALID_TOKEN',
        message: 'the token ann has expired, at 1970-01-01T00:00:01.000+00:00',
      },
    })
    expect(find('Bearer other', '::1')).toBeUndefined()
  })

  test('has at once the rights that its role is given', async () => {
    await server.done('role/set', { name: 'shift', rights: ['read'] })
    const token = await tokenOf('sam', { role: 'shift' })
    expect((await server.ask('account/list', {}, token)).status).toBe(403)
    await server.done('role/set', { name: 'shift', rights: ['read.accounts'] })
    expect((await server.ask('account/list', {}, token)).status).toBe(200)
  })
})

test('a transfer beyond a limit is refused with what is left of it, and with when it begins again', async () => {
  const set = await server.done('role/limit', { role: 'desk', asset: 'EUR', inEach: '60', inDay: '100' })
  expect(set).toMatchObject({
    limits: [{ asset: 'EUR', inEach: '60', inDay: '100', inLeft: '100', outLeft: null }],
  })
  expect(await server.error('money/credit', money('60.01', 'l1'), tokens.dan)).toMatchObject({
    status: 400,
    reason: 'ROLE_LIMIT',
    message: expect.stringContaining('found 60.01 EUR, the limit of role desk per command is 60 EUR'),
  })
  await server.done('money/credit', money('60', 'l1'), tokens.dan)
  expect(await server.done('money/credit', money('60', 'l1'), tokens.dan)).toMatchObject({ repeated: true })
  expect(await server.error('money/credit', money('40.01', 'l2'), tokens.eve)).toMatchObject({
    reason: 'ROLE_LIMIT',
    message: expect.stringMatching(
      /role desk has 40 EUR of 100 EUR left today; the next day begins at .*T00:00:00/,
    ),
  })
  expect(await server.done('role/list')).toContainEqual(
    expect.objectContaining({ name: 'desk', limits: [expect.objectContaining({ inLeft: '40' })] }),
  )
  await server.done('role/limit', { role: 'desk', asset: 'EUR', inEach: '0', inDay: '0' })
  expect(await server.done('role/list')).toContainEqual(expect.objectContaining({ name: 'desk', limits: [] }))
})

test('a limit of the role with the longest name is refused in a complete sentence, with its moment', async () => {
  const role = 'desk'.padEnd(64, '-')
  await server.done('role/set', { name: role, rights: ['credit'] })
  const token = await tokenOf('lou', { role })
  await server.done('role/limit', { role, asset: 'EUR', inDay: '12345678901234.56' })
  expect(await server.error('money/credit', money('98765432109876.54', 'long'), token)).toMatchObject({
    reason: 'ROLE_LIMIT',
    message: expect.stringMatching(/next day begins at \d{4}-\d\d-\d\dT00:00:00\.000\+00:00\.$/),
  })
})

test('two of three approve; the list says who has approved, who may, and how many are needed', async () => {
  await server.done('asset/set', { code: 'EUR', approvalAbove: '100' })
  expect(await server.done('approval/needed', { needed: 2, asset: 'EUR' })).toEqual({
    needed: 1,
    assets: [{ asset: 'EUR', needed: 2 }],
  })
  expect(await server.done('money/credit', money('500', 'a1'), tokens.dan)).toMatchObject({ pending: true })
  const row = async () => ((await server.done('approval/list', {}, tokens.eve)) as object[])[0]
  const may = ((await row()) as { mayApprove: string[] }).mayApprove
  expect([may.includes('eve'), may.includes('fay'), may.includes('dan'), may.includes('audrey')]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(await server.done('approval/approve', { reference: 'a1' }, tokens.eve)).toMatchObject({
    pending: true,
  })
  expect(await row()).toMatchObject({ needed: 2, approvedBy: ['eve'] })
  await server.done('token/revoke', { name: 'eve' })
  expect(((await server.done('approval/list')) as object[])[0]).toMatchObject({ approvedBy: [] })
  expect(await server.done('approval/approve', { reference: 'a1' }, tokens.fay)).toMatchObject({
    pending: true,
  })
  expect(await server.done('approval/approve', { reference: 'a1' }, tokens.olga)).toMatchObject({
    pending: false,
  })
  expect(await server.done('audit/list', { kind: 'approve' })).toHaveLength(3)
})

test('the log warns of every change of what operators may do', () => {
  const warned = server.logged.filter((parts) =>
    JSON.stringify(parts).includes('the rights of operators were changed'),
  )
  expect(warned).toContainEqual([
    { who: 'local:operator', operation: 'approval/needed' },
    'the rights of operators were changed',
  ])
})
