/**
 * The core's refusals that a trader's command can meet.
 */
import { invalid, type PublicReasonEntry, unavailable } from './entry.ts'

export const CORE_CATALOGUE = {
  INTERNAL_ERROR: unavailable(
    {
      en: 'Internal error; please quote {id} when you report it.',
      tr: 'Sistemde beklenmeyen bir hata oluştu; bildirirken lütfen {id} kimliğini belirtin.',
      when: 'a bug of the service; the request was not carried out',
      remedy: 'report the id in the message',
    },
    { status: 500, at: ['http', 'admin'], refuses: 'EVERYBODY' },
  ),
  UNKNOWN_ASSET: invalid(
    {
      en: 'Unknown asset: the code given is not that of a listed asset (parameter code).',
      tr: 'Bilinmeyen varlık: verilen kod listelenen bir varlığa ait değil (code parametresi).',
      when: 'the asset is not listed',
      remedy: 'use a code from the balances',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  UNKNOWN_SYMBOL: invalid(
    {
      en: 'Unknown symbol: the value given is not a listed symbol; symbols are written BASE/QUOTE, with the slash (parameter symbol).',
      tr: 'Bilinmeyen sembol: verilen değer listelenen bir sembol değil; semboller eğik çizgiyle, BASE/QUOTE biçiminde yazılır (symbol parametresi).',
      when: 'the symbol is not listed; on the stream also the one to leave',
      remedy: 'write it as in exchange information',
    },
    { at: ['http', 'stream', 'admin'], adminStatus: 404 },
  ),
  UNKNOWN_ACCOUNT: invalid(
    {
      en: 'There is no such account.',
      tr: 'Böyle bir hesap yok.',
      when: 'the account does not exist or may not trade',
      remedy: 'ask the operator',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  UNKNOWN_ORDER: invalid(
    {
      en: 'There is no such order of yours. What is to be canceled or changed must also be open.',
      tr: 'Böyle bir emriniz yok. İptal edilecek ya da değiştirilecek emrin ayrıca açık olması gerekir.',
      when: 'the order is unknown or not yours; to be canceled or changed, also one that has ended',
      remedy: 'look at open orders and history',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  INVALID_COMMAND: invalid(
    {
      en: 'A value in the request is outside its allowed range.',
      tr: 'İstekteki bir değer izin verilen aralığın dışında.',
      when: "a value passed the form's checks and is outside what the exchange works with",
      remedy: 'report it with the request',
    },
    { at: ['http', 'admin'] },
  ),
  SYMBOL_HALTED: unavailable(
    {
      en: 'Trading in this symbol is halted; orders can still be canceled.',
      tr: 'Bu sembolde işlemler durduruldu; emirler yine de iptal edilebilir.',
      when: 'the operator has halted the symbol; cancelling works',
      remedy: 'wait until it trades again',
    },
    { refuses: 'SOME' },
  ),
  ASSET_NOT_TRADABLE: invalid({
    en: 'One of the assets of this symbol is closed to trading.',
    tr: 'Bu sembolün varlıklarından biri işleme kapalı.',
    when: 'the base or quote asset is closed to trading (`isTrade`)',
    remedy: 'wait for the operator',
  }),
  INSUFFICIENT_FUNDS: invalid(
    {
      en: 'The free balance is not enough.',
      tr: 'Serbest bakiye yetersiz.',
      when: '`free` is less than the order needs',
      remedy: 'order less, cancel another order, deposit',
    },
    { at: ['http', 'admin'] },
  ),
  QUANTITY_TOO_SMALL: invalid({
    en: 'The quantity is below the smallest quantity of this symbol{detail} (parameter quantity).',
    tr: 'Miktar, bu sembolün en küçük işlem miktarının altında{detail} (quantity parametresi).',
    when: "below the symbol's smallest quantity",
    remedy: 'order more',
  }),
  PRICE_NOT_ON_TICK: invalid({
    en: "A price is not a multiple of the symbol's tick size{detail} (parameter price or stopPrice).",
    tr: 'Bir fiyat, sembolün fiyat adımının katı değil{detail} (price veya stopPrice parametresi).',
    when: "a price of the order is no multiple of the symbol's tick size, which the operator may have changed",
    remedy: 'round it to `tickSize`',
  }),
  QUANTITY_NOT_ON_STEP: invalid({
    en: "The quantity is not a multiple of the symbol's step size{detail} (parameter quantity, icebergQty or newQty).",
    tr: 'Miktar, sembolün miktar adımının katı değil{detail} (quantity, icebergQty veya newQty parametresi).',
    when: "a quantity of the order is no multiple of the symbol's step size, which the operator may have changed",
    remedy: 'round it to `stepSize`',
  }),
  TOTAL_TOO_SMALL: invalid({
    en: 'The total (price x quantity) is below the smallest total of this symbol{detail}.',
    tr: 'Toplam tutar (fiyat x miktar), bu sembolün en küçük işlem tutarının altında{detail}.',
    when: "price x quantity, or a MARKET order's total, is below the symbol's smallest total or one ledger unit",
    remedy: 'order more',
  }),
  TOTAL_MISMATCH: invalid({
    en: 'The total is not price x quantity{detail} (parameter total).',
    tr: 'Toplam tutar, fiyat x miktar çarpımına eşit değil{detail} (total parametresi).',
    when: 'the `total` of a LIMIT order is not price x quantity',
    remedy: 'leave `total` out',
  }),
  TOO_MANY_OPEN_ORDERS: invalid({
    en: 'You have too many open orders in this symbol{detail}; cancel some of them first.',
    tr: 'Bu sembolde çok fazla açık emriniz var{detail}; önce bir kısmını iptal edin.',
    when: 'your account has as many open orders in the symbol as it may have',
    remedy: 'cancel some',
  }),
  TOO_MANY_PRICE_LEVELS: invalid({
    en: 'The order book has no room for another price on this side{detail}.',
    tr: 'Emir defterinin bu tarafında yeni bir fiyata yer kalmadı{detail}.',
    when: 'this side of the book has as many prices as it may have',
    remedy: 'use a price that exists already',
  }),
  NO_LIQUIDITY: invalid({
    en: 'The order book has nothing to trade with.',
    tr: 'Emir defterinde eşleşecek bir emir yok.',
    when: 'a MARKET order found nothing to trade with',
    remedy: 'try later, or use LIMIT',
  }),
  TOTAL_BELOW_BEST_PRICE: invalid({
    en: 'The total is too small for even the smallest quantity at the best price.',
    tr: 'Toplam tutar, en iyi fiyattan en küçük miktar için bile yetersiz.',
    when: "a MARKET order's total does not reach for the smallest quantity at the best price",
    remedy: 'raise the total',
  }),
  SELF_TRADE_PREVENTED: invalid({
    en: 'The order could only have traded with your own orders.',
    tr: 'Emir yalnızca kendi emirlerinizle eşleşebilirdi.',
    when: "a MARKET order met its own account's order and may not trade with it; nothing was changed",
    remedy: 'cancel your resting order, or choose another mode',
  }),
  ACCOUNT_RESTRICTED: invalid(
    {
      en: 'The account is not allowed to do this; please contact support.',
      tr: 'Hesabın bu işlemi yapmasına izin verilmiyor; lütfen destek ile iletişime geçin.',
      when: 'the operator has forbidden the account to trade (or to withdraw); cancelling works',
      remedy: 'ask the operator',
    },
    { at: ['http', 'admin'] },
  ),
  ACCOUNT_CLOSED: invalid(
    {
      en: 'The account is closed.',
      tr: 'Hesap kapatılmış.',
      when: 'the account is closed',
      remedy: 'ask the operator',
    },
    { at: ['http', 'admin'] },
  ),
  SYMBOL_CANCEL_ONLY: unavailable(
    {
      en: 'Only cancelling is possible in this symbol now.',
      tr: 'Bu sembolde şu anda yalnızca emir iptali yapılabilir.',
      when: 'the operator winds the symbol down; cancelling works',
      remedy: 'cancel what you do not want to keep',
    },
    { refuses: 'SOME' },
  ),
  EXCHANGE_CANCEL_ONLY: unavailable(
    {
      en: 'Only cancelling is possible now, in all symbols.',
      tr: 'Şu anda tüm sembollerde yalnızca emir iptali yapılabilir.',
      when: 'the operator has stopped trading in all symbols; cancelling works; where it is planned, `Retry-After` says when trading goes on',
      remedy: 'cancel what you do not want to keep; look at `exchange` in exchangeInfo/rules',
    },
    { refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  EXCHANGE_CLOSED: unavailable(
    {
      en: 'The exchange is closed: no order is taken, and none is canceled.',
      tr: 'Borsa kapalı: emir alınmıyor ve iptal edilmiyor.',
      when: 'the operator has closed the exchange, for maintenance say; where it is planned, `Retry-After` says when it goes on',
      remedy: 'wait; look at `exchange` in exchangeInfo/rules',
    },
    { refuses: 'EVERYBODY_BY_A_WORD' },
  ),
  SYMBOL_DELISTED: invalid(
    {
      en: 'The symbol is not traded any more.',
      tr: 'Bu sembol artık işlem görmüyor.',
      when: 'the symbol is not traded any more',
      remedy: 'read exchange information again',
    },
    { at: ['http', 'admin'] },
  ),
  PRICE_OUT_OF_BAND: invalid({
    en: 'The price is outside of the range that this symbol trades in{detail} (parameter price).',
    tr: 'Fiyat, bu sembolün işlem gördüğü aralığın dışında{detail} (price parametresi).',
    when: "a LIMIT order's price is outside of the range that the operator has set for the symbol",
    remedy: 'choose a price inside',
  }),
  RULES_VERSION_TOO_LOW: invalid(
    {
      en: 'This needs a newer version of the rules; an operator raises it with `bourse admin rules set`.',
      tr: 'Bunun için daha yeni bir kural sürümü gerekir; işletmeci onu `bourse admin rules set` ile yükseltir.',
      when: 'the exchange still runs under rules that the release before could read, and they do not have this command',
      remedy: 'ask the operator, who raises them: `bourse admin rules set`',
    },
    { at: ['http', 'admin'] },
  ),
  FOK_NOT_FILLABLE: invalid({
    en: 'The book cannot fill this FOK order in full at once; nothing was executed.',
    tr: 'Emir defteri bu FOK emrinin tamamını bir anda karşılayamıyor; hiçbir işlem gerçekleşmedi.',
    when: 'the book does not hold the whole quantity of a FOK order at its price or better, or an own order is in the way',
    remedy: 'order less, at another price, or with IOC',
  }),
  LIMIT_MAKER_WOULD_TAKE: invalid({
    en: 'A LIMIT_MAKER order at this price would trade at once; nothing was executed.',
    tr: 'Bu fiyattan bir LIMIT_MAKER emri hemen işleme girerdi; hiçbir işlem gerçekleşmedi.',
    when: 'a LIMIT_MAKER order would meet an order of the other side, an own one too',
    remedy: 'choose a price that does not reach the other side, or use LIMIT',
  }),
  DUPLICATE_CLIENT_ORDER_ID: invalid({
    en: 'Your account has placed another order under this client order id (parameter newClientOrderId).',
    tr: 'Hesabınız bu müşteri emir kimliğiyle başka bir emir vermiş (newClientOrderId parametresi).',
    when: 'the client order id stands for an order of your account that asked for something else, open or ended less than 24 hours ago',
    remedy: 'send the very same order to learn what became of it, or choose another id',
  }),
  TOO_MANY_CLIENT_ORDER_IDS: invalid(
    {
      en: 'No more client order ids can be remembered{detail} (parameter newClientOrderId).',
      tr: 'Daha fazla müşteri emir kimliği saklanamıyor{detail} (newClientOrderId parametresi).',
      when: 'your account, or all accounts together, have as many client order ids of open orders and of those of the last 24 hours as are remembered',
      remedy: 'place orders without an id, or wait until older ones are forgotten',
    },
    { refuses: 'EVERYBODY' },
  ),
  ICEBERG_QUANTITY_TOO_SMALL: invalid({
    en: 'The part of the order that is to be shown is too small{detail} (parameter icebergQty).',
    tr: 'Emrin gösterilecek kısmı çok küçük{detail} (icebergQty parametresi).',
    when: "`icebergQty` is below the symbol's smallest quantity, or below its smallest total at the order's price, or less than 1/100 of `quantity`",
    remedy: 'show more, or leave `icebergQty` out',
  }),
  ICEBERG_QUANTITY_TOO_LARGE: invalid({
    en: 'The part of the order that is to be shown is larger than the order{detail} (parameter icebergQty).',
    tr: 'Emrin gösterilecek kısmı emrin kendisinden büyük{detail} (icebergQty parametresi).',
    when: '`icebergQty` is above `quantity`',
    remedy: 'show less, or leave `icebergQty` out',
  }),
  UNKNOWN_ORDER_LIST: invalid({
    en: 'There is no such order list of yours. To be canceled it must also have an open order.',
    tr: 'Böyle bir emir listeniz yok. İptal edilecek listenin ayrıca açık bir emri olması gerekir.',
    when: 'the order list asked for or to cancel is unknown or not yours; to cancel, also one of which no order is open',
    remedy: 'look at open orders and history',
  }),
  LIST_PRICES_CROSSED: invalid({
    en: 'The above order must have a higher price than the below order, and the last price of an OCO list must lie between the two; of an order with a stop price, that price counts.',
    tr: 'Üstteki (above) emrin fiyatı alttakinden (below) yüksek olmalı, OCO listesinde son fiyat ikisinin arasında kalmalıdır; stop fiyatlı emirde stop fiyatı geçerlidir.',
    when: 'the two orders of an OCO pair do not stand apart, or not on both sides of the last price',
    remedy: 'put the last price between the two',
  }),
  STOP_PRICE_REACHED: invalid({
    en: 'The last trade has reached this stop price already{detail} (parameter stopPrice): the order would be triggered at once.',
    tr: 'Son işlem bu tetik fiyatına zaten ulaştı{detail} (stopPrice parametresi): emir hemen tetiklenirdi.',
    when: 'an order that waits for its trigger would be triggered at once by the last price',
    remedy: 'choose a stop price that the market has still to reach, or place the order without one',
  }),
  EXPIRE_TIME_PASSED: invalid({
    en: 'The order would have ended already{detail} (parameter expireTime).',
    tr: 'Emir çoktan sona ermiş olurdu{detail} (expireTime parametresi).',
    when: 'the time at which a GTD order ends is not later than the moment when it is carried out',
    remedy: 'compare your clock with `GET /api/v3/time`, and name a later time, in milliseconds',
  }),
  EXPIRE_TIME_TOO_FAR: invalid({
    en: 'The order would end later than an order may{detail} (parameter expireTime).',
    tr: 'Emir, izin verilenden daha geç sona ererdi{detail} (expireTime parametresi).',
    when: 'a GTD order would end more than 3,650 days ahead',
    remedy: 'name an earlier time, in milliseconds and not in smaller units, or use GTC',
  }),
  TOO_MANY_MASS_CANCELS: invalid({
    en: 'Too many of your mass cancels are under way{detail}.',
    tr: 'Devam eden toplu iptalleriniz çok fazla{detail}.',
    when: 'as many cancels of all orders of your account are still under way as may be',
    remedy: 'wait until one of them is done, or cancel in all symbols at once',
  }),
  TOO_MANY_COUNTDOWNS: invalid({
    en: 'Your account has too many countdowns{detail}.',
    tr: 'Hesabınızda çok fazla geri sayım var{detail}.',
    when: 'your account has as many countdowns as it may have',
    remedy: 'switch one of them off, or set one for all symbols',
  }),
  UNKNOWN_SESSION: invalid(
    {
      en: 'Your key has no such session, or its time is over (parameter session).',
      tr: 'Anahtarınızın böyle bir oturumu yok veya süresi dolmuş (session parametresi).',
      when: 'the [session](order-entry.md#cancel-on-disconnect) that a login names is unknown, of another key, or was without a connection for longer than its `graceMs`; or an order comes over a login whose session another one has taken, and which has no connection now',
      remedy: 'look at your open orders, and log in without `session` to open a new one',
    },
    { at: ['stream'] },
  ),
  TOO_MANY_SESSIONS: invalid(
    {
      en: 'Your account, or all accounts together, have too many sessions{detail}.',
      tr: 'Hesabınızın veya tüm hesapların toplam oturum sayısı çok fazla{detail}.',
      when: 'your account, or all accounts together, have as many [sessions](order-entry.md#cancel-on-disconnect) as they may have',
      remedy: 'name the `session` that you had before, or wait until those without a connection have ended',
    },
    { at: ['stream'] },
  ),
} as const satisfies Record<string, PublicReasonEntry>
