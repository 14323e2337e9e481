/**
 * Reasons why a withdrawal requested by a trader is refused (docs/reference/withdrawals.md); some apply to
 * operators too.
 */
import { invalid, type PublicReasonEntry, unavailable } from './entry.ts'

export const WITHDRAWAL_CATALOGUE = {
  ASSET_NOT_WITHDRAWABLE: unavailable(
    {
      ccxt: 'OperationRejected',
      en: 'The asset cannot be withdrawn now.',
      tr: 'Bu varlık şu anda çekilemez.',
      when: 'withdrawals of the asset are disabled (`isWithdraw`)',
      remedy: 'wait until the operator enables them',
    },
    { at: ['http', 'admin'], adminStatus: 400, refuses: 'SOME' },
  ),
  WITHDRAWAL_TOO_SMALL: invalid({
    ccxt: 'BadRequest',
    en: 'The amount is below the smallest withdrawal of this asset{detail} (parameter amount).',
    tr: 'Tutar, bu varlığın en küçük çekim tutarının altında{detail} (amount parametresi).',
    when: "the amount is below the asset's smallest withdrawal",
    remedy: 'withdraw more',
  }),
  WITHDRAWAL_TOO_LARGE: invalid({
    ccxt: 'BadRequest',
    en: 'The amount is above the largest withdrawal of this asset{detail} (parameter amount).',
    tr: 'Tutar, bu varlığın en büyük çekim tutarının üzerinde{detail} (amount parametresi).',
    when: "the amount is above the asset's largest withdrawal",
    remedy: 'withdraw less, or in several withdrawals',
  }),
  UNKNOWN_WITHDRAWAL_ADDRESS: invalid(
    {
      ccxt: 'InvalidAddress',
      en: "This address, with this tag, is not among the account's withdrawal addresses for the asset (parameters address and addressTag).",
      tr: 'Bu adres, bu etiketle, hesabın bu varlık için çekim adresleri arasında değil (address ve addressTag parametreleri).',
      when: 'the account has no such withdrawal address for the asset and tag',
      remedy: 'add the address, and wait until it is usable',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  WITHDRAWAL_ADDRESS_TOO_NEW: invalid({
    ccxt: 'AddressPending',
    en: 'The address was added too recently; `usableAt` in the list of addresses shows when it can be used.',
    tr: 'Adres çok yeni eklendi; ne zaman kullanılabileceği adres listesindeki `usableAt` alanındadır.',
    when: 'the waiting time of a new address has not passed',
    remedy: 'wait until `usableAt`',
  }),
  TOO_MANY_WITHDRAWAL_ADDRESSES: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'No more withdrawal addresses can be added{detail}.',
      tr: 'Daha fazla çekim adresi eklenemez{detail}.',
      when: 'the limit of withdrawal addresses is reached',
      remedy: 'remove an address',
    },
    { at: ['http', 'admin'] },
  ),
  TOO_MANY_WITHDRAWALS: invalid({
    ccxt: 'OperationRejected',
    en: 'Too many withdrawals are pending or ended recently{detail}.',
    tr: 'Bekleyen veya yakın zamanda sona eren çekimler çok fazla{detail}.',
    when: 'the limit of withdrawals that are pending or ended within 24 hours is reached',
    remedy: 'combine withdrawals, or wait until some are more than 24 hours old',
  }),
  DUPLICATE_WITHDRAW_ORDER_ID: invalid({
    ccxt: 'BadRequest',
    en: 'The account has already used this id for another withdrawal (parameter withdrawOrderId).',
    tr: 'Hesap bu kimliği başka bir çekim için kullanmış (withdrawOrderId parametresi).',
    when: 'the `withdrawOrderId` was used for a withdrawal with another asset, amount or address',
    remedy: 'use a new id for a new withdrawal',
  }),
  UNKNOWN_WITHDRAWAL: invalid(
    {
      ccxt: 'BadRequest',
      en: 'There is no such withdrawal.',
      tr: 'Böyle bir çekim yok.',
      when: 'the withdrawal does not exist, belongs to another account, or ended more than 24 hours ago; for operators: no withdrawal has this reference',
      remedy: 'list your withdrawals',
    },
    { at: ['http', 'admin'], adminStatus: 404 },
  ),
  WITHDRAWAL_FINISHED: invalid(
    {
      ccxt: 'OperationRejected',
      en: 'The withdrawal has already been completed or canceled.',
      tr: 'Çekim daha önce tamamlanmış veya iptal edilmiş.',
      when: 'the request would cancel a completed withdrawal, or complete a canceled one',
      remedy: 'none needed',
    },
    { at: ['http', 'admin'], adminStatus: 409 },
  ),
  WITHDRAWAL_CLAIMED: invalid({
    ccxt: 'OperationRejected',
    en: 'The withdrawal is being paid and can no longer be canceled.',
    tr: 'Çekim ödeniyor; artık iptal edilemez.',
    when: 'an operator has claimed the withdrawal for payment',
    remedy: 'wait until it is completed or refused',
  }),
} as const satisfies Record<string, PublicReasonEntry>
