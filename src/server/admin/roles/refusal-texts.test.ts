/**
 * Refusals and warnings may name existing things: similar names that the caller might have meant, and names
 * that look like a new one. With each single right, in every operation that a role with it may call, and in
 * every text field, no name that needs another right appears.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ADMIN_OPERATIONS, type AdminOperation } from '../../../contract/admin/admin.ts'
import type { ReadingRight } from '../../../units/admin-rights.ts'
import { ADMIN_RIGHTS, type AdminRight } from '../../../units/admin-rights.ts'
import { openAdminFixture } from '../admin.fixture.ts'
import { fieldsOf, requestOf } from '../requests.fixture.ts'
import { missingRight } from './roles.ts'

/** An existing name, and the right needed to read it. */
const SECRETS: readonly (readonly [name: string, right: ReadingRight])[] = [
  ['zephyrine', 'read.accounts'],
  ['QUIXOTE', 'read'],
  ['QUIXOTE/EUR', 'read'],
  ['marguerite', 'read.operators'],
  ['bartholomew', 'read.operators'],
  ['montgomery', 'read'],
]
/** Letters that are in none of these names. */
const LETTERS = 'cdfjksv'

/**
 * A name that differs by one letter from another, a new one for each number: some operations create the given
 * name.
 */
function nearTo(name: string, number: number): string {
  const at = number % 5
  const letter = LETTERS[Math.floor(number / 5) % LETTERS.length] as string
  const put = name === name.toUpperCase() ? letter.toUpperCase() : letter
  return `${name.slice(0, at)}${put}${name.slice(at + 1)}`
}

/**
 * Values for the other fields of a request with an unknown name in one field: the request gets far enough to
 * look that name up.
 */
const GIVEN: Readonly<Record<string, unknown>> = {
  account: 'zephyrine',
  asset: 'QUIXOTE',
  code: 'QUIXOTE',
  symbol: 'QUIXOTE/EUR',
  role: 'READ_ONLY',
  to: 'freeze',
}
const server = await openAdminFixture()
afterAll(() => server.stop())
const tokens = new Map<AdminRight, string>()

beforeAll(async () => {
  for (const code of ['EUR', 'QUIXOTE']) await server.done('asset/add', { code, fraction: 2 })
  await server.done('symbol/add', { symbol: 'QUIXOTE/EUR', baseFraction: 2, quoteFraction: 2 })
  await server.done('account/add', { name: 'zephyrine' })
  await server.done('tier/set', { name: 'montgomery', makerShare: '1', takerShare: '1' })
  await server.done('role/set', { name: 'bartholomew', rights: ['read'] })
  await server.done('token/add', { name: 'marguerite', role: 'bartholomew' })
  for (const right of ADMIN_RIGHTS) {
    const name = `only-${right.replace('.', '-')}`
    await server.done('role/set', { name, rights: [right] })
    tokens.set(right, ((await server.done('token/add', { name, role: name })) as { token: string }).token)
  }
})

/** The part of the answer that does not repeat the request: the message of a refusal, or the warnings. */
async function saidOf(
  operation: AdminOperation,
  request: object,
  token: string | undefined,
): Promise<string> {
  const { body } = await server.ask(operation, request, token)
  const said = body.ok
    ? JSON.stringify((body.result as { warnings?: unknown } | null)?.warnings ?? '')
    : body.error.message
  return Object.values(request).reduce((text: string, sent) => text.replaceAll(String(sent), '...'), said)
}

for (const right of ADMIN_RIGHTS) {
  test(`no refusal names data that the right ${right} alone does not read`, async () => {
    const said: string[] = []
    let number = 0
    for (const operation of ADMIN_OPERATIONS) {
      if (missingRight([right], operation) !== undefined) continue
      for (const [field, form] of fieldsOf(operation)) {
        for (const [name, protectedBy] of SECRETS) {
          const near = nearTo(name, number++)
          if (!form.safeParse(near).success || field === 'actor' || field === 'note') continue
          const request = requestOf(operation, GIVEN, { [field]: near })
          const text = await saidOf(operation, request, tokens.get(right))
          if (protectedBy !== right && text.includes(name)) said.push(`${operation} ${field}: ${text}`)
        }
      }
    }
    expect(said).toEqual([])
  })
}

test('a caller who may read the names learns which one is near, and which one a new name looks like', async () => {
  await server.done('role/set', {
    name: 'reader',
    rights: [
      'read',
      'read.accounts',
      'read.operators',
      'credit',
      'tokens',
      'accounts.open',
      'accounts.terms',
    ],
  })
  const { token } = (await server.done('token/add', { name: 'reader', role: 'reader' })) as { token: string }
  const money = { account: 'zephyrine', asset: 'QUIXOTE', amount: '1', reference: 'r1' }
  for (const [operation, request, name] of [
    ['money/credit', { ...money, account: 'zephyrina' }, 'zephyrine'],
    ['money/credit', { ...money, asset: 'QUIXOTA' }, 'QUIXOTE'],
    ['token/revoke', { name: 'margueritte' }, 'marguerite'],
    ['token/add', { name: 'x', role: 'bartholomev' }, 'bartholomew'],
    ['account/set', { account: 'zephyrine', feeTier: 'montgomerie' }, 'montgomery'],
    ['account/add', { name: 'zephyr1ne' }, 'zephyrine'],
  ] as const)
    expect([operation, await saidOf(operation, request, token)]).toEqual([
      operation,
      expect.stringContaining(name),
    ])
})

test('a new name that looks like another one gives a warning, and the other one is named to a caller who may read accounts', async () => {
  await server.done('account/add', { name: 'mal' })
  expect(await server.done('account/add', { name: 'ma1' })).toMatchObject({
    warnings: ['the name looks like that of another account (mal): they can be confused'],
  })
  expect(await server.done('account/add', { name: 'maI' }, tokens.get('accounts.open'))).toMatchObject({
    warnings: ['the name looks like that of another account: they can be confused'],
  })
  expect(await server.done('account/add', { name: 'fee5' })).toMatchObject({
    warnings: [expect.stringContaining('(fees)')],
  })
  expect(await server.done('account/add', { name: 'somebody' })).toMatchObject({ warnings: [] })
})

test('an asset code and a token name that look like another one give the same warning', async () => {
  await server.done('asset/add', { code: 'BONK', fraction: 5 })
  expect(await server.done('asset/add', { code: 'B0NK', fraction: 5 })).toMatchObject({
    warnings: ['the name looks like that of another asset (BONK): they can be confused'],
  })
  expect(await server.done('asset/add', { code: '80NK', fraction: 5 }, tokens.get('markets'))).toMatchObject({
    warnings: ['the name looks like that of another asset: they can be confused'],
  })
  expect(await server.done('asset/add', { code: 'DOGE', fraction: 5 })).not.toHaveProperty('warnings')
  await server.done('token/add', { name: 'bela', role: 'READ_ONLY' })
  expect(await server.done('token/add', { name: 'be1a', role: 'READ_ONLY' })).toMatchObject({
    warnings: ['the name looks like that of another token (bela): they can be confused'],
  })
  expect(await server.done('token/add', { name: 'dora', role: 'READ_ONLY' })).not.toHaveProperty('warnings')
})
