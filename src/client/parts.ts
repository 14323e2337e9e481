/** The parts of a client, created once and used by its requests (`client.ts`) and streams. */
import { isPair, type Secret, Signer } from './access/signer.ts'
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
  /** Without a key only requests that need none are possible. */
  readonly apiKey?: string | undefined
  /**
   * The key's secret as text, or as a CryptoKey with permission to sign with HMAC and SHA-256
   * (`importSecret`).
   */
  readonly secret?: Secret | undefined
  /**
   * Whether signatures cover method and path and are valid once
   * (docs/reference/authentication.md#strict-signature); true by default. Set it to false behind a proxy that
   * changes paths.
   */
  readonly strict?: boolean | undefined
  /**
   * Language of messages: `en` by default. A function is called for each request, for pages where the
   * language can change.
   */
  readonly language?: MessageLanguage | undefined
  /** Maximum time for one attempt: 10000 milliseconds by default. */
  readonly timeoutMs?: number | undefined
  /** Maximum time for a call with all its attempts: 30000 milliseconds by default. */
  readonly patienceMs?: number | undefined
  /** The time for which a request is valid after it is signed: 5000 milliseconds by default, up to 60000. */
  readonly recvWindowMs?: number | undefined
  /** Maximum number of requests in flight: 32 by default. */
  readonly requestsMax?: number | undefined
  /**
   * Maximum number of requests that wait for their turn: 1000 by default; a further request is refused as
   * BUSY.
   */
  readonly waitingMax?: number | undefined
  /** For a runtime without WebSockets (Node before 22): for example the class of package `ws`. */
  readonly webSocket?: WebSocketClass | undefined
  /** Replaces the runtime's functions: for tests, and for runtimes that lack some. */
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
  if (isPair(secret) && !isStrict) {
    throw usageError('strict: a private key makes only strict signatures; omit this option')
  }
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

/**
 * A value read from a file often ends with a line break, and would be refused with a less helpful message.
 * The value itself is not shown.
 */
function checkCredentials(apiKey: string | undefined, secret: Secret | undefined): void {
  if (secret !== undefined && apiKey === undefined) throw usageError('secret: expected an apiKey with it')
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw usageError('apiKey: expected printable ASCII characters without spaces or line breaks')
  }
  if (typeof secret === 'string' && secret.trim() !== secret) {
    throw usageError('secret: expected only the text, without spaces or line breaks around it')
  }
}

function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw usageError(`${name}: expected a whole number from ${min} to ${max}, found ${value}`)
}
