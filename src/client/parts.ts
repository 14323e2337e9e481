/** The parts of a client, put together once: what stands on them offers requests (`client.ts`) and streams. */
import { type Secret, Signer } from './access/signer.ts'
import { usageError } from './errors.ts'
import { HttpSender, type MessageLanguage } from './http/attempt.ts'
import { RestCaller } from './http/caller.ts'
import { Placements } from './http/placements.ts'
import { Slots } from './http/slots.ts'
import { defaultPlatform, type WebSocketClass } from './platform/default-platform.ts'
import type { Platform } from './platform/ports.ts'
import { RoutedSender } from './stream/routed-sender.ts'

export type ClientOptions = {
  /** The address of the exchange, as its node prints it: `http://127.0.0.1:8080`. */
  readonly url: string
  /** Without a key only what needs none can be asked for. */
  readonly apiKey?: string | undefined
  /** The key's secret as text, or as a CryptoKey that may sign with HMAC and SHA-256 (`importSecret`). */
  readonly secret?: Secret | undefined
  /**
   * Signatures that cover method and path and are good once (docs/reference/http.md#strict-signature); true unless said otherwise. False where a proxy
   * changes paths.
   */
  readonly strict?: boolean | undefined
  /** Of messages for people: `en` unless said otherwise. A function is asked at each request, where somebody may change the language meanwhile. */
  readonly language?: MessageLanguage | undefined
  /** How long one attempt may take: 10000 milliseconds unless said otherwise. */
  readonly timeoutMs?: number | undefined
  /** How long a call may take with all its attempts: 30000 milliseconds unless said otherwise. */
  readonly patienceMs?: number | undefined
  /** For how long after it was signed a request is good: 5000 milliseconds unless said otherwise, up to 60000. */
  readonly recvWindowMs?: number | undefined
  /** Requests under way at once: 32 unless said otherwise. */
  readonly requestsMax?: number | undefined
  /** Requests that may wait for their turn: 1000 unless said otherwise; one more is refused as BUSY. */
  readonly waitingMax?: number | undefined
  /** Where the runtime has none (Node before 22): the class of package `ws`, say. */
  readonly webSocket?: WebSocketClass | undefined
  /** In place of what the runtime offers: for tests, and for runtimes that lack something. */
  readonly platform?: Partial<Platform> | undefined
}

export type ClientParts = {
  readonly platform: Platform
  /** The origin of the address. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Undefined without a secret. */
  readonly signer: Signer | undefined
  readonly sender: RoutedSender
  readonly caller: RestCaller
  readonly placements: Placements
}

export function clientParts(options: ClientOptions): ClientParts {
  const { url, apiKey, secret, strict: isStrict = true, language = 'en' } = options
  const platform: Platform = { ...defaultPlatform(options.webSocket), ...options.platform }
  const timeoutMs = whole('timeoutMs', options.timeoutMs ?? 10_000, 1, 600_000)
  const patienceMs = whole('patienceMs', options.patienceMs ?? 30_000, 1, 86_400_000)
  const recvWindowMs = whole('recvWindowMs', options.recvWindowMs ?? 5_000, 1, 60_000)
  const slots = new Slots(
    whole('requestsMax', options.requestsMax ?? 32, 1, 10_000),
    whole('waitingMax', options.waitingMax ?? 1_000, 0, 1_000_000),
  )
  checkCredentials(apiKey, secret)
  const signer = secret === undefined ? undefined : new Signer(secret, platform)
  const http = new HttpSender(platform, url, { apiKey, signer, isStrict }, language)
  const sender = new RoutedSender(http)
  const caller = new RestCaller(platform, sender, slots, { timeoutMs, patienceMs, recvWindowMs })
  return {
    platform,
    url: http.origin,
    apiKey,
    signer,
    sender,
    caller,
    placements: new Placements(caller, platform),
  }
}

/** What was read from a file often ends with a line, and would be refused in a way that says less. Nothing of it is shown. */
function checkCredentials(apiKey: string | undefined, secret: Secret | undefined): void {
  if (secret !== undefined && apiKey === undefined) throw usageError('secret: expected an apiKey with it')
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw usageError('apiKey: expected printed characters of ASCII without spaces or ends of lines')
  }
  if (typeof secret === 'string' && secret.trim() !== secret) {
    throw usageError('secret: expected the text alone, without spaces or ends of lines around it')
  }
}

function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw usageError(`${name}: expected a whole number from ${min} to ${max}, found ${value}`)
}
