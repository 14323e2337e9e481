/**
 * Positions, and the markets used for their valuation, as the bytes of their rows.
 *
 *   position  account, asset; quantity, quantity without cost, at last price; cost, realized, cost of the sold; check
 *   market    symbol, base, quote, their ledger decimals, decimals of quantity and price, last price or 0; check
 */
import type { MarketTerms, ValuedMarket } from '../../../../engine/history/positions/markets.ts'
import type { Position } from '../../../../engine/history/positions/position.ts'
import { ByteReader, type ByteWriter } from '../../../../units/bytes.ts'
import type { AccountId, AssetId, SymbolId } from '../../../../units/ids.ts'
import { amount, decimals, type Price, price } from '../../../../units/quantities.ts'
import { bigintOf, wholeOf } from '../../../../units/whole.ts'
import { DamagedRowFault, seal, unsealed } from '../check.ts'

/** The bytes of a row, valid until `writer` is used again. */
export function writePosition(
  writer: ByteWriter,
  accountId: AccountId,
  assetId: AssetId,
  position: Position,
): Uint8Array {
  writer.reset()
  writer.uint(accountId)
  writer.uint(assetId)
  writer.whole(position.quantity)
  writer.whole(position.withoutCost)
  writer.whole(position.atLastPrice)
  writer.whole(wholeOf(position.cost))
  writer.whole(wholeOf(position.realized))
  writer.whole(wholeOf(position.soldCost))
  return seal(writer)
}

/** Throws `DamagedRowFault` if `data` is not the row that was written for this account and asset. */
export function readPosition(accountId: AccountId, assetId: AssetId, data: unknown): Position {
  const reader = new ByteReader(unsealed(data))
  const [account, asset] = [reader.uint(), reader.uint()]
  if (account !== accountId || asset !== assetId) {
    const found = `the position of account ${account} in asset ${asset}`
    throw new DamagedRowFault(`${found} is stored as that of account ${accountId} in asset ${assetId}`)
  }
  return {
    quantity: amount(reader.whole()),
    withoutCost: amount(reader.whole()),
    atLastPrice: amount(reader.whole()),
    cost: bigintOf(reader.whole()),
    realized: bigintOf(reader.whole()),
    soldCost: bigintOf(reader.whole()),
  }
}

/** The bytes of a row, valid until `writer` is used again. */
export function writeMarket(writer: ByteWriter, terms: MarketTerms, lastPrice: Price): Uint8Array {
  writer.reset()
  writer.uint(terms.id)
  writer.uint(terms.base)
  writer.uint(terms.quote)
  writer.uint(terms.basePrecision)
  writer.uint(terms.quotePrecision)
  writer.uint(terms.baseFraction)
  writer.uint(terms.quoteFraction)
  writer.uint(lastPrice)
  return seal(writer)
}

/** Throws `DamagedRowFault` if `data` is not the row that was written for this symbol. */
export function readMarket(symbolId: number, data: unknown): Pick<ValuedMarket, 'terms' | 'lastPrice'> {
  const reader = new ByteReader(unsealed(data))
  const id = reader.uint()
  if (id !== symbolId)
    throw new DamagedRowFault(`the market of symbol ${id} is stored as that of symbol ${symbolId}`)
  const terms = {
    id: id as SymbolId,
    base: reader.uint() as AssetId,
    quote: reader.uint() as AssetId,
    basePrecision: decimals(reader.uint()),
    quotePrecision: decimals(reader.uint()),
    baseFraction: decimals(reader.uint()),
    quoteFraction: decimals(reader.uint()),
  }
  return { terms, lastPrice: price(reader.uint()) }
}
