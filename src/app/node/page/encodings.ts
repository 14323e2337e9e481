/**
 * The bytes of a page as sent over the network: compressed in the form that the browser accepts, made on
 * first request and then kept. There are at most two such forms per file, and no request can create more.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, gunzipSync, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** The better one first. Browsers offer `br` only over TLS and on the loopback address. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip']

/** A smaller file fits into one packet uncompressed. */
const BYTES_MIN = 1_000

/**
 * A compression level whose result is one percent larger than that of the highest level, in a sixth of the
 * time.
 */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 9

const compressors: { readonly [E in Encoding]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
}

/**
 * The encoding that a client accepts by its `Accept-Encoding` (RFC 9110, 12.5.3); undefined means
 * uncompressed. `*` is ignored.
 */
export function encodingFor(accepted: string | null): Encoding | undefined {
  if (accepted === null) return undefined
  const taken = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) taken.add(name)
  }
  return PREFERRED.find((encoding) => taken.has(encoding))
}

export class EncodedBytes {
  readonly #plain: Uint8Array<ArrayBuffer>
  readonly #isCompressed: boolean
  readonly #encoded = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()

  /** `isCompressed`: whether the bytes are requested often enough to be compressed. */
  constructor(plain: Uint8Array<ArrayBuffer>, { isCompressed = true } = {}) {
    this.#plain = plain
    this.#isCompressed = isCompressed
  }

  /** Whether compression is worthwhile. */
  get isWorthIt(): boolean {
    return this.#isCompressed && this.#plain.length >= BYTES_MIN
  }

  /** Runs outside the thread that answers requests. */
  as(encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>> {
    if (encoding === undefined) return Promise.resolve(this.#plain)
    const known = this.#encoded.get(encoding)
    if (known !== undefined) return known
    const made = compressors[encoding](this.#plain).then((bytes) => new Uint8Array(bytes))
    this.#encoded.set(encoding, made)
    return made
  }
}

/** The text of an answer, decompressed. */
export async function textOf(answer: Response): Promise<string> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[answer.headers.get('content-encoding') ?? '']
  return new TextDecoder().decode(decode === undefined ? bytes : decode(bytes))
}
