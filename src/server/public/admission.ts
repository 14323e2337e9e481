/**
 * Checks of every request before its content is read: the client's address, bans, the weight of the address,
 * framing, and patterns of attacks (docs/reference/http.md#order-of-checks). They are the same for every
 * listener of clients, whatever its protocol.
 */
import type { AddressBan } from '../../core/registry/records.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { keysOf, limitKey } from '../access/auth/address.ts'
import { type ClientAddressFinder, clientAddressFinder } from '../access/auth/client-address.ts'
import { type AddressLimits, secondsUntil } from '../access/limits/address-limits.ts'
import { isPathAttack } from '../access/limits/waf.ts'
import type { Clock } from '../common/clock.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import type { RequestContext } from '../http/request-context.ts'
import { readHeaders } from '../http/request-headers.ts'
import { framingFault } from '../listener/framing.ts'
import { targetOf } from '../listener/target.ts'
import type { GatewayConfig } from './gateway-config.ts'

/** The other end of a connection. */
export type Peer = { readonly address: string; readonly port: number }

/** Functions of a server that are needed here. */
export type AddressSource = {
  requestIP(request: Request): Peer | null
}

export type AdmissionOptions = {
  readonly config: GatewayConfig
  readonly clock: Clock
  readonly addresses: AddressLimits
  readonly nextRequestId: () => string
  /** Makes a waiting client send its body; false if that is not possible. */
  readonly goOn?: ((peer: Peer) => boolean) | undefined
}

export class Admission {
  readonly #options: AdmissionOptions
  readonly #clientAddress: ClientAddressFinder
  /** The operators' bans, by the key used for limits; undefined if not known yet. */
  bans: ReadonlyMap<string, AddressBan> | undefined

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#clientAddress = clientAddressFinder(options.config.trustedProxies)
  }

  /** The client's address: the socket's, or the one that a trusted proxy names. */
  addressOf(request: Request, server: AddressSource): string {
    const forwardedFor = request.headers.get('x-forwarded-for')
    return this.#clientAddress(server.requestIP(request)?.address ?? '', forwardedFor)
  }

  context(request: Request, server: AddressSource): RequestContext {
    const { clock, addresses, nextRequestId } = this.#options
    const now = clock.steady()
    const headers = readHeaders(request.headers)
    const peer = server.requestIP(request)
    const address = this.#clientAddress(peer?.address ?? '', headers.forwardedFor)
    const key = limitKey(address)
    const use = addresses.use(key, now)
    const requestId = nextRequestId()
    const target = targetOf(request.url)
    return { request, headers, target, peer, address, limitKey: key, use, now, requestId }
  }

  /**
   * Ban and rate limit, framing, then the web application firewall. A known path cannot look like an attack.
   */
  admit(context: RequestContext, weight: number, isKnownPath: boolean): Refusal | undefined {
    const { config, addresses } = this.#options
    const bannedUntil = this.#bannedUntil(context)
    if (context.now < bannedUntil)
      return refuse('BANNED', { seconds: secondsUntil(bannedUntil, context.now) })
    const refusal = addresses.admit(context.limitKey, context.use, weight, context.now)
    if (refusal !== undefined) return refusal
    const fault = framingFault(
      context.headers,
      context.headers.expect === null ? undefined : () => this.#goOn(context),
    )
    if (fault !== undefined) return fault
    if (!isKnownPath && isPathAttack(context.target.path)) return refuse('WAF', {})
    if (context.headers.isAttack) return refuse('WAF', {})
    const max = config.headerBytesMax
    return context.request.url.length + context.headers.bytes > max
      ? refuse('HEADERS_TOO_LARGE', { max })
      : undefined
  }

  /** The end of the operators' ban of the address, or of a network that contains it; 0 if there is none. */
  #bannedUntil({ limitKey: key }: RequestContext): TimeMs {
    const { bans } = this
    if (bans === undefined || bans.size === 0) return 0 as TimeMs
    return Math.max(...keysOf(key).map((each) => bans.get(each)?.until ?? 0)) as TimeMs
  }

  /** Makes a waiting client send its body. */
  #goOn({ peer }: RequestContext): boolean {
    return peer !== null && this.#options.goOn?.(peer) === true
  }
}
