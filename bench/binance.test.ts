import { expect, test } from 'bun:test'
import { SESSION_ROWS } from '../src/server/binance/api/session-rows.ts'
import { addressOf, WIRE_ENDPOINT_IDS, WIRE_ROWS } from '../src/server/binance/endpoints/table.ts'
import { run } from './binance.ts'
import { abuses } from './support/wire-abuse.ts'

test('the hostile requests cover every endpoint, request and message of the port', () => {
  const names = abuses().map(({ name }) => name)
  const rows = WIRE_ENDPOINT_IDS.map((id) => WIRE_ROWS[id])
  const requests = [...rows.flatMap(({ request }) => request ?? []), ...Object.keys(SESSION_ROWS)]
  for (const row of rows) expect(names).toContain(addressOf(row))
  for (const request of requests) expect(names).toContain(`/ws-api/v3 ${request}`)
  expect(names.length).toBe(rows.length + requests.length + 5 + 3 + 1)
})

test('the benchmark binance runs with the port off and on, and beside hostile use over each transport', async () => {
  const size = ['--orders', '100', '--connections', '4', '--rounds', '1', '--abusers', '2', '--levels', '20']
  const uses = await run([...size, '--milliseconds', '100', '--only', 'rice'])
  expect(uses).toEqual([
    'GET /api/v3/avgPrice',
    'GET /api/v3/ticker/price',
    '/ws-api/v3 avgPrice',
    '/ws-api/v3 ticker.price',
  ])
}, 300_000)
