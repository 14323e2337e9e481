/** Reasons why a requested change of an open order is refused. */
import { invalid, type PublicReasonEntry } from './entry.ts'

export const ORDER_CHANGE_CATALOGUE = {
  ORDER_NOT_AMENDABLE: invalid({
    ccxt: 'InvalidOrder',
    requests: ['AMENDMENT'],
    en: 'An order that waits for its trigger cannot be amended: cancel or replace it.',
    tr: 'Tetiklenmeyi bekleyen bir emir değiştirilemez: iptal edin veya yerine yenisini verin.',
    when: 'the order does not rest in the book',
    remedy: 'cancel it and place a new order, or replace it (`order/cancelReplace`)',
  }),
  AMENDED_QUANTITY_TOO_LARGE: invalid({
    ccxt: 'InvalidOrder',
    requests: ['AMENDMENT'],
    en: "The new quantity is larger than the order's quantity (parameter newQty): an amendment can only reduce it.",
    tr: 'Yeni miktar, emrin miktarının üzerinde (newQty parametresi): bir emrin miktarı yalnızca azaltılabilir.',
    when: '`newQty` is larger than the quantity of the order',
    remedy: 'place a second order for the difference',
  }),
  AMENDED_QUANTITY_TOO_SMALL: invalid({
    ccxt: 'InvalidOrder',
    requests: ['AMENDMENT'],
    en: "The new quantity does not exceed the executed or prevented quantity of the order, or is below the symbol's smallest quantity or total (parameter newQty).",
    tr: 'Yeni miktar, emrin gerçekleşen veya önlenen miktarını aşmıyor ya da sembolün en küçük miktarının veya tutarının altında (newQty parametresi).',
    when: '`newQty` would leave nothing to trade, or is below the minima of a new order',
    remedy: 'cancel the order, or use a larger `newQty`',
  }),
  AMENDED_QUANTITY_TOO_PRECISE: invalid({
    ccxt: 'InvalidOrder',
    requests: ['AMENDMENT'],
    en: 'The new quantity has too many decimals for the symbol, or is larger than any order can be (parameter newQty).',
    tr: 'Yeni miktarın ondalık basamağı sembol için fazla veya miktar verilebilecek en büyük emirden büyük (newQty parametresi).',
    when: '`newQty` has more decimals than quantities of the symbol, or is larger than the largest possible order',
    remedy: 'round it to the decimals of `stepSize`',
  }),
  CANCEL_REPLACE_PARTLY_DONE: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'Only the cancel or only the new order was carried out; data shows which.',
      tr: 'Yalnızca iptal veya yalnızca yeni emir gerçekleşti; hangisi olduğu data alanında.',
      when: 'in a replacement, the order was canceled and the new one refused, or the other way round; `data` has both answers',
      remedy: 'check `newOrderResult`: an order that was placed remains',
    },
    { status: 409 },
  ),
  CANCEL_RESTRICTED: invalid({
    ccxt: 'OperationRejected',
    en: 'The order is not in the state that cancelRestrictions requires (parameter cancelRestrictions).',
    tr: 'Emir, istenen durumda değil (cancelRestrictions parametresi).',
    when: 'the order to replace was partially executed and only a NEW one may be canceled, or the other way round',
    remedy: 'check the order, and decide again',
  }),
} as const satisfies Record<string, PublicReasonEntry>
