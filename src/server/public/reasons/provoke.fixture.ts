/** Ways of provoking a reason from the public server. */
import { type Fields, type Fixture, openFixture, type Seen } from '../gateway.fixture.ts'

/** Makes the server answer with a reason; must send `headers` along. */
export type Provoke = (f: Fixture, headers: Fields) => Promise<Seen>

export const OPERATOR = { actor: 'test', note: '' }
export const LIMIT = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }

export const order =
  (fields: Fields): Provoke =>
  (f, headers) =>
    f.send('POST', '/api/v3/order', fields, f.alice, headers)

export const get =
  (path: string, fields: Fields = {}): Provoke =>
  (f, headers) =>
    f.send('GET', path, fields, f.alice, headers)

/** Sends the same request to an exchange created for it. */
export const elsewhere =
  (options: Parameters<typeof openFixture>[0], provoke: Provoke): Provoke =>
  async (_, headers) => {
    const f = await openFixture(options)
    try {
      return await provoke(f, headers)
    } finally {
      await f.stop()
    }
  }
