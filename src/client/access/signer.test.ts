import { expect, test } from 'bun:test'
import { importSecret, isPair, Signer } from './signer.ts'

// The worked example of docs/reference/authentication.md#signature.
const SECRET = '9e107d9d372bb6826bd81d3542a419d6e4d909c290d0fb1ca068ffaddf22cbd0'
const BODY = 'symbol=BTC%2FUSDT&side=BUY&type=LIMIT&quantity=0.01&price=60000&timestamp=1767225600000'
const SIGNATURE = '539009993ec042d9a9842b5e7d894f31cb0b0473d74575c48e409b19640f8ea9'
const { subtle } = crypto

test('a text signer, with WebCrypto and without it, signs as the worked example of the reference', async () => {
  expect(await new Signer(SECRET, { subtle }).sign(BODY)).toBe(SIGNATURE)
  expect(await new Signer(SECRET, { subtle: undefined }).sign(BODY)).toBe(SIGNATURE)
})

test('a signer of an imported key signs the same, and the key cannot be read again', async () => {
  const key = await importSecret(subtle, SECRET)
  expect(await new Signer(key, { subtle }).sign(BODY)).toBe(SIGNATURE)
  expect(key.extractable).toBe(false)
  expect(subtle.exportKey('raw', key)).rejects.toThrow()
})

test('an empty secret, and a CryptoKey where there is no WebCrypto, are refused at once', async () => {
  expect(() => new Signer('', { subtle })).toThrow('The secret is empty')
  const key = await importSecret(subtle, SECRET)
  expect(() => new Signer(key, { subtle: undefined })).toThrow('no WebCrypto')
})

test('a P-256 private key signs in base64, and its public key verifies the signature', async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { publicKey, privateKey } = await subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const signature = await new Signer(privateKey, { subtle }).sign(BODY)
  expect([signature.length, isPair(privateKey)]).toEqual([88, true])
  const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0))
  const signed = { name: 'ECDSA', hash: 'SHA-256' }
  expect(await subtle.verify(signed, publicKey, bytes, new TextEncoder().encode(BODY))).toBe(true)
})

test('a private key signs in base64, and its public key verifies the signature', async () => {
  const { publicKey, privateKey } = await subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  const signature = await new Signer(privateKey, { subtle }).sign(BODY)
  expect(signature).toMatch(/^[A-Za-z0-9+/]{86}==$/)
  const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0))
  expect(await subtle.verify('Ed25519', publicKey, bytes, new TextEncoder().encode(BODY))).toBe(true)
  expect([isPair(privateKey), isPair(await importSecret(subtle, SECRET)), isPair(SECRET)]).toEqual([
    true,
    false,
    false,
  ])
})
