/**
 * The registry's records as bytes, for snapshots. Ids are positions and are not written, nor is what follows
 * from other records. Reading throws `BytesFault` for a record that no registry can have.
 */
import { type ByteReader, BytesFault } from '../../units/bytes.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import type { Decimals } from '../../units/quantities.ts'
import {
  type ByteCodec,
  checked,
  constant,
  type Filled,
  given,
  type Shape,
  word,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { hasPriceOnTick } from './amendments.ts'
import { accountWith, assetWith, isAmendedAccount, keyWith, symbolWith } from './optional-fields.ts'
import {
  ACCOUNT_FIELDS,
  type Account,
  type AccountRole,
  type ApiKey,
  ASSET_FIELDS,
  type Asset,
  KEY_FIELDS,
  SYMBOL_ASSETS,
  SYMBOL_FIELDS,
  type TradingSymbol,
} from './records.ts'
import { isValidApiKey, isValidAsset, isValidSymbol, isValidTraderName } from './terms.ts'

/**
 * The roles of accounts that are written; accounts of the other two roles exist in every registry. A role's
 * number is its place in this list: add at the end, never remove or move one.
 */
const WRITTEN_ROLES = ['rounding', 'trader'] as const satisfies readonly AccountRole[]

/** Throws unless `isPossible`: the sentence states the value that no registry can hold. */
export function check(isPossible: boolean, sentence: string): void {
  if (!isPossible) throw new BytesFault(sentence)
}

/** An asset with its id, which is written in the form `id`. */
export const assetNumbered = (id: Shape<AssetId>): Shape<Asset> =>
  checked(
    assetWith({ id, ...ASSET_FIELDS }),
    (asset: Asset) => isValidAsset(asset),
    ({ code }: Asset) => `asset ${code} is out of bounds`,
  )

export const API_KEYS: ByteCodec<ApiKey> = byteCodec(
  checked(
    keyWith(KEY_FIELDS),
    (key: ApiKey) => isValidApiKey(key),
    ({ apiKey }: ApiKey) => `key ${apiKey} is out of bounds`,
  ),
)

const ACCOUNT = byteCodec(
  accountWith({ id: given<AccountId>(), ...ACCOUNT_FIELDS, role: word(WRITTEN_ROLES) }) as Shape<Account>,
)
const ASSET = byteCodec(assetNumbered(given<AssetId>()))
const SYMBOL = byteCodec(
  symbolWith({
    id: given<SymbolId>(),
    name: constant('') as Shape<string>,
    ...SYMBOL_ASSETS,
    baseCode: constant('') as Shape<string>,
    quoteCode: constant('') as Shape<string>,
    basePrecision: given<Decimals>(),
    quotePrecision: given<Decimals>(),
    ...SYMBOL_FIELDS,
  }) as Shape<TradingSymbol>,
)

export const { write: writeApiKey, read: readApiKey } = API_KEYS
export const { write: writeAccount } = ACCOUNT
export const { write: writeAsset } = ASSET
export const { write: writeSymbol } = SYMBOL

export function readAccount(reader: ByteReader, id: AccountId): Account {
  const account: Filled<Account> = ACCOUNT.read(reader)
  account.id = id
  const { role, name } = account
  const isTrader = role === 'trader'
  // Composing the message for each of a million accounts would cost more than reading them
  // (`npm run bench -- recovery`).
  if (isTrader && !isValidTraderName(name)) throw new BytesFault(`account ${id} cannot be named ${name}`)
  if (!isTrader && isAmendedAccount(account))
    throw new BytesFault(`account ${name} of the house cannot be changed`)
  return account
}

export function readAsset(reader: ByteReader, id: AssetId): Asset {
  const asset: Filled<Asset> = ASSET.read(reader)
  asset.id = id
  return asset
}

/** `assets` are the listed assets, by id. */
export function readSymbol(reader: ByteReader, id: SymbolId, assets: readonly Asset[]): TradingSymbol {
  const symbol: Filled<TradingSymbol> = SYMBOL.read(reader)
  const [base, quote] = [assets[symbol.base], assets[symbol.quote]]
  if (base === undefined || quote === undefined) throw new BytesFault(`symbol ${id} has an unknown asset`)
  symbol.id = id
  symbol.name = `${base.code}/${quote.code}`
  symbol.baseCode = base.code
  symbol.quoteCode = quote.code
  symbol.basePrecision = base.fraction
  symbol.quotePrecision = quote.fraction
  // A name that is equal to both codes joined is never written.
  const hasOneForm = symbol.binanceName !== base.code + quote.code
  const isPossible = isValidSymbol(symbol, base, quote) && hasPriceOnTick(symbol) && hasOneForm
  check(isPossible, `symbol ${symbol.name} is out of bounds`)
  return symbol
}
