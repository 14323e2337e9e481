/**
 * Random commands of every kind, most of them valid, some wrong on purpose. The second bookkeeper provides
 * the existing objects; whether the exchange accepts a command is not predicted.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import type { ShadowState } from '../checkers/shadow-state.ts'
import type { ClientKind } from '../profile.ts'
import type { Random } from '../world/random.ts'
import { drawAdministration } from './administration.ts'
import { drawAmendment } from './order-changes.ts'
import { ListWorkload } from './order-lists.ts'
import { OrderWorkload, PRICE_MIDDLE } from './orders.ts'
import { Picks } from './picks.ts'
import { drawRegistryCommand } from './registry-commands.ts'
import { drawDisconnect, drawKeyNumber, drawOpenSession } from './sessions.ts'
import { drawWithdrawing } from './withdrawals.ts'

export type WorkloadOptions = {
  readonly random: Random
  readonly weights: Readonly<Record<ClientKind, number>>
  readonly hostility: number
  readonly state: () => ShadowState
}

export class Workload {
  readonly #options: WorkloadOptions
  readonly #random: Random
  readonly #picks: Picks
  readonly #orders: OrderWorkload
  readonly #lists: ListWorkload

  constructor(options: WorkloadOptions) {
    const { random, state } = options
    const picks = new Picks(random, state)
    this.#options = options
    this.#random = random
    this.#picks = picks
    this.#orders = new OrderWorkload(random, picks, state)
    this.#lists = new ListWorkload(random, {
      trader: () => picks.trader(),
      symbol: () => picks.symbol(),
      id: () => picks.clientOrderId(),
      keyNumber: () => drawKeyNumber(random, state()),
      middle: PRICE_MIDDLE,
    })
  }

  /** Called when the outcome of a command is unknown to the client. */
  lost(command: Command): void {
    if (command.kind === 'PlaceList') this.#lists.lost(command)
  }

  /** Whether the outcome was unknown before and the command was sent again. */
  wasLost(command: Command): boolean {
    return this.#lists.wasLost(command)
  }

  get #state(): ShadowState {
    return this.#options.state()
  }

  next(): Command {
    return this.of(this.#random.weighted(this.#options.weights))
  }

  of(kind: ClientKind): Command {
    const isHostile = this.#random.chance(this.#options.hostility)
    switch (kind) {
      case 'PlaceOrder':
        return this.#orders.place(isHostile)
      case 'CancelOrder':
        return this.#orders.cancel(isHostile)
      case 'CancelClientOrder':
        return this.#orders.cancelById(isHostile)
      case 'AmendOrder':
        return { kind, ...drawAmendment(this.#random, this.#state, isHostile) }
      case 'ReplaceOrder':
        return this.#orders.replace(isHostile)
      case 'CancelAllOrders':
        return { kind, ...this.#scope(isHostile) }
      case 'SetCountdown': {
        const countdownMs = isHostile ? 86_400_001 : this.#random.pick([0, this.#random.between(1, 900)])
        return { kind, ...this.#scope(false), countdownMs, keepsStops: this.#random.chance(0.5) }
      }
      case 'OpenSession':
        return drawOpenSession(this.#random, this.#state, isHostile)
      case 'DisconnectSession':
        return drawDisconnect(this.#random, this.#state, isHostile)
      case 'PlaceList':
        return this.#lists.place(this.#state, isHostile)
      case 'CancelList':
        return this.#lists.cancel(this.#state, isHostile)
      case 'CancelClientList':
        return this.#lists.cancelById(isHostile)
      case 'AskWithdrawal':
      case 'RetractWithdrawal':
      case 'SetOwnAddress':
        return drawWithdrawing(kind, this.#random, this.#state, this.#picks.transfer(isHostile), isHostile)
      case 'MarkTime':
        return { kind }
      case 'Credit':
      case 'Debit':
        return { kind, ...this.#picks.transfer(isHostile) }
      case 'MoveBetweenBuckets':
        return {
          kind,
          ...this.#picks.transfer(isHostile),
          from: this.#picks.bucket(),
          to: this.#picks.bucket(),
        }
      case 'ListAsset':
      case 'SetAssetFlags':
      case 'ListSymbol':
      case 'SetSymbolState':
      case 'SetSymbolRates':
      case 'CreateAccount':
      case 'CreateApiKey':
      case 'SetApiKeyEnabled':
      case 'SetRulesVersion':
        return drawRegistryCommand(kind, {
          random: this.#random,
          state: this.#state,
          picks: this.#picks,
          isHostile,
        })
      default:
        return drawAdministration(kind, this.#random, this.#state, {
          isHostile,
          operator: () => this.#picks.operator(),
          transfer: () => this.#picks.transfer(isHostile),
          symbol: () => this.#picks.symbolName(isHostile && this.#random.chance(0.5)),
        })
    }
  }

  /** An order that crashes the machine that applies it. */
  poison(): Command {
    return this.#orders.poison()
  }

  /** An account, and one of the symbols or all of them. */
  #scope(isHostile: boolean): { readonly accountId: AccountId; readonly symbolId: SymbolId | undefined } {
    const random = this.#random
    const isOther = isHostile && random.chance(0.5)
    const accountId = (isOther ? random.pick([0, 10 ** 9]) : this.#picks.trader()) as AccountId
    if (random.chance(0.5)) return { accountId, symbolId: undefined }
    const symbolId = isHostile ? random.bits() + 100 : (this.#picks.symbol()?.id ?? 0)
    return { accountId, symbolId: symbolId as SymbolId }
  }
}
