import { expect, test } from 'bun:test'
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import fc from 'fast-check'
import { type ApiKey, NO_SECRET } from '../../../core/registry/records.ts'
import type { AccountId } from '../../../units/ids.ts'
import { timeMs } from '../../../units/quantities.ts'
import { createSecretBox } from './secret-box.ts'
import { SignatureVerifier } from './signature.ts'

const box = createSecretBox(randomBytes(32), (size) => randomBytes(size))
const NOW = timeMs(1_000)
const SECRET = 'a secret with ümlauts'
const KEY = keyOf('key', SECRET)

function keyOf(apiKey: string, secret: string): ApiKey {
  return {
    apiKey,
    accountId: 2 as AccountId,
    sealedSecret: box.seal(secret, apiKey),
    permissions: ['TRADE'],
    addresses: [],
    label: '',
    createdAt: timeMs(0),
    enabled: true,
  }
}

const digest = (query: string, body: Uint8Array, encoding: 'hex' | 'base64') =>
  createHmac('sha256', SECRET).update(query).update(body).digest(encoding)

const anyBody = fc.uint8Array({ maxLength: 300 })
const anyQuery = fc.string({ unit: 'grapheme-ascii', maxLength: 200 })

test('the signature covers the query and then the body, in hex of any case or in base64', () => {
  const verifier = new SignatureVerifier(box)
  fc.assert(
    fc.property(anyQuery, anyBody, (query, body) => {
      const hex = digest(query, body, 'hex')
      for (const signature of [hex, hex.toUpperCase(), digest(query, body, 'base64')]) {
        expect(verifier.verify(KEY, { text: query, body, signature }, NOW)).toBe(true)
      }
    }),
  )
})

test('no changed signature is accepted, in either encoding', () => {
  const verifier = new SignatureVerifier(box)
  const other = fc.constantFrom(...'0123456789abcdefABCDEF+/=gG ')
  fc.assert(
    fc.property(
      anyBody,
      fc.constantFrom('hex', 'base64'),
      fc.nat(),
      other,
      (body, encoding, place, character) => {
        const right = digest('', body, encoding)
        const at = place % right.length
        const wrong = right.slice(0, at) + character + right.slice(at + 1)
        fc.pre(encoding === 'hex' ? wrong.toLowerCase() !== right : wrong !== right)
        expect(verifier.verify(KEY, { text: '', body, signature: wrong }, NOW)).toBe(false)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('no changed byte of query or body is accepted', () => {
  const verifier = new SignatureVerifier(box)
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (body, place, change) => {
        const signature = digest('timestamp=1', body, 'hex')
        const changed = body.slice()
        const at = place % body.length
        changed[at] = (changed[at] as number) ^ change
        expect(verifier.verify(KEY, { text: 'timestamp=1', body: changed, signature }, NOW)).toBe(false)
        expect(verifier.verify(KEY, { text: 'timestamp=2', body, signature }, NOW)).toBe(false)
      },
    ),
  )
})

test.each(['', 'x', 'z'.repeat(64), `${'a'.repeat(64)}\u0000`, `0x${'a'.repeat(62)}`, '='.repeat(44)])(
  '%p is not a signature',
  (text) => {
    expect(new SignatureVerifier(box).verify(KEY, { text: '', body: undefined, signature: text }, NOW)).toBe(
      false,
    )
  },
)

test('base64 has one encoding of a signature: unused bits must be zero', () => {
  const right = digest('', new Uint8Array(), 'base64')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const last = alphabet.indexOf(right[42] as string)
  const twin = `${right.slice(0, 42)}${alphabet[last + 1]}=`
  expect(Buffer.from(twin, 'base64')).toEqual(Buffer.from(right, 'base64'))
  expect(new SignatureVerifier(box).verify(KEY, { text: '', body: undefined, signature: twin }, NOW)).toBe(
    false,
  )
})

test('a key whose secret was replaced is checked against the new one', () => {
  const verifier = new SignatureVerifier(box)
  const body = new Uint8Array([1])
  expect(verifier.verify(KEY, { text: '', body, signature: digest('', body, 'hex') }, NOW)).toBe(true)
  expect(
    verifier.verify(keyOf('key', 'another'), { text: '', body, signature: digest('', body, 'hex') }, NOW),
  ).toBe(false)
})

test('more keys than are cached still work', () => {
  const verifier = new SignatureVerifier(box, 2)
  const body = new Uint8Array([1])
  for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) {
    expect(
      verifier.verify(keyOf(name, SECRET), { text: '', body, signature: digest('', body, 'hex') }, NOW),
    ).toBe(true)
  }
})

/** A box that counts the secrets it opens. */
function countingBox() {
  const counted = {
    seal: box.seal,
    opened: 0,
    open(sealed: Uint8Array, name: string) {
      counted.opened++
      return box.open(sealed, name)
    },
  }
  return counted
}

test('a secret is opened once, and again after its key was dropped or replaced', () => {
  const counting = countingBox()
  const verifier = new SignatureVerifier(counting)
  const signed = { text: '', body: undefined, signature: digest('', new Uint8Array(), 'hex') }
  for (const _ of [1, 2]) expect(verifier.verify(KEY, signed, NOW)).toBe(true)
  expect(counting.opened).toBe(1)
  verifier.forget(KEY.apiKey)
  expect(verifier.verify(KEY, signed, NOW)).toBe(true)
  expect(counting.opened).toBe(2)
  expect(verifier.verify(keyOf('key', SECRET), signed, NOW)).toBe(true)
  expect(counting.opened).toBe(3)
})

test('one key more than are cached, used in turn, opens few secrets again', () => {
  const counting = countingBox()
  const verifier = new SignatureVerifier(counting, 100)
  const keys = Array.from({ length: 101 }, (_, at) => keyOf(`key ${at}`, SECRET))
  const signed = { text: '', body: undefined, signature: digest('', new Uint8Array(), 'hex') }
  for (let round = 0; round < 20; round++) for (const key of keys) verifier.verify(key, signed, NOW)
  expect(counting.opened).toBeLessThan(101 + 20 * 10)
})

test('no signature is valid for an unknown key', () => {
  const verifier = new SignatureVerifier(box)
  const body = new Uint8Array([1])
  const signature = createHmac('sha256', 'nobody').update(body).digest('hex')
  expect(verifier.verify(undefined, { text: '', body, signature }, NOW)).toBe(false)
})

test('the first of several texts that the secret signs is found, or the previous secret while it is valid', () => {
  const verifier = new SignatureVerifier(box)
  const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const rotated = {
    ...KEY,
    previousSecret: { sealedSecret: box.seal('the old one', KEY.apiKey), until: timeMs(2_000) },
  }
  const texts = ['a', '', 'b', 'a']
  for (const text of texts) {
    expect(verifier.firstSigned(KEY, texts, sign(SECRET, text), NOW)).toBe(text)
    expect(verifier.firstSigned(KEY, texts, sign(SECRET, text).toUpperCase(), NOW)).toBe(text)
    expect(verifier.firstSigned(rotated, texts, sign('the old one', text), NOW)).toBe(text)
    expect(verifier.firstSigned(rotated, texts, sign('the old one', text), timeMs(2_000))).toBeUndefined()
    expect(verifier.firstSigned(KEY, texts, sign('the old one', text), NOW)).toBeUndefined()
  }
  expect(verifier.firstSigned(KEY, texts, sign(SECRET, 'c'), NOW)).toBeUndefined()
  expect(verifier.firstSigned(KEY, texts, 'none', NOW)).toBeUndefined()
})

test('a text that no secret signs has no signer, with a key and without one', () => {
  const verifier = new SignatureVerifier(box)
  const signature = createHmac('sha256', 'nobody').update('a').digest('hex')
  for (const key of [KEY, undefined]) {
    expect(verifier.firstSigned(key, ['a'], signature, NOW)).toBeUndefined()
    expect(verifier.verify(key, { text: 'a', body: undefined, signature }, NOW)).toBe(false)
  }
})

/** The stored key of a pair, and its owner's signature. */
function pairOf(apiKey: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(12)
  const key: ApiKey = { ...keyOf(apiKey, SECRET), sealedSecret: NO_SECRET, publicKey: new Uint8Array(raw) }
  return {
    key,
    sign: (...parts: Uint8Array[]) => sign(null, Buffer.concat(parts), privateKey).toString('base64'),
  }
}

test('a key pair signs the same bytes with its private key, and no secret is opened for it', () => {
  const counting = countingBox()
  const verifier = new SignatureVerifier(counting)
  const { key, sign } = pairOf('pair')
  fc.assert(
    fc.property(anyQuery, fc.option(anyBody, { nil: undefined }), (text, body) => {
      const signature = sign(Buffer.from(text), body ?? new Uint8Array())
      expect(verifier.verify(key, { text, body, signature }, NOW)).toBe(true)
      expect(verifier.verify(key, { text: `${text}x`, body, signature }, NOW)).toBe(false)
      for (const other of [pairOf('other').key, KEY, undefined])
        expect(verifier.verify(other, { text, body, signature }, NOW)).toBe(false)
    }),
    { numRuns: 30 },
  )
  expect(counting.opened).toBe(0)
})

test('a key pair accepts no signature by a secret: not by an empty one, and not by its public key', () => {
  const verifier = new SignatureVerifier(box)
  const { key } = pairOf('pair')
  for (const secret of [new Uint8Array(), key.publicKey as Uint8Array, Buffer.from('nobody')])
    for (const encoding of ['hex', 'base64'] as const) {
      const signature = createHmac('sha256', secret).update('a').digest(encoding)
      expect(verifier.verify(key, { text: 'a', body: undefined, signature }, NOW)).toBe(false)
      expect(verifier.firstSigned(key, ['a'], signature, NOW)).toBeUndefined()
    }
})

test('the first of several texts that a key pair has signed is found', () => {
  const verifier = new SignatureVerifier(box)
  const { key, sign } = pairOf('pair')
  const signature = sign(Buffer.from('b'))
  expect(verifier.firstSigned(key, ['a', 'b'], signature, NOW)).toBe('b')
  expect(verifier.firstSigned(key, ['a', 'c'], signature, NOW)).toBeUndefined()
  expect(verifier.firstSigned(undefined, ['a', 'b'], signature, NOW)).toBeUndefined()
  expect(verifier.firstSigned(KEY, ['a', 'b'], signature, NOW)).toBeUndefined()
})
