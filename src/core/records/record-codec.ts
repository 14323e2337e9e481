/**
 * Records of the registry as they are in events and views: complete, so that the receiver needs no other
 * record to read one. The form in snapshots (`registry/records-codec.ts`) leaves out the house's own accounts
 * and what can be derived. Each record has its own functions: in the single generated function for all
 * events, records would be written more slowly.
 */
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import { own, uint } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { accountWith, symbolWith } from '../registry/optional-fields.ts'
import {
  ACCOUNT_FIELDS,
  type Account,
  type Asset,
  SYMBOL_ASSETS,
  SYMBOL_DERIVED,
  SYMBOL_FIELDS,
  type TradingSymbol,
} from '../registry/records.ts'
import { assetNumbered } from '../registry/records-codec.ts'

export const ASSET = own<Asset>(byteCodec(assetNumbered(uint<AssetId>())))

export const ACCOUNT = own<Account>(byteCodec(accountWith({ id: uint<AccountId>(), ...ACCOUNT_FIELDS })))

export const SYMBOL = own<TradingSymbol>(
  byteCodec(symbolWith({ id: uint<SymbolId>(), ...SYMBOL_ASSETS, ...SYMBOL_DERIVED, ...SYMBOL_FIELDS })),
)
