/**
 * The public face of the core's refusals; those that follow from what operators set stand in `administration.ts`.
 */
import type { CoreReason } from '../../units/reasons.ts'
import type { ADMINISTRATION_CATALOGUE } from './administration.ts'
import { invalid, type ReasonEntry, unavailable } from './entry.ts'

export const CORE_CATALOGUE = {
  INTERNAL_ERROR: unavailable(
    {
      en: 'Internal error; please quote {id} when you report it.',
      tr: 'Sistemde beklenmeyen bir hata oluştu; bildirirken lütfen {id} kimliğini belirtin.',
      docs: 'A bug of the service; the request was not carried out. The id stands in the service’s log.',
    },
    500,
  ),
  UNKNOWN_ASSET: invalid({
    en: 'Unknown asset: the code given is not that of a listed asset (parameter code).',
    tr: 'Bilinmeyen varlık: verilen kod listelenen bir varlığa ait değil (code parametresi).',
    docs: 'No asset of this code is listed.',
  }),
  UNKNOWN_SYMBOL: invalid({
    en: 'Unknown symbol: the value given is not a listed symbol (parameter symbol).',
    tr: 'Bilinmeyen sembol: verilen değer listelenen bir sembol değil (symbol parametresi).',
    docs: 'No such symbol is listed. Symbols are written BASE/QUOTE in capital letters, as in exchange information.',
  }),
  UNKNOWN_ACCOUNT: invalid({
    en: 'There is no such account.',
    tr: 'Böyle bir hesap yok.',
    docs: 'The account named does not exist.',
  }),
  UNKNOWN_API_KEY: invalid({
    en: 'There is no such API key.',
    tr: 'Böyle bir API anahtarı yok.',
    docs: 'An operator’s command named a key that does not exist. Clients get INVALID_API_KEY instead.',
  }),
  UNKNOWN_ORDER: invalid({
    en: 'You have no open order with this id.',
    tr: 'Bu kimliğe (id) sahip açık bir emriniz yok.',
    docs: 'The order to cancel is unknown, not yours, or already filled or canceled; one answer for all three.',
  }),
  ASSET_EXISTS: invalid({
    en: 'An asset with this code is already listed.',
    tr: 'Bu koda sahip bir varlık zaten listelenmiş.',
    docs: 'An asset code can be listed once.',
  }),
  SYMBOL_EXISTS: invalid({
    en: 'This symbol is already listed.',
    tr: 'Bu sembol zaten listelenmiş.',
    docs: 'A symbol can be listed once.',
  }),
  ACCOUNT_EXISTS: invalid({
    en: 'An account with this name already exists.',
    tr: 'Bu ada sahip bir hesap zaten var.',
    docs: 'Account names are unique.',
  }),
  API_KEY_EXISTS: invalid({
    en: 'This API key already exists.',
    tr: 'Bu API anahtarı zaten var.',
    docs: 'API keys are unique.',
  }),
  INVALID_COMMAND: invalid({
    en: 'A value in the request is outside its allowed range.',
    tr: 'İstekteki bir değer izin verilen aralığın dışında.',
    docs: 'A value passed the form checks but is outside the range the exchange works with.',
  }),
  SYMBOL_HALTED: unavailable({
    en: 'Trading in this symbol is halted; orders can still be canceled.',
    tr: 'Bu sembolde işlemler durduruldu; emirler yine de iptal edilebilir.',
    docs: 'The operator has halted the symbol. Cancelling works; placing works again after it resumes.',
  }),
  ASSET_NOT_TRADABLE: invalid({
    en: 'One of the assets of this symbol is closed to trading.',
    tr: 'Bu sembolün varlıklarından biri işleme kapalı.',
    docs: 'The base or the quote asset has isTrade switched off.',
  }),
  INSUFFICIENT_FUNDS: invalid({
    en: 'The free balance is not enough.',
    tr: 'Serbest bakiye yetersiz.',
    docs: 'The order needs more than the account’s free balance in the asset it pays with.',
  }),
  QUANTITY_TOO_SMALL: invalid({
    en: 'The quantity is below the smallest quantity of this symbol{detail} (parameter quantity).',
    tr: 'Miktar, bu sembolün en küçük işlem miktarının altında{detail} (quantity parametresi).',
    docs: 'The quantity is below the symbol’s minimum quantity.',
  }),
  TOTAL_TOO_SMALL: invalid({
    en: 'The total (price x quantity) is below the smallest total of this symbol{detail}.',
    tr: 'Toplam tutar (fiyat x miktar), bu sembolün en küçük işlem tutarının altında{detail}.',
    docs: 'Price x quantity is below one ledger unit of the quote asset or below the symbol’s minimum total.',
  }),
  TOTAL_MISMATCH: invalid({
    en: 'The total is not price x quantity{detail} (parameter total).',
    tr: 'Toplam tutar, fiyat x miktar çarpımına eşit değil{detail} (total parametresi).',
    docs: 'A LIMIT order’s total, when sent, must be price x quantity, exactly or rounded either way.',
  }),
  TOO_MANY_OPEN_ORDERS: invalid({
    en: 'You have too many open orders in this symbol{detail}; cancel some of them first.',
    tr: 'Bu sembolde çok fazla açık emriniz var{detail}; önce bir kısmını iptal edin.',
    docs: 'The account has as many open orders in this symbol as the symbol allows.',
  }),
  TOO_MANY_PRICE_LEVELS: invalid({
    en: 'The order book has no room for another price on this side{detail}.',
    tr: 'Emir defterinin bu tarafında yeni bir fiyata yer kalmadı{detail}.',
    docs: 'The side of the book has as many different prices as the symbol allows; an existing price still works.',
  }),
  NO_LIQUIDITY: invalid({
    en: 'The order book has nothing to trade with.',
    tr: 'Emir defterinde eşleşecek bir emir yok.',
    docs: 'A MARKET order found the other side of the book empty and was rejected.',
  }),
  TOTAL_BELOW_BEST_PRICE: invalid({
    en: 'The total is too small for even the smallest quantity at the best price.',
    tr: 'Toplam tutar, en iyi fiyattan en küçük miktar için bile yetersiz.',
    docs: 'A MARKET order’s total does not reach for one unit of quantity at the best price.',
  }),
  SELF_TRADE_PREVENTED: invalid({
    en: 'The order could only have traded with your own orders.',
    tr: 'Emir yalnızca kendi emirlerinizle eşleşebilirdi.',
    docs: 'Self-trade prevention left a MARKET order nothing to trade with, and nothing was changed.',
  }),
  REFERENCE_CONFLICT: invalid({
    en: 'This reference has already been used for something else.',
    tr: 'Bu referans daha önce başka bir işlem için kullanılmış.',
    docs: 'An operator’s external reference was used before with different contents.',
  }),
  TOO_MANY_REFERENCES: invalid({
    en: 'No more external references can be remembered{detail}.',
    tr: 'Saklanabilecek dış referans sayısının sınırına ulaşıldı{detail}.',
    docs: 'The exchange remembers as many external references as it can.',
  }),
  SUPPLY_LIMIT: invalid({
    en: 'This would exceed the supply cap of the asset{detail}.',
    tr: 'Bu işlem, varlığın arz üst sınırını aşar{detail}.',
    docs: 'A credit would bring more of the asset into the exchange than its supply cap.',
  }),
  LIMIT_REACHED: invalid({
    en: 'The largest number of entries of this kind has been reached{detail}.',
    tr: 'Bu türden kayıtlar için izin verilen en yüksek sayıya ulaşıldı{detail}.',
    docs: 'No more assets, symbols, accounts, keys, fee tiers, tokens or bans can be added.',
  }),
  UNKNOWN_RULES_VERSION: invalid({
    en: 'This software does not know that version of the rules.',
    tr: 'Bu yazılım, istenen kural sürümünü tanımıyor.',
    docs: 'An operator asked for a rules version that this release lacks.',
  }),
} as const satisfies Record<Exclude<CoreReason, keyof typeof ADMINISTRATION_CATALOGUE>, ReasonEntry>
