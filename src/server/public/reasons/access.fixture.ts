/** Reasons of access: key, address, permission, signature, time window. */

import type { Reason } from '../../../contract/reasons/catalogue.ts'
import { timeMs } from '../../../units/quantities.ts'
import { SessionKeys } from '../../access/auth/session-keys.ts'
import { see, sign } from '../gateway.fixture.ts'
import { elsewhere, get, OPERATOR, type Provoke } from './provoke.fixture.ts'

/** A strictly signed request. */
const strictly =
  ({ nonce = 'a-nonce-of-20-digits', timestamp }: { nonce?: string; timestamp?: string }): Provoke =>
  async (f, headers) => {
    const query = `timestamp=${f.clock.time}`
    const path = '/api/v3/wallet/balance'
    const at = timestamp ?? String(f.clock.time)
    const signature = sign(f.alice.secret, `GET\n${path}\n${query}\n${at}\n${nonce}\n`)
    return see(
      await fetch(`${f.url}${path}?${query}`, {
        headers: {
          ...(headers as Record<string, string>),
          'X-Apikey': f.alice.apiKey,
          'X-Signature': `v2=${signature}`,
          'X-Timestamp': at,
          'X-Nonce': nonce,
        },
      }),
    )
  }

export const OF_ACCESS = {
  KEY_EXPIRED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({
      kind: 'SetApiKeyTerms',
      operator: OPERATOR,
      apiKey: trader.apiKey,
      permissions: ['WALLET'],
      addresses: [],
      label: '',
      expiresAt: timeMs(1),
    })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  MISSING_API_KEY: (f, headers) => f.send('GET', '/api/v3/depth', {}, undefined, headers),
  INVALID_API_KEY: (f, headers) =>
    f.send('GET', '/api/v3/depth', {}, { ...f.alice, apiKey: 'nobody' }, headers),
  KEY_DISABLED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: trader.apiKey, enabled: false })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  ADDRESS_NOT_ALLOWED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId, { addresses: ['10.0.0.0/8'] })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  PERMISSION_DENIED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId, { permissions: ['TRADE'] })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  MISSING_SIGNATURE: (f, headers) =>
    f.send('GET', '/api/v3/wallet/balance', {}, undefined, { ...headers, 'X-Apikey': f.alice.apiKey }),
  INVALID_SIGNATURE: (f, headers) =>
    f.send('GET', '/api/v3/wallet/balance', {}, { ...f.alice, secret: f.bob.secret }, headers),
  INVALID_HEADER: strictly({ nonce: 'short' }),
  STRICT_SIGNATURE_REQUIRED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({
      kind: 'SetApiKeyStrict',
      operator: OPERATOR,
      apiKey: trader.apiKey,
      strictSignature: true,
    })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  TIMESTAMP_MISMATCH: strictly({ timestamp: '1' }),
  NONCE_REPEATED: elsewhere({ nonces: { take: () => ({ kind: 'REPEATED' }) } }, strictly({})),
  NONCES_FULL: elsewhere({ nonces: { take: () => ({ kind: 'FULL' }) } }, strictly({})),
  NONCES_UNKNOWN: elsewhere({}, strictly({})),
  SESSION_KEYS_UNKNOWN: (f, headers) =>
    elsewhere({ sessionKeys: new SessionKeys(() => 0) }, (other, given) =>
      other.send('GET', '/api/v3/wallet/balance', {}, { ...f.alice, apiKey: `s-${'a'.repeat(26)}` }, given),
    )(f, headers),
  TIMESTAMP_AHEAD: (f, headers) =>
    get('/api/v3/wallet/balance', { timestamp: f.clock.time + 1_000 })(f, headers),
  TIMESTAMP_EXPIRED: (f, headers) =>
    get('/api/v3/wallet/balance', { timestamp: f.clock.time - 5_001 })(f, headers),
} as const satisfies Partial<Record<Reason, Provoke>>
