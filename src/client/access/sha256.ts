/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) for pages without WebCrypto, because they were loaded without TLS.
 */

const BLOCK_BYTES = 64

/**
 * The first 32 bits of the fractional parts of the cube roots, and of the square roots, of the first primes.
 */
const ROUND_WORDS = Uint32Array.from(firstPrimes(64), (prime) => rootFraction(BigInt(prime), 3n))
const START_WORDS = Uint32Array.from(firstPrimes(8), (prime) => rootFraction(BigInt(prime), 2n))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

/** Computes with integers only: the root of value x 2^(32 x degree), without its integer part. */
function rootFraction(value: bigint, degree: bigint): number {
  const target = value << (32n * degree)
  let low = 0n
  let high = 1n << 40n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** degree <= target) low = middle
    else high = middle
  }
  return Number(low & 0xff_ff_ff_ffn)
}

export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(START_WORDS)
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x20_00_00_00))
  view.setUint32(padded.length - 4, message.length << 3)
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) mix(state, view, at)
  const digest = new Uint8Array(32)
  const out = new DataView(digest.buffer)
  for (const [index, word] of state.entries()) out.setUint32(index * 4, word)
  return digest
}

function mix(state: Uint32Array, view: DataView, blockAt: number): void {
  const words = new Uint32Array(64)
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(blockAt + i * 4)
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15] as number, words[i - 2] as number]
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words[i] = (words[i - 16] as number) + first + (words[i - 7] as number) + second
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ]
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const sumOfE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const one = (h + sumOfE + choice + (ROUND_WORDS[i] as number) + (words[i] as number)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] as number) + word
  }
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key)
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}
