/**
 * HMAC-SHA-256 (FIPS 180-4, RFC 2104) of texts, synchronous and for every JavaScript runtime: ccxt signs
 * synchronously, passes no hash to a factory, and a browser's own is asynchronous.
 */

const BLOCK_BYTES = 64

/** The first 32 bits of the fractional parts of a root of the first primes. */
function rootsOfPrimes(count, root) {
  const primes = []
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  }
  return primes.map((prime) => {
    const value = prime ** root
    return ((value - Math.floor(value)) * 2 ** 32) >>> 0
  })
}

const ROUND_CONSTANTS = rootsOfPrimes(64, 1 / 3)
const INITIAL_STATE = rootsOfPrimes(8, 1 / 2)

const rotate = (word, count) => (word >>> count) | (word << (32 - count))

/** The message with its end mark and its length in bits, in whole blocks. */
function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES
  const blocks = new Uint8Array(length)
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(length - 4, (bytes.length * 8) >>> 0)
  return view
}

function schedule(view, offset, words) {
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4)
  for (let index = 16; index < 64; index += 1) {
    const [older, newer] = [words[index - 15], words[index - 2]]
    const small = rotate(older, 7) ^ rotate(older, 18) ^ (older >>> 3)
    const large = rotate(newer, 17) ^ rotate(newer, 19) ^ (newer >>> 10)
    words[index] = words[index - 16] + small + words[index - 7] + large
  }
}

function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const fromE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const fromA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const first = (h + fromE + choice + ROUND_CONSTANTS[index] + words[index]) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + fromA + majority) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index += 1) state[index] += added[index]
}

/** The 32 bytes of SHA-256. */
export function sha256(bytes) {
  const state = Uint32Array.from(INITIAL_STATE)
  const words = new Uint32Array(64)
  const view = padded(bytes)
  for (let offset = 0; offset < view.byteLength; offset += BLOCK_BYTES) {
    schedule(view, offset, words)
    compress(state, words)
  }
  const result = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => {
    result.setUint32(index * 4, word)
  })
  return new Uint8Array(result.buffer)
}

function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** HMAC-SHA-256 of `message` with `secret`, both as UTF-8, in 64 hexadecimal digits. */
export function hmacSha256(secret, message) {
  const encoder = new TextEncoder()
  const given = encoder.encode(secret)
  const key = new Uint8Array(BLOCK_BYTES)
  key.set(given.length > BLOCK_BYTES ? sha256(given) : given)
  const inner = sha256(
    joined(
      key.map((byte) => byte ^ 0x36),
      encoder.encode(message),
    ),
  )
  const outer = sha256(
    joined(
      key.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
  return Array.from(outer, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
