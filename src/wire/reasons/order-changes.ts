/** Why an open order is not changed as its owner asks. */
import { invalid, type PublicReasonEntry } from './entry.ts'

export const ORDER_CHANGE_CATALOGUE = {
  ORDER_NOT_AMENDABLE: invalid({
    ccxt: 'InvalidOrder',
    en: 'The order waits for its trigger, and cannot be amended: cancel it, or replace it.',
    tr: 'Emir tetiklenmeyi bekliyor ve değiştirilemez: iptal edin veya yerine yenisini verin.',
    when: 'the order to amend does not rest in the book',
    remedy: 'cancel it and place another one, or replace it (`order/cancelReplace`)',
  }),
  AMENDED_QUANTITY_TOO_LARGE: invalid({
    ccxt: 'InvalidOrder',
    en: "The new quantity is above the order's own (parameter newQty): an order is amended downwards only.",
    tr: 'Yeni miktar, emrin miktarının üzerinde (newQty parametresi): bir emrin miktarı yalnızca azaltılabilir.',
    when: '`newQty` is more than the quantity that the order has',
    remedy: 'place another order for what is missing',
  }),
  AMENDED_QUANTITY_TOO_SMALL: invalid({
    ccxt: 'InvalidOrder',
    en: "The new quantity is not above what was executed or prevented of the order, or is below the symbol's smallest quantity or total (parameter newQty).",
    tr: 'Yeni miktar, emrin gerçekleşen ya da önlenen miktarının üzerinde değil veya sembolün en küçük miktarının ya da tutarının altında (newQty parametresi).',
    when: "`newQty` leaves nothing of the order to be traded, or is below a new order's minima",
    remedy: 'cancel the order, or ask for more',
  }),
  AMENDED_QUANTITY_TOO_PRECISE: invalid({
    ccxt: 'InvalidOrder',
    en: "The new quantity has more decimals than quantities of the order's symbol, or is larger than any of its orders (parameter newQty).",
    tr: 'Yeni miktar, emrin sembolündeki miktarlardan daha fazla ondalık basamak içeriyor veya verilebilecek her emirden büyük (newQty parametresi).',
    when: "`newQty` has more decimals than quantities of the order's symbol, or is more than an order can have",
    remedy: 'round it to the decimals of `stepSize`',
  }),
  CANCEL_REPLACE_PARTLY_DONE: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'Only one of the two was done: the cancel or the new order; data says which.',
      tr: 'İkisinden yalnızca biri yapıldı: iptal ya da yeni emir; hangisi olduğunu data söyler.',
      when: 'of a replacement the order was canceled and the new one refused, or the other way round; `data` has the answer of each',
      remedy: 'look at `newOrderResult`: an order that was placed stands',
    },
    { status: 409 },
  ),
  CANCEL_RESTRICTED: invalid({
    ccxt: 'OperationRejected',
    en: 'The order is not in the state in which it may be replaced (parameter cancelRestrictions).',
    tr: 'Emir, değiştirilebileceği durumda değil (cancelRestrictions parametresi).',
    when: 'something of the order to replace was executed, and only one that is NEW is to be canceled; or the other way round',
    remedy: 'look at the order, and decide again',
  }),
} as const satisfies Record<string, PublicReasonEntry>
