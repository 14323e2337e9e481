/** Operators: roles, two people for large amounts, withdrawals, keys, bans, and the audit trail. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { timeMs } from '../../units/quantities.ts'
import { NOW, openAdminFixture } from './admin.fixture.ts'

const server = await openAdminFixture()
const { done, error } = server
afterAll(() => server.stop())

const tokens: Record<string, string> = {}

beforeAll(async () => {
  await done('asset/add', { code: 'EUR', fraction: 2, isSaving: true })
  await done('asset/add', { code: 'XAU', fraction: 3, isWithdraw: false })
  await done('account/add', { name: 'carol' })
  for (const [name, role] of [
    ['ann', 'OPERATOR'],
    ['ben', 'OPERATOR'],
    ['sue', 'SUPPORT'],
    ['ray', 'READ_ONLY'],
  ] as const) {
    tokens[name] = ((await done('token/add', { name, role })) as { token: string }).token
  }
})

const money = (amount: string, reference: string) => ({ account: 'carol', asset: 'EUR', amount, reference })

describe('tokens and roles', () => {
  test('each role may do what it says, and a refusal names the missing right', async () => {
    expect(await done('account/list', {}, tokens.ray)).toBeArray()
    expect(await error('account/freeze', { account: 'carol' }, tokens.ray)).toMatchObject({
      status: 403,
      reason: 'ROLE_NOT_ALLOWED',
    })
    expect(server.logged).toContainEqual([
      { operation: 'account/freeze', who: 'ray', role: 'READ_ONLY', right: 'accounts.restrict' },
      'an admin operation was refused: the role lacks a right',
    ])
    expect(await done('account/freeze', { account: 'carol' }, tokens.sue)).toMatchObject({
      restrictions: ['TRADE', 'WITHDRAW', 'LOGIN'],
    })
    expect(await error('account/unfreeze', { account: 'carol' }, tokens.sue)).toMatchObject({ status: 403 })
    const loosened = { account: 'carol', restrictions: ['TRADE'] }
    expect(await error('account/restrict', loosened, tokens.sue)).toMatchObject({ status: 403 })
    expect(await done('account/unfreeze', { account: 'carol' }, tokens.ann)).toMatchObject({
      restrictions: [],
    })
    expect(await error('journal/read', { after: 0 }, tokens.sue)).toMatchObject({ status: 403 })
  })

  test('no token is stored or logged, and each name is given once', async () => {
    const listed = JSON.stringify([await done('token/list'), await done('audit/list'), server.logged])
    for (const token of Object.values(tokens)) expect(listed).not.toContain(token)
    expect(await error('token/add', { name: 'ann', role: 'SUPPORT' })).toMatchObject({ status: 409 })
    expect(await error('token/add', { name: 'local:ann', role: 'SUPPORT' })).toMatchObject({ field: 'name' })
  })

  test('a revoked token opens nothing, and its name stays in use', async () => {
    const { token } = (await done('token/add', { name: 'tom', role: 'OPERATOR' })) as { token: string }
    await done('node/status', {}, token)
    await done('token/revoke', { name: 'tom' })
    expect(await error('node/status', {}, token)).toMatchObject({ status: 401, reason: 'INVALID_TOKEN' })
    expect(await error('token/add', { name: 'tom', role: 'OPERATOR' })).toMatchObject({
      reason: 'TOKEN_EXISTS',
    })
  })

  test('the actor is the holder of the token; with the node’s own token it is only claimed', async () => {
    for (const actor of ['ben', 'local:ann', '']) {
      const refused = { status: 400, reason: 'INVALID_FIELD', field: 'actor' }
      expect(await error('tier/set', { ...TIER, actor }, tokens.ann)).toMatchObject(refused)
    }
    await done('tier/set', TIER, tokens.ann)
    await done('tier/set', { ...TIER, actor: 'ann' })
    const actors = (await done('audit/list', { kind: 'SetFeeTier' })) as { actor: string }[]
    expect(actors.map(({ actor }) => actor)).toEqual(['local:ann', 'ann'])
  })
})

describe('the log of a completed operation has', () => {
  const last = () => server.logged.at(-1)

  test('its actor: the holder of the token, or with the node’s own token the claimed one', async () => {
    await done('tier/set', TIER, tokens.ann)
    expect(last()).toEqual([{ operation: 'tier/set', who: 'ann' }, 'admin operation done'])
    await done('tier/set', { ...TIER, actor: 'dora' })
    expect(last()).toEqual([{ operation: 'tier/set', who: 'local:dora' }, 'admin operation done'])
    await done('tier/set', TIER)
    expect(last()).toEqual([{ operation: 'tier/set', who: 'local:operator' }, 'admin operation done'])
    await done('audit/list', { actor: 'ben' })
    expect(last()).toEqual([{ operation: 'audit/list', who: 'local:operator' }, 'admin operation done'])
  })

  test('a warning when a token was created or a threshold set; and never a secret', async () => {
    const { token } = (await done('token/add', { name: 'una', role: 'SUPPORT' }, tokens.ann)) as {
      token: string
    }
    expect(last()).toEqual([{ who: 'ann', name: 'una', role: 'SUPPORT' }, 'a named token was created'])
    await done('asset/set', { code: 'XAU', approvalAbove: '7' })
    const warned = { who: 'local:operator', asset: 'XAU', approvalAbove: '7' }
    expect(last()).toEqual([warned, 'the amounts that need approval were changed'])
    const { secret } = (await done('key/add', { account: 'carol' })) as { secret: string }
    for (const shown of [token, secret]) expect(JSON.stringify(server.logged)).not.toContain(shown)
  })
})

const TIER = { name: 'vip', makerShare: '0.5', takerShare: '1' }

describe('a transfer above the threshold', () => {
  beforeAll(async () => {
    await done('asset/set', { code: 'EUR', approvalAbove: '1000', creditMax: '50000' })
  })

  test('moves when another person has approved it, once', async () => {
    const large = money('1000.01', 'large 1')
    expect(await done('money/credit', large, tokens.ann)).toEqual({ repeated: false, pending: true })
    expect(await done('money/credit', large, tokens.ben)).toEqual({ repeated: false, pending: true })
    expect(await error('approval/approve', { reference: 'large 1' }, tokens.ann)).toMatchObject({
      status: 403,
      reason: 'SELF_APPROVAL',
    })
    expect(await error('approval/approve', { reference: 'large 1' })).toMatchObject({
      status: 403,
      reason: 'NAMED_TOKEN_NEEDED',
    })
    expect(await done('approval/list', {}, tokens.ray)).toMatchObject([
      { reference: 'large 1', amount: '1000.01', requestedBy: 'ann' },
    ])
    await done('approval/approve', { reference: 'large 1' }, tokens.ben)
    expect(await done('approval/list')).toEqual([])
    expect(await error('approval/approve', { reference: 'large 1' }, tokens.ben)).toMatchObject({
      status: 404,
    })
    expect(await done('money/credit', large, tokens.ann)).toEqual({ repeated: true, pending: false })
  })

  test('is requested with a named token, and the refusal says how to get one', async () => {
    const large = money('1000.01', 'large own')
    const refused = { status: 403, reason: 'NAMED_TOKEN_NEEDED' }
    for (const actor of ['ann', 'nobody', '']) {
      expect(await error('money/credit', { ...large, actor })).toMatchObject({
        ...refused,
        message: expect.stringContaining('bourse admin token add <name> --role OPERATOR'),
      })
    }
    expect(await error('money/debit', money('1000.01', 'large own 2'))).toMatchObject(refused)
    expect(await done('approval/list')).toEqual([])
  })

  test('is not approved by a token that was created after the request', async () => {
    await done('money/credit', money('1000.01', 'large late'), tokens.ann)
    const late = ((await done('token/add', { name: 'ann2', role: 'OPERATOR' })) as { token: string }).token
    expect(await error('approval/approve', { reference: 'large late' }, late)).toMatchObject({
      status: 403,
      reason: 'TOKEN_TOO_NEW',
    })
    await done('approval/reject', { reference: 'large late' }, tokens.ann)
    expect(await done('money/credit', money('1000.01', 'large later'), tokens.ann)).toMatchObject({
      pending: true,
    })
    await done('approval/reject', { reference: 'large later' }, late)
  })

  test('needs two people: one person counts neither as two nor can lift the requirement', async () => {
    const refused = { status: 403, reason: 'OWN_TOKEN_NEEDED' }
    expect(await error('token/add', { name: 'ann3', role: 'OPERATOR' }, tokens.ann)).toMatchObject(refused)
    expect(await done('token/add', { name: 'sam', role: 'SUPPORT' }, tokens.ann)).toMatchObject({
      name: 'sam',
    })
    for (const approvalAbove of ['0', '100000', '10']) {
      expect(await error('asset/set', { code: 'EUR', approvalAbove }, tokens.ann)).toMatchObject(refused)
    }
    const same = { code: 'EUR', approvalAbove: '1000', creditMax: '50000' }
    expect(await done('asset/set', same, tokens.ann)).toMatchObject({ approvalAbove: '1000' })
  })

  test('needs no approval once rejected, nor at the threshold or below', async () => {
    expect(await done('money/credit', money('1000', 'small 1'))).toEqual({ repeated: false, pending: false })
    await done('money/debit', money('1500', 'large 2'), tokens.ann)
    await done('approval/reject', { reference: 'large 2' }, tokens.ann)
    expect(await done('approval/list')).toEqual([])
    expect(await error('money/credit', money('50000.01', 'huge'))).toMatchObject({
      reason: 'CREDIT_LIMIT',
      message:
        'The amount exceeds the limit of one credit of this asset: found 50000.01 EUR, the limit is 50000 EUR.',
    })
    await done('asset/set', { code: 'EUR', supplyCap: '10000' })
    await done('money/credit', money('20000', 'capped 2'), tokens.ann)
    expect(await error('approval/approve', { reference: 'capped 2' }, tokens.ben)).toMatchObject({
      reason: 'SUPPLY_LIMIT',
      message: 'This would exceed the supply cap of the asset: found 20000 EUR, the limit is 10000 EUR.',
    })
    await done('asset/set', { code: 'EUR', supplyCap: '0' })
    await done('approval/reject', { reference: 'capped 2' })
  })
})

describe('withdrawals', () => {
  test('are held, and paid out or returned, once', async () => {
    await done('withdrawal/hold', money('10', 'out 1'))
    await done('withdrawal/hold', money('20', 'out 2'))
    expect(await done('withdrawal/list', { account: 'carol' })).toMatchObject([
      { reference: 'out 1', amount: '10' },
      { reference: 'out 2', amount: '20' },
    ])
    const taken = { ...money('1', 'steal'), from: 'freeze', to: 'free' }
    expect(await error('money/move', taken)).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' })
    await done('withdrawal/complete', { reference: 'out 1' })
    expect(await done('withdrawal/complete', { reference: 'out 1' })).toMatchObject({ repeated: true })
    expect(await error('withdrawal/cancel', { reference: 'out 1' })).toMatchObject({ status: 409 })
    await done('withdrawal/cancel', { reference: 'out 2' })
    const [euro] = (await done('balance/list', { account: 'carol' })) as object[]
    expect(euro).toMatchObject({ free: '1990.01', freeze: '0' })
  })

  test('respect the switches of the asset and the restrictions of the account', async () => {
    const gold = { account: 'carol', asset: 'XAU', amount: '1', reference: 'gold' }
    expect(await error('withdrawal/hold', gold)).toMatchObject({ reason: 'ASSET_NOT_WITHDRAWABLE' })
    await done('account/restrict', { account: 'carol', restrictions: ['WITHDRAW'] })
    expect(await error('withdrawal/hold', money('1', 'out 3'))).toMatchObject({
      reason: 'ACCOUNT_RESTRICTED',
    })
    await done('account/unfreeze', { account: 'carol' })
  })
})

test('a key is changed, rotated with an overlap, and revoked permanently', async () => {
  const { apiKey, secret } = (await done('key/add', { account: 'carol', expiresAt: '2100-01-01' })) as {
    apiKey: string
    secret: string
  }
  const changed = { apiKey, addresses: ['10.0.0.0/8'], expiresAt: '' }
  expect(await done('key/set', changed)).toMatchObject({ addresses: ['10.0.0.0/8'], expiresAt: null })
  expect(await error('key/set', { apiKey, expiresAt: '1999-01-01' })).toMatchObject({ field: 'expiresAt' })
  const rotated = (await done('key/rotate', { apiKey, overlapMinutes: 1 })) as Record<string, unknown>
  expect(rotated.secret).not.toBe(secret)
  expect(rotated.previousSecretUntil).toBe(new Date(NOW + 60_000).toISOString().replace('Z', '+00:00'))
  expect(await done('key/revoke', { apiKey })).toMatchObject({ revoked: true, enabled: false })
  expect(await error('key/enable', { apiKey })).toMatchObject({ reason: 'API_KEY_REVOKED' })
})

test('a key demands strict signatures from its creation, or from a later request', async () => {
  const strict = (await done('key/add', { account: 'carol', strict: true })) as { apiKey: string }
  const plain = (await done('key/add', { account: 'carol' })) as { apiKey: string }
  expect([strict, plain]).toMatchObject([{ strict: true }, { strict: false }])
  expect(await done('key/set', { apiKey: strict.apiKey, label: 'desk' })).toMatchObject({ strict: true })
  expect(await done('key/set', { apiKey: plain.apiKey, strict: true })).toMatchObject({ strict: true })
  const both = { apiKey: strict.apiKey, strict: false, label: 'other' }
  expect(await done('key/set', both)).toMatchObject({ strict: false, label: 'other' })
  const listed = (await done('key/list', { account: 'carol' })) as { apiKey: string; strict: boolean }[]
  expect(listed.find(({ apiKey }) => apiKey === plain.apiKey)?.strict).toBe(true)
  expect(await done('audit/list', { kind: 'SetApiKeyStrict', limit: 1 })).toMatchObject([
    { fields: { apiKey: strict.apiKey, strict: false } },
  ])
})

test('a ban is listed, whoever made it, and lifting it leaves a record', async () => {
  server.limitBans.set('192.0.2.9', timeMs(NOW + 5))
  await done('ban/add', { address: '2001:db8::7', minutes: 1 }, tokens.sue)
  expect(await done('ban/list')).toMatchObject([
    { address: '2001:db8:0:0::/64', by: 'OPERATOR' },
    { address: '192.0.2.9', by: 'LIMITS' },
  ])
  expect(await done('ban/lift', { address: '2001:db8::/64' })).toEqual({ lifted: true })
  expect(await done('ban/lift', { address: '192.0.2.9' })).toEqual({ lifted: true })
  expect(await done('ban/lift', { address: '192.0.2.9' })).toEqual({ lifted: false })
  expect(await error('ban/add', { address: 'home', minutes: 1 })).toMatchObject({ field: 'address' })
  expect(await done('audit/list', { kind: 'LiftBan' })).toHaveLength(3)
  expect(await done('audit/list', { kind: 'liftban' })).toHaveLength(3)
  expect(await error('audit/list', { kind: 'PlaceOrder' })).toMatchObject({ field: 'kind' })
})

test('lifting a ban ends that of operators and that of the limits, and none of another client', async () => {
  const both = '2001:db8:7:0::/64'
  const others = ['2001:db8:7:1::/64', '192.0.2.70']
  for (const address of [both, '192.0.2.7', ...others]) {
    server.limitBans.set(address, timeMs(NOW + 5))
    await done('ban/add', { address: address.replace('/64', '1'), minutes: 1 })
  }
  const standing = async () => {
    const bans = (await done('ban/list')) as { address: string; by: string }[]
    return bans.map(({ address, by }) => `${by} ${address}`).sort()
  }
  expect(await done('ban/lift', { address: '2001:db8:7::ffff:1' })).toEqual({ lifted: true })
  expect(await done('ban/lift', { address: '192.0.2.7' })).toEqual({ lifted: true })
  expect(await standing()).toEqual(others.flatMap((at) => [`LIMITS ${at}`, `OPERATOR ${at}`]).sort())
  for (const address of others) await done('ban/lift', { address })
  expect(await standing()).toEqual([])
})

test('a ban of an IPv6 network has one name in every notation, and is lifted by it', async () => {
  const [wide, narrow] = ['2001:db8:9::/48', '2001:db8:9:300::/56']
  for (const address of ['2001:0db8:0009::1/48', '2001:db8:9:3ff::/56'])
    await done('ban/add', { address, minutes: 1 })
  server.limitBans.set(wide, timeMs(NOW + 5))
  expect(await done('ban/list')).toMatchObject([wide, narrow, wide].map((address) => ({ address })))
  for (const [address, lifted] of [
    ['2001:db8:9:300::1', false],
    [wide, true],
    [narrow, true],
  ] as const)
    expect(await done('ban/lift', { address })).toEqual({ lifted })
  expect(await done('ban/list')).toEqual([])
  expect(await error('ban/add', { address: '192.0.2.0/24', minutes: 1 })).toMatchObject({ field: 'address' })
})

test('a ban of an IPv4 address inside IPv6 is a ban of that IPv4 address', async () => {
  const banned = []
  for (const address of ['::ffff:203.0.113.9', '::FFFF:203.0.113.10', '::ffff:cb00:710b']) {
    banned.push(await done('ban/add', { address, minutes: 1 }))
  }
  expect(banned).toMatchObject([9, 10, 11].map((last) => ({ address: `203.0.113.${last}` })))
  for (const last of [9, 10, 11]) {
    expect(await done('ban/lift', { address: `::ffff:203.0.113.${last}` })).toEqual({ lifted: true })
  }
})

test('an unknown name is reported with the nearest existing one, in every filter and list', async () => {
  const reported = async (...asked: Parameters<typeof error>) =>
    ((await error(...asked)) as { message: string }).message
  expect(await reported('withdrawal/list', { account: 'karol' })).toBe(
    'account: there is no account karol; did you mean carol?',
  )
  expect(await reported('key/list', { account: 'Carol' })).toContain('did you mean carol?')
  expect(await reported('account/list', { after: 'carl' })).toContain('did you mean carol?')
  expect(await reported('asset/set', { code: 'EUT', isTrade: true })).toContain('did you mean EUR?')
  expect(await reported('symbol/halt', { symbol: 'XXXX/YYYY' })).toBe('symbol: there is no symbol XXXX/YYYY')
  expect(await reported('token/revoke', { name: 'bem' })).toContain('did you mean ben?')
  expect(await reported('account/set', { account: 'carol', feeTier: 'vipp' })).toContain('did you mean vip?')
  expect(await reported('audit/list', { kind: 'Credits' })).toContain('did you mean Credit?')
})

test('an unknown actor is reported; for a known one, an empty list is an answer', async () => {
  const unknown = { status: 404, reason: 'UNKNOWN_ACTOR', field: 'actor' }
  expect(await error('audit/list', { actor: 'bem' })).toMatchObject({
    ...unknown,
    message: 'actor: there is no token or action of bem; did you mean ben?',
  })
  await done('tier/set', { ...TIER, actor: 'zoe' })
  expect(await error('audit/list', { actor: 'zoe' })).toMatchObject({
    ...unknown,
    message: 'actor: there is no token or action of zoe; did you mean local:zoe?',
  })
  expect(await done('audit/list', { actor: 'local:zoe', kind: 'Credit' })).toEqual([])
  expect(await done('audit/list', { actor: 'ray' })).toEqual([])
})

test('the audit trail is read in pages, newest first, with refused operations', async () => {
  const all = (await done('audit/list')) as { seq: number; outcome: string }[]
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => all.length - index))
  const rest = (await done('audit/list', { before: 4, limit: 2 })) as { seq: number }[]
  expect(rest.map(({ seq }) => seq)).toEqual([3, 2])
  expect(all.map(({ outcome }) => outcome)).toContain('SELF_APPROVAL')
  expect(await done('audit/list', { actor: 'ben', kind: 'Approve' })).toMatchObject([
    { outcome: 'SUPPLY_LIMIT' },
    { outcome: 'UNKNOWN_APPROVAL' },
    { outcome: 'done', fields: { reference: 'large 1' } },
  ])
})
