/** Streams of market data: connections of clients, and the hub that they share. */
import type { EventBatch } from '../../../core/events/event.ts'
import { faultLog } from '../../common/fault-log.ts'
import { Refusal } from '../../common/refusal.ts'
import type { JoinedSymbols } from '../market/joined-symbols.ts'
import { addressFormFault } from '../wire/answer-form.ts'
import type { WireError } from '../wire/wire-error.ts'
import type { WireCalls } from '../wire-calls.ts'
import { CLOSE_CODES, type SocketData, type WireConnection, type WireSocket } from '../wire-sockets.ts'
import { MarketHub } from './market-hub.ts'
import type { StreamOpening } from './stream-address.ts'
import { StreamSession } from './stream-session.ts'

/** The name of the stream, if messages include it. */
const SHUTDOWN = '!serverShutdown'

export class WireStreams {
  readonly #calls: WireCalls
  #hub: MarketHub | undefined

  constructor(calls: WireCalls) {
    this.#calls = calls
  }

  /**
   * Data of a new connection; an error for a form of messages that is not offered, a refusal while the
   * exchange is not running.
   */
  opening(query: string, opening: StreamOpening): SocketData['begin'] | Refusal | WireError {
    const fault = addressFormFault(query)
    if (fault !== undefined) return fault
    const services = this.#calls.shared.services()
    if (services instanceof Refusal) return services
    const hub = this.#hubOf(this.#calls.symbolsOf(services))
    return (socket) => this.#begun(socket, hub, opening)
  }

  publish(batch: EventBatch): void {
    this.#hub?.publish(batch)
  }

  stop(): void {
    this.#hub?.stop()
  }

  #begun(socket: WireSocket, hub: MarketHub, { names, isCombined }: StreamOpening): WireConnection {
    const session = new StreamSession(
      hub,
      { send: (text) => socket.send(text), close: (reason) => socket.close(CLOSE_CODES.policy, reason) },
      isCombined,
    )
    session.begin(names)
    const { clock } = this.#calls.shared
    return {
      received: (text) => session.receive(text, performance.now()),
      stopping: () => session.send(SHUTDOWN, JSON.stringify({ e: 'serverShutdown', E: clock.steady() })),
      ended: () => session.end(),
    }
  }

  #hubOf(symbols: JoinedSymbols): MarketHub {
    const { clock, logger, services } = this.#calls.shared
    const onFault = faultLog(logger, 'the streams of clients of Binance', () => performance.now())
    const sources = () => {
      const running = services()
      return running instanceof Refusal ? undefined : running
    }
    this.#hub ??= new MarketHub({ sources, symbols, clock, onFault })
    return this.#hub
  }
}
