/**
 * The actions of a scenario's script: send commands and wait for their answers, stop, start, crash, let time
 * pass.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { Operator } from '../../src/core/commands/operator.ts'
import type { ListLeg } from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import type { Side, SymbolState } from '../../src/units/order-enums.ts'
import { amount, type Decimals, type Lots, type Price, type Rate } from '../../src/units/quantities.ts'
import type { TrailingDelta } from '../../src/units/trailing-delta.ts'
import { NEWEST_RULES } from '../../test/oracle/administered.ts'
import { demand, type ShadowState } from '../checkers/shadow-state.ts'
import type { Answer, Client } from '../clients/client.ts'
import { CALM_MS_MAX, type Stage } from '../stage.ts'
import type { PowerCut } from '../storage/disk.ts'
import { FOREVER } from '../world/schedule.ts'

/**
 * Accounts in a market that `open` set up: the accounts of the outside world, fees and rounding come before
 * them.
 */
export const ALICE = 3 as AccountId
export const BOB = 4 as AccountId

/** After this time a command has arrived, and on a slow disk its batch is not stored yet. */
const STORING_MS = 2

export class Play {
  readonly stage: Stage
  readonly #client: Client
  #tag = 0

  constructor(stage: Stage) {
    this.stage = stage
    this.#client = stage.client('script')
  }

  /** Starts the node for the first time. */
  start(): void {
    const { stage } = this
    stage.schedule.after(0, FOREVER, () => stage.supervisor.start())
    stage.untilUp('the exchange starts')
  }

  /** Starts the node for the first time, and opens a market with two traders who have money. */
  open(): void {
    this.start()
    this.send({ kind: 'SetRulesVersion', operator: this.#operator(), version: NEWEST_RULES })
    const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
    for (const code of ['AAA', 'BBB']) {
      const asset = { code, name: code, fraction: 4 as Decimals, flags, supplyCap: amount(0n) }
      this.send({ kind: 'ListAsset', operator: this.#operator(), ...asset })
    }
    const terms = {
      baseFraction: 2 as Decimals,
      quoteFraction: 2 as Decimals,
      makerRate: 123_457 as Rate,
      takerRate: 765_432 as Rate,
      minTotal: amount(0n),
      minQuantity: 0 as Lots,
      selfTradeMode: 'EXPIRE_TAKER' as const,
      openOrdersMax: 100,
      levelsMax: 100,
    }
    this.send({ kind: 'ListSymbol', operator: this.#operator(), base: 'AAA', quote: 'BBB', terms })
    for (const [account, name] of [
      [ALICE, 'alice'],
      [BOB, 'bob'],
    ] as const) {
      this.send(this.account(name))
      for (const asset of ['AAA', 'BBB']) this.send(this.credit(account, asset, 10n ** 9n))
    }
  }

  /** Sends a command, waits for its answer and returns it. */
  send(command: Command): Answer {
    return this.stage.sendAndWait(this.#client, command)
  }

  /** Sends commands at once and waits until all are answered. */
  together(commands: readonly Command[]): void {
    this.#await(commands.map((command) => this.#client.command(command)))
  }

  /**
   * Sends commands while the batch of another command is being stored, so that they are in one batch, and
   * waits until all are answered.
   */
  behind(first: Command, commands: readonly Command[]): void {
    const answer = this.#client.command(first)
    this.rest(STORING_MS)
    this.#await([answer, ...commands.map((command) => this.#client.command(command))])
  }

  #await(answers: readonly Promise<Answer>[]): void {
    let answered = 0
    for (const answer of answers) {
      void answer.then(() => {
        answered++
      })
    }
    this.stage.waitFor(() => answered === answers.length, 'all are answered', CALM_MS_MAX)
  }

  order(account: AccountId, side: Side, price: number, quantity: number): PlaceOrder {
    return {
      kind: 'PlaceOrder',
      accountId: account,
      symbolId: 0 as SymbolId,
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: price as Price,
      quantity: quantity as Lots,
      total: undefined,
      selfTradeMode: undefined,
      clientOrderId: this.id('order'),
    }
  }

  /** An order that waits for `stopPrice` and then has the limit `price`. */
  stop(account: AccountId, side: Side, stopPrice: number, price: number, quantity: number): PlaceOrder {
    const limit = this.order(account, side, price, quantity)
    return { ...limit, type: 'STOP_LOSS_LIMIT', stopPrice: stopPrice as Price } as PlaceOrder
  }

  /** An order that follows the price at a distance from the next trade on, and then has the limit `price`. */
  trailing(account: AccountId, side: Side, delta: number, price: number, quantity: number): PlaceOrder {
    const limit = this.order(account, side, price, quantity)
    const trigger = { stopPrice: undefined, trailingDelta: delta as TrailingDelta }
    return { ...limit, type: 'STOP_LOSS_LIMIT', ...trigger } as PlaceOrder
  }

  /** One order of a list, with the figures that its type requires. */
  leg(
    type: ListLeg['type'],
    side: Side,
    figures: { price?: number; stopPrice?: number; quantity?: number; timeInForce?: 'GTC' },
  ): ListLeg {
    return {
      type,
      side,
      timeInForce: figures.timeInForce,
      price: figures.price as Price | undefined,
      stopPrice: figures.stopPrice as Price | undefined,
      quantity: figures.quantity as Lots | undefined,
      total: undefined,
      clientOrderId: undefined,
    }
  }

  /** A unique client order id. */
  id(word: string): string {
    return `${word}-${++this.#tag}`
  }

  countdown(accountId: AccountId, countdownMs: number): Command {
    return { kind: 'SetCountdown', accountId, symbolId: undefined, countdownMs, keepsStops: false }
  }

  setState(state: SymbolState): Command {
    return { kind: 'SetSymbolState', operator: this.#operator(), symbol: 'AAA/BBB', state }
  }

  /** The state of the second bookkeeper. */
  get known(): ShadowState {
    return this.stage.applied.shadow.state
  }

  /** The cancel of the most recent open order. */
  cancel(): Command {
    const order = [...this.stage.applied.shadow.state.orders.values()].at(-1)
    demand(order !== undefined, 'an order is open')
    const { account, number, time } = order
    return {
      kind: 'CancelOrder',
      accountId: account as never,
      orderNumber: number as never,
      orderTime: time as never,
    }
  }

  credit(account: AccountId, asset: string, units: bigint): Command {
    const operator = this.#operator()
    const reference = `credit ${++this.#tag}`
    return { kind: 'Credit', operator, accountId: account, asset, amount: amount(units), reference }
  }

  account(name: string): Command {
    return { kind: 'CreateAccount', operator: this.#operator(), name }
  }

  /** Stops in good order; then calls `whileDown`, then starts again. */
  restart(whileDown: () => void = () => {}): void {
    const { supervisor } = this.stage
    const { life } = supervisor
    void supervisor.restart()
    this.stage.waitFor(() => life.isOver, 'the exchange stops', CALM_MS_MAX)
    whileDown()
    this.stage.untilUp('the exchange starts again')
  }

  /** Kills the process and starts it again. */
  crash(cut?: PowerCut): void {
    this.stage.supervisor.crash('as the script says', cut)
    this.stage.untilUp('the exchange starts again')
  }

  /** Waits until history contains all applied commands. */
  untilFollowed(): void {
    const { supervisor, applied } = this.stage
    this.stage.waitFor(() => supervisor.medium.seq === applied.length, 'the follower catches up', CALM_MS_MAX)
  }

  /** Sends no request for a while: the exchange runs its background tasks. */
  rest(ms: number): void {
    this.stage.rest(ms)
  }

  #operator(): Operator {
    return { actor: 'script', note: `${++this.#tag}` }
  }
}
