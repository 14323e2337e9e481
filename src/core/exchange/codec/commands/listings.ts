/** The fields of commands on assets and symbols, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readWord, writeWord } from '../../../../units/field-codec.ts'
import { SELF_TRADE_MODES, SYMBOL_STATES } from '../../../../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, Rate } from '../../../../units/quantities.ts'
import type { AssetFlags, SymbolTerms } from '../../../registry/terms.ts'
import type { CommandOf } from '../../command.ts'
import type { ListingCommand } from '../../commands/listings.ts'
import type { FieldCodecs, Fields } from './fields.ts'

export const LISTING_FIELDS: FieldCodecs<ListingCommand['kind']> = {
  ListAsset: {
    write: (w, c) => {
      w.text(c.code)
      w.text(c.name)
      w.uint(c.fraction)
      writeAssetFlags(w, c.flags)
      w.whole(c.supplyCap)
    },
    read: (r) => ({
      code: r.text(),
      name: r.text(),
      fraction: r.uint() as Decimals,
      flags: readAssetFlags(r),
      supplyCap: r.whole() as Amount,
    }),
  },
  SetAssetFlags: {
    write: (w, c) => {
      w.text(c.code)
      writeAssetFlags(w, c.flags)
    },
    read: (r) => ({ code: r.text(), flags: readAssetFlags(r) }),
  },
  SetAssetTerms: { write: writeAssetTerms, read: readAssetTerms },
  ListSymbol: {
    write: (w, c) => {
      w.text(c.base)
      w.text(c.quote)
      writeSymbolTerms(w, c.terms)
    },
    read: (r) => ({ base: r.text(), quote: r.text(), terms: readSymbolTerms(r) }),
  },
  SetSymbolState: {
    write: (w, c) => {
      w.text(c.symbol)
      writeWord(w, SYMBOL_STATES, c.state)
    },
    read: (r) => ({ symbol: r.text(), state: readWord(r, SYMBOL_STATES) }),
  },
  SetSymbolRates: {
    write: (w, c) => {
      w.text(c.symbol)
      w.uint(c.makerRate)
      w.uint(c.takerRate)
    },
    read: (r) => ({ symbol: r.text(), makerRate: r.uint() as Rate, takerRate: r.uint() as Rate }),
  },
  SetSymbolTerms: { write: writeSymbolAmendment, read: readSymbolAmendment },
  SetSymbolIncrements: {
    write: (w, c) => {
      w.text(c.symbol)
      w.uint(c.tickSize)
      w.uint(c.stepSize)
    },
    read: (r) => ({ symbol: r.text(), tickSize: r.uint() as Price, stepSize: r.uint() as Lots }),
  },
}

function writeAssetTerms(w: ByteWriter, c: CommandOf<'SetAssetTerms'>): void {
  w.text(c.code)
  w.text(c.name)
  w.whole(c.supplyCap)
  w.whole(c.creditMax)
  w.whole(c.approvalAbove)
}

function readAssetTerms(r: ByteReader): Fields<'SetAssetTerms'> {
  return {
    code: r.text(),
    name: r.text(),
    supplyCap: r.whole() as Amount,
    creditMax: r.whole() as Amount,
    approvalAbove: r.whole() as Amount,
  }
}

function writeSymbolAmendment(w: ByteWriter, c: CommandOf<'SetSymbolTerms'>): void {
  w.text(c.symbol)
  w.whole(c.minTotal)
  w.uint(c.minQuantity)
  writeWord(w, SELF_TRADE_MODES, c.selfTradeMode)
  w.uint(c.openOrdersMax)
  w.uint(c.levelsMax)
  w.uint(c.minPrice)
  w.uint(c.maxPrice)
}

function readSymbolAmendment(r: ByteReader): Fields<'SetSymbolTerms'> {
  return {
    symbol: r.text(),
    minTotal: r.whole() as Amount,
    minQuantity: r.uint() as Lots,
    selfTradeMode: readWord(r, SELF_TRADE_MODES),
    openOrdersMax: r.uint(),
    levelsMax: r.uint(),
    minPrice: r.uint() as Price,
    maxPrice: r.uint() as Price,
  }
}

function writeAssetFlags(w: ByteWriter, flags: AssetFlags): void {
  w.bool(flags.isDeposit)
  w.bool(flags.isWithdraw)
  w.bool(flags.isTrade)
  w.bool(flags.isSaving)
}

function readAssetFlags(r: ByteReader): AssetFlags {
  return { isDeposit: r.bool(), isWithdraw: r.bool(), isTrade: r.bool(), isSaving: r.bool() }
}

export function writeSymbolTerms(w: ByteWriter, terms: SymbolTerms): void {
  w.uint(terms.baseFraction)
  w.uint(terms.quoteFraction)
  w.uint(terms.makerRate)
  w.uint(terms.takerRate)
  w.whole(terms.minTotal)
  w.uint(terms.minQuantity)
  writeWord(w, SELF_TRADE_MODES, terms.selfTradeMode)
  w.uint(terms.openOrdersMax)
  w.uint(terms.levelsMax)
}

export function readSymbolTerms(r: ByteReader): SymbolTerms {
  return {
    baseFraction: r.uint() as Decimals,
    quoteFraction: r.uint() as Decimals,
    makerRate: r.uint() as Rate,
    takerRate: r.uint() as Rate,
    minTotal: r.whole() as Amount,
    minQuantity: r.uint() as Lots,
    selfTradeMode: readWord(r, SELF_TRADE_MODES),
    openOrdersMax: r.uint(),
    levelsMax: r.uint(),
  }
}
