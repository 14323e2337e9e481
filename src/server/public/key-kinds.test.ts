/**
 * Keys of each kind and wire at this interface (docs/reference/authentication.md#signature): a pair signs
 * strictly, and a key of another wire is unknown.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, type KeyObject, randomBytes, sign as signWithPair } from 'node:crypto'
import type { KeyWire } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { SECURED_ENDPOINTS } from './endpoint-samples.fixture.ts'
import { type Fixture, openFixture, type Seen, see, sign } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }

let f: Fixture
beforeAll(async () => {
  f = await openFixture()
  f.clock.time += 5_000
})
afterAll(() => f.stop())

type Signer = { readonly apiKey: string; readonly sign: (text: string) => string }

async function addKey(wire: KeyWire, publicKey?: KeyObject): Promise<{ apiKey: string; secret: string }> {
  const apiKey = randomBytes(24).toString('hex')
  const secret = randomBytes(32).toString('hex')
  const material = publicKey?.export({ type: 'spki', format: 'der' }).subarray(12) ?? f.seal(secret, apiKey)
  await f.submit({
    ...{ kind: 'AddApiKey', operator: OPERATOR, accountId: f.alice.accountId, apiKey, wire, label: '' },
    ...{ keyKind: publicKey === undefined ? 'HMAC' : 'ED25519', material, addresses: [] },
    permissions: wire === 'BOURSE' ? ['TRADE', 'WALLET', 'USER_DATA', 'WITHDRAW'] : ['TRADE', 'WALLET'],
    expiresAt: 0 as TimeMs,
    strictSignature: publicKey !== undefined && wire === 'BOURSE',
  })
  return { apiKey, secret }
}

async function pair(wire: KeyWire): Promise<Signer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { apiKey } = await addKey(wire, publicKey)
  return { apiKey, sign: (text) => signWithPair(null, Buffer.from(text), privateKey).toString('base64') }
}

async function secretKey(wire: KeyWire): Promise<Signer> {
  const { apiKey, secret } = await addKey(wire)
  return { apiKey, sign: (text) => sign(secret, text) }
}

let nonces = 0

type Change = { readonly nonce?: string; readonly path?: string }

/** The request signed strictly; `change`: sent in the place of the signed text. */
async function strictly(method: string, path: string, query: string, key: Signer, change: Change = {}) {
  const timestamp = String(f.clock.time)
  const nonce = change.nonce ?? `nonce-of-a-pair-${++nonces}`
  const signature = key.sign([method, path, query, timestamp, nonce, ''].join('\n'))
  const headers = { 'X-Apikey': key.apiKey, 'X-Timestamp': timestamp, 'X-Nonce': nonce }
  const url = `${f.url}${change.path ?? path}?${query}`
  return see(await fetch(url, { method, headers: { ...headers, 'X-Signature': `v2=${signature}` } }))
}

async function plainly(method: string, path: string, query: string, { apiKey, sign }: Signer): Promise<Seen> {
  const headers = { 'X-Apikey': apiKey, 'X-Signature': sign(query) }
  return see(await fetch(`${f.url}${path}?${query}`, { method, headers }))
}

const dated = (extra: string) => `${extra}timestamp=${f.clock.time}`

describe('a key pair', () => {
  test('opens every signed endpoint with a strict signature', async () => {
    const key = await pair('BOURSE')
    for (const { method, path, extra } of SECURED_ENDPOINTS) {
      const { body } = await strictly(method, `/api/v3${path}`, dated(extra), key)
      expect([path, ['INVALID_SIGNATURE', 'PERMISSION_DENIED'].includes(body.reason ?? '')]).toEqual([
        path,
        false,
      ])
    }
  })

  test('is refused with a plain signature, which names neither method nor path', async () => {
    const key = await pair('BOURSE')
    const { body, status } = await plainly('GET', '/api/v3/wallet/balance', dated(''), key)
    expect([status, body.reason]).toEqual([401, 'STRICT_SIGNATURE_REQUIRED'])
  })

  test('is refused with another method, path, text or nonce, or a used nonce', async () => {
    const key = await pair('BOURSE')
    const ask = async (change: Change) =>
      (await strictly('GET', '/api/v3/wallet/balance', dated(''), key, change)).body.reason
    expect(await ask({ path: '/api/v3/openOrders' })).toBe('INVALID_SIGNATURE')
    expect(await ask({ nonce: 'nonce-that-is-used-once' })).toBeUndefined()
    expect(await ask({ nonce: 'nonce-that-is-used-once' })).toBe('NONCE_REPEATED')
    const stranger = { ...(await pair('BOURSE')), apiKey: key.apiKey }
    const { body } = await strictly('GET', '/api/v3/wallet/balance', dated(''), stranger)
    expect(body.reason).toBe('INVALID_SIGNATURE')
  })
})

describe('a key for the wire BINANCE', () => {
  test('is answered as an unknown one, however it is signed', async () => {
    const nobody = await pair('BOURSE')
    const keys = [await pair('BINANCE'), await secretKey('BINANCE')]
    for (const { method, path, extra } of SECURED_ENDPOINTS) {
      const answers = async (key: Signer) => [
        (await strictly(method, `/api/v3${path}`, dated(extra), key)).body,
        (await plainly(method, `/api/v3${path}`, dated(extra), key)).body,
      ]
      const unknown = await answers({ ...nobody, apiKey: 'f'.repeat(48) })
      expect(unknown.every(({ reason }) => reason === 'INVALID_API_KEY')).toBe(true)
      for (const key of keys) expect([path, await answers(key)]).toEqual([path, unknown])
    }
  })

  test('has no valid signature for a signature check', async () => {
    for (const key of [await pair('BINANCE'), await secretKey('BINANCE')]) {
      const { body } = await plainly('POST', '/api/v3/signature/check', dated(''), key)
      expect(body).toMatchObject({ data: { isValid: false } })
    }
  })
})
