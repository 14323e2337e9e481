/** Strict signatures, written only from docs/reference/authentication.md#strict-signature. */
import { createHmac } from 'node:crypto'
import { type Fields, type Fixture, formOf, type Seen, see, type Trader } from './gateway.fixture.ts'

let nonces = 0

/** Sends a request with its parameters in the query; adds `timestamp` when it is absent. */
export async function sendStrictly(
  f: Fixture,
  method: string,
  path: string,
  fields: Fields,
  trader: Trader,
  headers: Fields = {},
): Promise<Seen> {
  return sendStrictForm(f, method, path, formOf({ timestamp: f.clock.time, ...fields }), trader, headers)
}

/** Like `sendStrictly`, with an existing query. */
export async function sendStrictForm(
  f: Fixture,
  method: string,
  path: string,
  query: string,
  { apiKey, secret }: Trader,
  headers: Fields = {},
): Promise<Seen> {
  const timestamp = String(f.clock.time)
  const nonce = `nonce-of-a-strict-one-${++nonces}`
  const lines = [method, path, query, timestamp, nonce, ''].join('\n')
  const signature = `v2=${createHmac('sha256', secret).update(lines).digest('hex')}`
  const signed = { 'X-Apikey': apiKey, 'X-Signature': signature, 'X-Timestamp': timestamp, 'X-Nonce': nonce }
  const sent = Object.fromEntries(
    Object.entries({ ...signed, ...headers }).map(([name, value]) => [name, `${value}`]),
  )
  return see(await fetch(`${f.url}${path}?${query}`, { method, headers: sent }))
}
