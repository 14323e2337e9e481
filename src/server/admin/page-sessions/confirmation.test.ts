/**
 * The table of operations that require the token again is compared with the rights, the reference, and the
 * server.
 */
import { afterAll, expect, test } from 'bun:test'
import { ADMIN_OPERATIONS, type AdminOperation, OPERATION_ROWS } from '../../../contract/admin/admin.ts'
import type { TakenRight } from '../../../contract/admin/operations/row.ts'
import type { AdminSession } from '../../../contract/admin/session.ts'
import { openAdminFixture } from '../admin.fixture.ts'
import { requestOf } from '../requests.fixture.ts'
import { takesTokenAgain } from './confirmation.ts'

const server = await openAdminFixture()
afterAll(() => server.stop())

const operations = ADMIN_OPERATIONS

/** Every operation that requires one of these rights moves money, grants rights, or shows sealed data. */
const GRAVE: readonly TakenRight[] = [
  ...(['credit', 'debit', 'move', 'payout', 'withdrawals', 'approve'] as const),
  ...(['tokens', 'owner', 'keys', 'master-key', 'webhooks', 'rules', 'journal', 'accounts.release'] as const),
]

test('an operation that only reads never asks for the token again, unless it shows sealed secrets', () => {
  const again = operations.filter((one) => OPERATION_ROWS[one].isReading && takesTokenAgain(one))
  expect(again).toEqual(
    operations.filter(
      (one) => OPERATION_ROWS[one].isReading && OPERATION_ROWS[one].rights.includes('journal'),
    ),
  )
  expect(
    operations.filter((one) => OPERATION_ROWS[one].nature === 'READS' && !OPERATION_ROWS[one].isReading),
  ).toEqual([])
})

test('an operation that moves money, gives rights, sends data elsewhere or shows sealed secrets asks for the token again', () => {
  const grave = operations.filter((one) => OPERATION_ROWS[one].rights.some((right) => GRAVE.includes(right)))
  expect(grave.filter((one) => !takesTokenAgain(one))).toEqual([])
  for (const one of ['address/add', 'asset/withdrawals', 'exchange/close', 'exchange/open'] as const)
    expect([one, takesTokenAgain(one)]).toEqual([one, true])
})

test('an operation that protects never asks for the token again', () => {
  const quick = /\/(halt|cancel-only|freeze|disable|revoke|cancel-all)$|^ban\/add$/
  expect(
    operations.filter((one) => quick.test(one) && one !== 'token/revoke' && takesTokenAgain(one)),
  ).toEqual([])
})

/** The operation that reverts each protective operation; null if there is none. */
const TAKEN_BACK_BY: Partial<Record<AdminOperation, AdminOperation | null>> = {
  'symbol/halt': 'symbol/resume',
  'symbol/cancel-only': 'symbol/resume',
  'exchange/halt': 'exchange/open',
  'order/cancel-all': null,
  'order/cancel': null,
  'account/freeze': 'account/unfreeze',
  'key/revoke': null,
  'key/disable': 'key/enable',
  'ban/add': 'ban/lift',
  'customer/freeze': 'account/unfreeze',
}

test('an operation that takes back protection asks for the token again', () => {
  const quick = operations.filter((one) => OPERATION_ROWS[one].nature === 'QUICK')
  expect(Object.keys(TAKEN_BACK_BY).toSorted()).toEqual(quick.toSorted())
  const takenBack = Object.values(TAKEN_BACK_BY).filter((one) => one !== null)
  expect(takenBack.filter((one) => !takesTokenAgain(one))).toEqual([])
})

test('the reference lists exactly the operations that ask for the token again', async () => {
  const page = await Bun.file(new URL('../../../../docs/reference/operators-page.md', import.meta.url)).text()
  const table = page.slice(page.indexOf('| Requires the token again, because it |'))
  const text = table.slice(0, table.indexOf('\n\n'))
  const named = [...text.matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, operation = '']) => operation)
  expect(named.toSorted()).toEqual(operations.filter(takesTokenAgain).toSorted())
})

test('a session of the page knows these operations, and each is refused without the token', async () => {
  const { token } = (await server.done('token/add', { name: 'anna', role: 'OPERATOR' })) as { token: string }
  await server.done('asset/add', { code: 'BTC', fraction: 8 })
  await server.done('account/add', { name: 'alice' })
  const origin = { origin: server.url, 'content-type': 'application/json' }
  const login = await fetch(`${server.url}/session`, {
    method: 'POST',
    headers: origin,
    body: JSON.stringify({ token }),
  })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const { result } = (await login.json()) as { result: AdminSession }
  expect(result.confirmed.toSorted()).toEqual(operations.filter(takesTokenAgain).toSorted())
  const place = { account: 'alice', asset: 'BTC', address: 'bc1qthief', atOnce: true }
  // The token is required before anything is done, and after the request was parsed.
  for (const operation of operations) {
    const sent = await fetch(`${server.url}/admin/v1/${operation}`, {
      method: 'POST',
      headers: { ...origin, cookie, 'x-csrf-token': result.csrf },
      body: JSON.stringify(
        requestOf(operation, { account: 'alice', code: 'BTC', asset: 'BTC', to: 'freeze' }),
      ),
    })
    const text = await sent.text()
    const isAsked = text.includes('CONFIRMATION_NEEDED')
    // Rights that no role of an operator has are refused first.
    const isOfNoRole = OPERATION_ROWS[operation].rights.some((one) => one === 'owner' || one === 'customers')
    expect([operation, isAsked]).toEqual([operation, takesTokenAgain(operation) && !isOfNoRole])
  }
  for (const [operation, body] of [
    ['address/add', place],
    ['asset/withdrawals', { code: 'BTC', addressDelayMinutes: 0 }],
    ['journal/read', { after: 0 }],
    ['exchange/close', {}],
    ['exchange/open', {}],
    ['webhook/add', { name: 'mine', url: 'https://books.example/' }],
    ['account/unfreeze', { account: 'alice' }],
  ] as const) {
    const sent = await fetch(`${server.url}/admin/v1/${operation}`, {
      method: 'POST',
      headers: { ...origin, cookie, 'x-csrf-token': result.csrf },
      body: JSON.stringify(body),
    })
    const answer = (await sent.json()) as { readonly error?: { readonly reason: string } }
    expect([operation, answer.error?.reason]).toEqual([operation, 'CONFIRMATION_NEEDED'])
  }
})
