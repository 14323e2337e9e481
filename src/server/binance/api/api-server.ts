/** The WebSocket API: its paths, its connections, and the changes of keys that end their logins. */
import type { EventBatch } from '../../../core/events/event.ts'
import { guarded } from '../../../units/guarded.ts'
import { faultLog } from '../../common/fault-log.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { addressFormFault } from '../wire/answer-form.ts'
import type { WireError } from '../wire/wire-error.ts'
import type { WireCalls } from '../wire-calls.ts'
import type { SocketData } from '../wire-sockets.ts'
import { ApiSession } from './api-session.ts'
import { Holders } from './holders.ts'

const PATH = '/ws-api/v3'
/** The interval at which logins are checked for keys that have expired. */
const SWEEP_MS = 1_000

/** Some clients append the path to an address that already has it. */
export function isApiPath(path: string): boolean {
  return path === PATH || path === PATH + PATH
}

export class WireApi {
  readonly #calls: WireCalls
  readonly #holders = new Holders(() => this.#sweep())
  #sweeps: ReturnType<typeof setInterval> | undefined

  constructor(calls: WireCalls) {
    this.#calls = calls
  }

  /** Data of a new connection; an error for an answer format that is not offered. */
  opening(context: RequestContext): SocketData['begin'] | WireError {
    const { query } = context.target
    const fault = addressFormFault(query)
    if (fault !== undefined) return fault
    const returnsRateLimits = new URLSearchParams(query).get('returnRateLimits') !== 'false'
    const common = { calls: this.#calls, holders: this.#holders, context, returnsRateLimits }
    return (socket) => new ApiSession({ ...common, socket })
  }

  /** Publishes a batch that the views already include. */
  publish(batch: EventBatch): void {
    this.#holders.publish(batch, this.#calls.shared.clock.steady())
  }

  stop(): void {
    clearInterval(this.#sweeps)
    this.#sweeps = undefined
  }

  /** Sweeps while there is a login or a subscription. */
  #sweep(): void {
    if (this.#holders.count === 0) {
      this.stop()
      return
    }
    const { clock, logger } = this.#calls.shared
    const onFault = faultLog(logger, 'logins of WebSockets', () => performance.now())
    this.#sweeps ??= setInterval(
      guarded(() => this.#holders.checkAll(clock.steady()), onFault),
      SWEEP_MS,
    )
  }
}
