/**
 * Reading a request's body: exactly its bytes, never more than allowed, never for longer than allowed.
 */
import { cannotFail, guarded } from '../../units/guarded.ts'
import { Refusal, refuse } from '../common/refusal.ts'

const SWEEP_MS = 1_000

export type BodyLimits = {
  readonly bytesMax: number
  /** Time limit for a body to arrive, from the start of its request. */
  readonly timeoutMs: number
}

type Body = Uint8Array | Refusal
type Wait = { readonly deadline: number; readonly resolve: (body: Body | undefined) => void }
type Arrival = { readonly wait: Wait; readonly body: Body }

/**
 * Reads bodies. A single timer for all of them detects slow ones; it runs while there are any. Bodies that
 * arrive in one turn of the event loop are passed on together at its end: one request after another then runs
 * the same code while it is still in the processor's cache (`npm run bench -- order-to-ack`).
 */
export class BodyReader {
  readonly #limits: BodyLimits
  /** In the order of their deadlines. */
  readonly #waiting = new Set<Wait>()
  /** Bodies that arrived in this turn of the event loop and are not passed on yet. */
  #arrived: Arrival[] = []
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /**
   * The bytes of the body, awaited if they have not arrived; undefined if there is none. Callers that already
   * have `contentLength` and `startMs`, the arrival time of the request, can pass them.
   */
  read(
    request: Request,
    contentLength = request.headers.get('content-length'),
    startMs = performance.now(),
  ): Body | undefined | Promise<Body | undefined> {
    const { bytesMax } = this.#limits
    if (contentLength === '0') return undefined
    if (contentLength === null) {
      const hasChunks = request.headers.get('transfer-encoding') !== null
      return hasChunks ? this.#withinTime(readChunks(request, bytesMax), startMs) : undefined
    }
    if (Number(contentLength) > bytesMax) return tooLarge(bytesMax)
    return this.#withinTime(request.bytes(), startMs)
  }

  #withinTime(reading: Promise<Body>, startMs: number): Promise<Body | undefined> {
    return new Promise((resolve) => {
      const { timeoutMs } = this.#limits
      const wait: Wait = { deadline: startMs + timeoutMs, resolve }
      const settle = (body: Body) => {
        this.#waiting.delete(wait)
        if (this.#arrived.push({ wait, body }) === 1) setImmediate(() => this.#handOn())
      }
      this.#waiting.add(wait)
      this.#timer ??= setInterval(
        guarded(() => this.#sweep(), cannotFail),
        Math.min(SWEEP_MS, timeoutMs),
      )
      reading.then(settle, () => settle(refuse('UNREADABLE_BODY', {})))
    })
  }

  #handOn(): void {
    const arrived = this.#arrived
    this.#arrived = []
    for (const { wait, body } of arrived) {
      wait.resolve(body instanceof Refusal || body.length > 0 ? body : undefined)
    }
  }

  #sweep(): void {
    const now = performance.now()
    const seconds = Math.ceil(this.#limits.timeoutMs / 1000)
    for (const wait of this.#waiting) {
      if (wait.deadline > now) break
      this.#waiting.delete(wait)
      wait.resolve(refuse('BODY_TIMEOUT', { seconds }))
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

function tooLarge(bytesMax: number): Refusal {
  return refuse('BODY_TOO_LARGE', { max: bytesMax })
}

/** Reads a body of unannounced length. */
async function readChunks(request: Request, bytesMax: number): Promise<Body> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    if (length > bytesMax) return tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
