/**
 * Reading a request's body: exactly its bytes, never more than allowed, never for longer than allowed.
 */
import { Refusal, refuse } from './refusal.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const SWEEP_MS = 1_000

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type BodyLimits = {
  readonly bytesMax: number
  /** How long a body may take to arrive, from its request on. */
  readonly timeoutMs: number
}

/** Reads bodies. Slow ones are found by one timer for all of them, which runs while there are any. */
export class BodyReader {
  readonly #limits: BodyLimits
  readonly #waiting = new Set<{ readonly deadline: number; readonly giveUp: () => void }>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** The body's bytes; undefined when there is none. */
  async read(request: Request, headers: Headers): Promise<Uint8Array | undefined | Refusal> {
    const length = headers.get('content-length')
    if (length === '0' || (length === null && headers.get('transfer-encoding') === null)) return undefined
    const tooLarge = refuse('BODY_TOO_LARGE', { max: this.#limits.bytesMax })
    if (length !== null && Number(length) > this.#limits.bytesMax) return tooLarge
    const reading = length === null ? readChunks(request, this.#limits.bytesMax) : request.bytes()
    const bytes = await this.#withinTime(reading)
    if (bytes instanceof Refusal) return bytes
    if (bytes === undefined) return tooLarge
    return bytes.length === 0 ? undefined : bytes
  }

  #withinTime(reading: Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined | Refusal> {
    return new Promise((resolve) => {
      const { timeoutMs } = this.#limits
      const entry = {
        deadline: performance.now() + timeoutMs,
        giveUp: () => settle(refuse('BODY_TIMEOUT', { seconds: Math.ceil(timeoutMs / 1000) })),
      }
      const settle = (outcome: Uint8Array | undefined | Refusal) => {
        this.#waiting.delete(entry)
        resolve(outcome)
      }
      this.#waiting.add(entry)
      this.#timer ??= setInterval(() => this.#sweep(), Math.min(SWEEP_MS, timeoutMs))
      reading.then(settle, () => settle(refuse('UNREADABLE_BODY', {})))
    })
  }

  #sweep(): void {
    const now = performance.now()
    for (const entry of this.#waiting) {
      if (entry.deadline > now) break
      entry.giveUp()
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Reads a body of unannounced length; undefined when it is longer than `bytesMax`. */
async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array | undefined> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    if (length > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The text of a form body, still percent-encoded; a refusal (`4004`) when it is no form or not UTF-8. */
export function formText(body: Uint8Array, contentType: string | null): string | Refusal {
  if (!isFormType(contentType)) return refuse('UNSUPPORTED_CONTENT_TYPE', {})
  try {
    return decoder.decode(body)
  } catch {
    return refuse('UNREADABLE_BODY', {})
  }
}

function isFormType(contentType: string | null): boolean {
  if (contentType === null) return false
  if (contentType === FORM_TYPE) return true
  const [type = ''] = contentType.split(';')
  return type.trim().toLowerCase() === FORM_TYPE
}
