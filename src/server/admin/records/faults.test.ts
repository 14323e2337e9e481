/**
 * Operations on faults: which requests are refused, and for which field; and that only a sandbox has faults.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import type { AdminFault, FaultRequest } from '../../../contract/admin/operations/faults.ts'
import { openAdminFixture } from '../admin.fixture.ts'
import { type AdminContext, AdminRequestError } from '../context.ts'
import { addFault, clearFaults, listFaults } from './faults.ts'

const server = await openAdminFixture()
afterAll(() => server.stop())

const added: { readonly request: FaultRequest; readonly actor: string }[] = []
const unnamed = { account: () => undefined }
const context = {
  caller: { token: undefined, role: 'OPERATOR', rights: [] },
  accounts: {
    accountByName: (name: string) => (name === 'alice' ? { name } : undefined),
    accounts: () => [{ name: 'alice' }],
  },
  registry: {
    ...unnamed,
    apiKey: (key: string) => (key === 'known' ? {} : undefined),
    symbolByName: (name: string) => (name === 'BTC/USDT' ? { name } : undefined),
    symbols: () => [{ name: 'BTC/USDT' }],
  },
  faults: {
    list: () => [],
    add: (request: FaultRequest, actor: string): AdminFault => {
      added.push({ request, actor })
      return { ...request, number: 1, struck: 0, until: null }
    },
    clear: () => 0,
  },
} as unknown as AdminContext

describe('operations on faults', () => {
  test('a node that is not a sandbox refuses all of them and says so', async () => {
    for (const [operation, body] of [
      ['fault/list', {}],
      ['fault/add', { kind: 'HALT' }],
      ['fault/clear', {}],
    ] as const) {
      expect(await server.error(operation, body)).toMatchObject({
        status: 409,
        reason: 'NOT_A_SANDBOX',
        message: 'faults can be injected only in a sandbox with one gateway',
      })
    }
  })

  test.each<[FaultRequest, string]>([
    [{ kind: 'LATENCY' }, 'latencyMs'],
    [{ kind: 'LATENCY', latencyMs: 1, symbol: 'BTC/USDT' }, 'symbol'],
    [{ kind: 'LOST_ANSWER', latencyMs: 1 }, 'latencyMs'],
    [{ kind: 'DISCONNECT', retryAfterSeconds: 1 }, 'retryAfterSeconds'],
    [{ kind: 'RATE_LIMIT', aheadMs: 1 }, 'aheadMs'],
    [{ kind: 'CLOCK' }, 'aheadMs'],
    [{ kind: 'CLOCK', aheadMs: 1, behindMs: 1 }, 'aheadMs'],
    [{ kind: 'CLOCK', aheadMs: 1, account: 'alice' }, 'account'],
    [{ kind: 'HALT', endpoint: 'POST /api/v3/order' }, 'endpoint'],
    [{ kind: 'HALT', symbol: 'DOGE/USDT' }, 'symbol'],
    [{ kind: 'LOST_ANSWER', account: 'carol' }, 'account'],
    [{ kind: 'LOST_ANSWER', apiKey: 'unknown' }, 'apiKey'],
    [{ kind: 'LOST_ANSWER', account: 'alice', apiKey: 'known' }, 'apiKey'],
  ])('a fault such as %j is refused, and the field to blame is named', async (request, field) => {
    const before = added.length
    const refusal = await addFault(context, request).catch((cause: unknown) => cause)
    expect(refusal).toBeInstanceOf(AdminRequestError)
    expect((refusal as AdminRequestError).error.field).toBe(field)
    expect(added).toHaveLength(before)
  })

  test('a plausible fault takes effect, with the operator who requested it', async () => {
    const request: FaultRequest = { kind: 'LOST_ANSWER', percent: 5, apiKey: 'known', seconds: 60 }
    expect(await addFault(context, { ...request, actor: 'ann', note: 'a drill' })).toMatchObject(request)
    expect(added.at(-1)).toEqual({ request, actor: 'ann' })
    expect(await listFaults(context)).toEqual([])
  })

  test('an unknown fault cannot be cleared', async () => {
    expect(await clearFaults(context, {})).toEqual({ cleared: 0 })
    const refusal = await clearFaults(context, { number: 3 }).catch((cause: unknown) => cause)
    expect(refusal).toMatchObject({ error: { reason: 'UNKNOWN_FAULT', field: 'number' } })
  })
})
