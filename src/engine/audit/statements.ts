/**
 * Every account's statement: the sum of its deposits, withdrawals and trades, computed only from the events
 * and by independent rules, then compared with the ledger. The ledger's arithmetic is not used, so an error
 * in it is detected.
 */
import type { EventSink, ExchangeEvent, OrdersMatched } from '../../core/events/event.ts'
import { fixedDecimal } from '../../units/decimal.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { FEES_ACCOUNT, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { bigintOf } from '../../units/whole.ts'
import type { StateMachine } from '../port/state-machine.ts'
import type { Findings } from './findings.ts'
import type { AuditNames } from './names.ts'

export class AuditStatements {
  readonly #names: AuditNames
  readonly #sums = new Map<AccountId, Map<AssetId, bigint>>()

  /** `names` must receive each event before this object does. */
  constructor(names: AuditNames) {
    this.#names = names
  }

  /** Receives the events. */
  readonly sink: EventSink = (event: ExchangeEvent): void => {
    if (event.kind === 'ExternalTransfer') {
      this.#add(event.accountId, event.assetId, bigintOf(event.amount))
      this.#add(OUTSIDE_ACCOUNT, event.assetId, -bigintOf(event.amount))
    } else if (event.kind === 'OrdersMatched') this.#trade(event)
  }

  /** Compares every account of the machine, which has caused exactly these events, with its statement. */
  compare(machine: StateMachine, findings: Findings): void {
    for (const { id } of machine.bootstrap().accounts) {
      for (const { assetId, free, locked, freeze, savings } of machine.balances(id)) {
        const has = [free, locked, freeze, savings].map(bigintOf).reduce((a, b) => a + b)
        const should = this.#sums.get(id)?.get(assetId) ?? 0n
        if (has === should) continue
        const asset = this.#names.asset(assetId)
        const text = (units: bigint) =>
          asset === undefined ? `${units} units` : fixedDecimal(units, asset.fraction)
        findings.add(
          'STATEMENT',
          `${this.#names.account(id)} has ${text(has)} ${asset?.code ?? `of asset ${assetId}`}, but its transfers and trades add up to ${text(should)}`,
        )
      }
    }
  }

  /** The buyer pays its total and receives the quantity less commission; the seller, the other way around. */
  #trade({ symbolId, quantity, takerSide, maker, taker }: OrdersMatched): void {
    const symbol = this.#names.symbol(symbolId)
    if (symbol === undefined) return
    const [buyer, seller] = takerSide === 'BUY' ? [taker, maker] : [maker, taker]
    const delivered = BigInt(quantity) * 10n ** BigInt(symbol.basePrecision - symbol.baseFraction)
    const { base, quote } = symbol
    const [paid, received] = [bigintOf(buyer.total), bigintOf(seller.total)]
    const [buyerCommission, sellerCommission] = [bigintOf(buyer.commission), bigintOf(seller.commission)]
    this.#add(seller.accountId, base, -delivered)
    this.#add(buyer.accountId, base, delivered - buyerCommission)
    this.#add(FEES_ACCOUNT, base, buyerCommission)
    this.#add(buyer.accountId, quote, -paid)
    this.#add(seller.accountId, quote, received - sellerCommission)
    this.#add(FEES_ACCOUNT, quote, sellerCommission)
    this.#add(symbol.roundingAccountId, quote, paid - received)
  }

  #add(account: AccountId, asset: AssetId, units: bigint): void {
    let sums = this.#sums.get(account)
    if (sums === undefined) {
      sums = new Map()
      this.#sums.set(account, sums)
    }
    sums.set(asset, (sums.get(asset) ?? 0n) + units)
  }
}
