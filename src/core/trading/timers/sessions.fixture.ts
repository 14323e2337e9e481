/** Sessions for tests: two traders with keys and connections. */
import type { AccountId } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { timeMs } from '../../../units/quantities.ts'
import type { EngineCommand } from '../../commands/command.ts'
import type { SessionName } from '../../commands/sessions.ts'
import type { Exchange, ExchangeOptions } from '../../exchange/exchange.ts'
import {
  ExchangeHarness,
  OPERATOR,
  type OrderWords,
  orderOf,
} from '../../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../exchange/rules.ts'
import type { Reply, SessionOpened } from '../../questions/reply.ts'

export const RICH = 10n ** 20n
export const LOT = 100_000_000
/** Each command of the engine's own ends two orders. */
export const OPTIONS: ExchangeOptions = { massCancelSteps: { first: 2, next: 2 } }

/** The fields of an order; by default it is a SELL order of ann with a limit. */
type Words = Partial<OrderWords>

export class SessionHarness {
  readonly it: ExchangeHarness
  readonly ann: AccountId
  readonly ben: AccountId

  constructor(options: ConstructorParameters<typeof ExchangeHarness>[0] = OPTIONS) {
    this.it = new ExchangeHarness(options)
    this.it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
    this.ann = this.it.trader('ann', { BTC: RICH, USDT: RICH })
    this.ben = this.it.trader('ben', { BTC: RICH, USDT: RICH })
    for (const [accountId, apiKey] of [
      [this.ann, 'ann-1'],
      [this.ann, 'ann-2'],
      [this.ben, 'ben-1'],
    ] as const) {
      const rest = { sealedSecret: new Uint8Array(60), permissions: [], addresses: [], label: '' }
      this.it.give({ kind: 'CreateApiKey', operator: OPERATOR, accountId, apiKey, ...rest })
    }
  }

  get exchange(): Exchange {
    return this.it.exchange
  }

  open(graceMs: number, resumes?: SessionName, apiKey = 'ann-1', accountId = this.ann): Reply {
    return this.it.give({ kind: 'OpenSession', accountId, apiKey, graceMs, resumes })
  }

  /** Opens a session, which must succeed. */
  opened(graceMs: number, resumes?: SessionName, apiKey = 'ann-1', accountId = this.ann): SessionOpened {
    const reply = this.open(graceMs, resumes, apiKey, accountId)
    invariant(reply.kind === 'SessionOpened', () => `expected a session, found ${JSON.stringify(reply)}`)
    return reply
  }

  disconnect({ sessionNumber, attachment }: SessionOpened): Reply {
    return this.it.give({ kind: 'DisconnectSession', sessionNumber, attachment })
  }

  order(session: SessionOpened | undefined, words: Words): Reply {
    const sell = { who: this.ann, side: 'SELL', quantity: LOT } as const
    const price = words.type === undefined ? { price: 10_001 } : {}
    return this.it.give({
      ...orderOf({ ...sell, ...price, ...words }),
      sessionNumber: session?.sessionNumber,
    })
  }

  /** The number of an order that must be accepted. */
  placed(session: SessionOpened | undefined, words: Words = {}): number {
    const reply = this.order(session, words)
    invariant(reply.kind === 'OrderAccepted', () => `expected an order, found ${JSON.stringify(reply)}`)
    return reply.orderNumber
  }

  pass(ms: number): void {
    this.it.give({ kind: 'MarkTime' }, ms)
  }

  /** Carries out everything due; returns, for each command, the causes with which orders ended. */
  carryOut(): string[][] {
    const ends: string[][] = []
    for (let [due] = this.exchange.due(1); due !== undefined; [due] = this.exchange.due(1)) {
      const reply = this.it.give(due)
      invariant(reply.kind !== 'Refused', () => `what is due is done, found ${JSON.stringify(reply)}`)
      ends.push(this.causes)
    }
    return ends
  }

  /** The causes with which orders ended in the last command. */
  get causes(): string[] {
    return this.it.events.flatMap((event) => (event.kind === 'OrderCanceled' ? [event.cause] : []))
  }

  /** Numbers of an account's open orders, oldest first. */
  openOf(accountId = this.ann): number[] {
    return this.exchange
      .openOrders(accountId, undefined)
      .map(({ orderNumber }) => orderNumber as number)
      .reverse()
  }

  refuseDue(): void {
    const [due] = this.exchange.due(1) as [EngineCommand]
    this.exchange.refuse(timeMs(this.exchange.time + 1), due)
  }
}

/** Sessions of all kinds: with a connection, without one, set aside; with orders and without. */
export function sessionsExchange(): Exchange {
  const s = new SessionHarness({})
  const aside = s.opened(0)
  for (const price of [10_001, 10_002]) s.placed(aside, { price })
  s.disconnect(aside)
  s.refuseDue()
  const connected = s.opened(60_000, undefined, 'ann-2')
  s.placed(connected, { price: 10_003 })
  s.placed(connected, { type: 'STOP_LOSS', stopPrice: 9_000 })
  s.placed(undefined)
  s.opened(500, undefined, 'ben-1', s.ben)
  const waiting = s.opened(500, undefined, 'ben-1', s.ben)
  s.placed(waiting, { who: s.ben, price: 10_004 })
  s.disconnect(waiting)
  s.opened(700, { sessionNumber: connected.sessionNumber, sessionTime: connected.time }, 'ann-2')
  return s.exchange
}
