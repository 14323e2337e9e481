/** Why money is not withdrawn as a trader asks (docs/reference/withdrawals.md); operators meet some of them too. */
import { invalid, type PublicReasonEntry, unavailable } from './entry.ts'

export const WITHDRAWAL_CATALOGUE = {
  ASSET_NOT_WITHDRAWABLE: unavailable(
    {
      ccxt: 'OperationRejected',
      en: 'The asset cannot be withdrawn now.',
      tr: 'Bu varlık şu anda çekilemez.',
      when: 'withdrawals of the asset are switched off (`isWithdraw`)',
      remedy: 'wait until they are switched on',
    },
    { at: ['http', 'admin'], adminStatus: 400, refuses: 'SOME' },
  ),
  WITHDRAWAL_TOO_SMALL: invalid({
    ccxt: 'BadRequest',
    en: 'The amount is below the smallest withdrawal of this asset{detail} (parameter amount).',
    tr: 'Tutar, bu varlığın en küçük çekim tutarının altında{detail} (amount parametresi).',
    when: "less than the asset's smallest withdrawal is asked for",
    remedy: 'ask for more',
  }),
  WITHDRAWAL_TOO_LARGE: invalid({
    ccxt: 'BadRequest',
    en: 'The amount is above the largest withdrawal of this asset{detail} (parameter amount).',
    tr: 'Tutar, bu varlığın en büyük çekim tutarının üzerinde{detail} (amount parametresi).',
    when: "more than the asset's largest withdrawal is asked for",
    remedy: 'ask for less, in several withdrawals',
  }),
  UNKNOWN_WITHDRAWAL_ADDRESS: invalid(
    {
      ccxt: 'InvalidAddress',
      en: 'The address, with this tag, is not among those that the account may withdraw this asset to (parameters address and addressTag).',
      tr: 'Bu etiketle adres, hesabın bu varlığı çekebileceği adresler arasında değil (address ve addressTag parametreleri).',
      when: 'the account does not have the address for this asset, with this tag',
      remedy: 'add it, and wait until it may be used',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  WITHDRAWAL_ADDRESS_TOO_NEW: invalid({
    ccxt: 'AddressPending',
    en: 'The address was added too lately; `usableAt` in the list of addresses says from when on it may be used.',
    tr: 'Adres çok yakın zamanda eklendi; ne zamandan itibaren kullanılabileceğini adres listesindeki `usableAt` söyler.',
    when: 'the delay of a new address is not over',
    remedy: 'wait until its `usableAt`',
  }),
  TOO_MANY_WITHDRAWAL_ADDRESSES: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'No more withdrawal addresses can be kept{detail}.',
      tr: 'Daha fazla çekim adresi tutulamaz{detail}.',
      when: 'as many addresses are kept as may be',
      remedy: 'remove one',
    },
    { at: ['http', 'admin'] },
  ),
  TOO_MANY_WITHDRAWALS: invalid({
    ccxt: 'OperationRejected',
    en: 'Too many withdrawals wait or have ended lately{detail}.',
    tr: 'Çok fazla çekim bekliyor veya yakın zamanda sona erdi{detail}.',
    when: 'as many withdrawals wait, or have ended within 24 hours, as may be',
    remedy: 'withdraw more at once, or wait until some are 24 hours old',
  }),
  DUPLICATE_WITHDRAW_ORDER_ID: invalid({
    ccxt: 'BadRequest',
    en: 'The id stands for another withdrawal of the account (parameter withdrawOrderId).',
    tr: 'Bu kimlik hesabın başka bir çekimine ait (withdrawOrderId parametresi).',
    when: 'the `withdrawOrderId` was used for a withdrawal of another asset, amount or address',
    remedy: 'use a new id for a new withdrawal',
  }),
  UNKNOWN_WITHDRAWAL: invalid(
    {
      ccxt: 'BadRequest',
      en: 'There is no such withdrawal.',
      tr: 'Böyle bir çekim yok.',
      when: 'the withdrawal is unknown, not yours, or ended more than 24 hours ago; for operators: no withdrawal has this reference',
      remedy: 'list your withdrawals',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  WITHDRAWAL_FINISHED: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'The withdrawal is finished: it was completed or canceled before.',
      tr: 'Çekim sona ermiş: daha önce tamamlandı veya iptal edildi.',
      when: 'the withdrawal was completed, and is to be cancelled; or the other way round',
      remedy: 'nothing',
    },
    { at: ['http', 'admin'], adminStatus: 409 },
  ),
  WITHDRAWAL_CLAIMED: invalid({
    ccxt: 'OperationRejected',
    en: 'The withdrawal is being paid and cannot be canceled any more.',
    tr: 'Çekim ödeniyor; artık iptal edilemez.',
    when: 'whoever pays has taken the withdrawal in hand',
    remedy: 'wait until it is completed or refused',
  }),
} as const satisfies Record<string, PublicReasonEntry>
