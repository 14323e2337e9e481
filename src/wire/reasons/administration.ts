/**
 * The public face of the core's refusals that follow from what operators set: of accounts, listings and money on its
 * way.
 */
import type { CoreReason } from '../../units/reasons.ts'
import { invalid, type ReasonEntry, unavailable } from './entry.ts'

export const ADMINISTRATION_CATALOGUE = {
  ACCOUNT_RESTRICTED: invalid({
    en: 'The account is not allowed to do this; please contact support.',
    tr: 'Hesabın bu işlemi yapmasına izin verilmiyor; lütfen destek ile iletişime geçin.',
    docs: 'The operator has forbidden the account to trade or to withdraw. Open orders can still be cancelled.',
  }),
  ACCOUNT_CLOSED: invalid({
    en: 'The account is closed.',
    tr: 'Hesap kapatılmış.',
    docs: 'The account has been closed for good.',
  }),
  ACCOUNT_NOT_EMPTY: invalid({
    en: 'The account still holds money or has open orders.',
    tr: 'Hesapta hâlâ bakiye veya açık emir var.',
    docs: 'An account is closed only when it holds no money and has no open order.',
  }),
  SYMBOL_CANCEL_ONLY: unavailable({
    en: 'Only cancelling is possible in this symbol now.',
    tr: 'Bu sembolde şu anda yalnızca emir iptali yapılabilir.',
    docs: 'The operator winds the symbol down: no new order is taken, open ones can be cancelled.',
  }),
  SYMBOL_DELISTED: invalid({
    en: 'The symbol is not traded any more.',
    tr: 'Bu sembol artık işlem görmüyor.',
    docs: 'The symbol has been delisted. Its trade history can still be read.',
  }),
  SYMBOL_NOT_EMPTY: invalid({
    en: 'The symbol still has open orders.',
    tr: 'Sembolde hâlâ açık emirler var.',
    docs: 'A symbol is delisted only when its book is empty.',
  }),
  PRICE_OUT_OF_BAND: invalid({
    en: 'The price is outside of the range that this symbol trades in{detail} (parameter price).',
    tr: 'Fiyat, bu sembolün işlem gördüğü aralığın dışında{detail} (price parametresi).',
    docs: 'The operator has set the lowest and the highest price of the symbol.',
  }),
  ASSET_NOT_WITHDRAWABLE: invalid({
    en: 'The asset cannot be withdrawn now.',
    tr: 'Bu varlık şu anda çekilemez.',
    docs: 'Withdrawals of the asset are switched off.',
  }),
  ASSET_NOT_SAVABLE: invalid({
    en: 'The asset cannot be moved into savings.',
    tr: 'Bu varlık birikime aktarılamaz.',
    docs: 'Savings of the asset are switched off; what is there can be taken out.',
  }),
  CREDIT_LIMIT: invalid({
    en: 'The amount exceeds what one credit of this asset may bring{detail}.',
    tr: 'Tutar, bu varlık için tek bir yatırma işleminin sınırını aşıyor{detail}.',
    docs: 'An operator’s credit is larger than the asset allows.',
  }),
  UNKNOWN_WITHDRAWAL: invalid({
    en: 'There is no withdrawal with this reference.',
    tr: 'Bu referansa sahip bir çekim yok.',
    docs: 'An operator’s command named a withdrawal that was never held.',
  }),
  WITHDRAWAL_FINISHED: invalid({
    en: 'The withdrawal is finished: it was completed or canceled before.',
    tr: 'Çekim sonuçlanmış: daha önce tamamlanmış veya iptal edilmiş.',
    docs: 'A completed withdrawal cannot be canceled, nor a canceled one completed.',
  }),
  API_KEY_REVOKED: invalid({
    en: 'The API key is revoked for good.',
    tr: 'API anahtarı kalıcı olarak iptal edilmiş.',
    docs: 'An operator’s command would have changed a revoked key.',
  }),
  UNKNOWN_FEE_TIER: invalid({
    en: 'There is no such fee tier.',
    tr: 'Böyle bir komisyon kademesi yok.',
    docs: 'An operator’s command named a fee tier that does not exist.',
  }),
  UNKNOWN_TOKEN: invalid({
    en: 'There is no token of this name.',
    tr: 'Bu ada sahip bir belirteç yok.',
    docs: 'An operator’s command named a token that does not exist.',
  }),
  TOKEN_EXISTS: invalid({
    en: 'A token of this name exists already, or did.',
    tr: 'Bu ada sahip bir belirteç zaten var veya daha önce vardı.',
    docs: 'A token’s name is used once, so that the audit trail names one holder.',
  }),
  UNKNOWN_APPROVAL: invalid({
    en: 'Nothing waits for approval under this reference.',
    tr: 'Bu referansla onay bekleyen bir işlem yok.',
    docs: 'Never asked for, or done, rejected or expired.',
  }),
  SELF_APPROVAL: invalid({
    en: 'Somebody else than who asked for it must approve it.',
    tr: 'İşlemi, onu isteyen kişiden başka biri onaylamalıdır.',
    docs: 'Two people are needed for this amount.',
  }),
  TOO_MANY_PENDING: invalid({
    en: 'Too many withdrawals or approvals are waiting{detail}.',
    tr: 'Bekleyen çok fazla çekim veya onay var{detail}.',
    docs: 'Finish some of those that wait first.',
  }),
  ASSET_NOT_DEPOSITABLE: invalid({
    en: 'The asset cannot be deposited now.',
    tr: 'Bu varlık şu anda yatırılamaz.',
    docs: 'Deposits of the asset are switched off.',
  }),
  NAMED_TOKEN_NEEDED: invalid(
    {
      en: 'This amount takes two people, each with a named token; the node’s own token is nobody’s. Make one with: bourse admin token add <name> --role OPERATOR, and use it as BOURSE_ADMIN_TOKEN.',
      tr: 'Bu tutar, her biri adına belirteç tanımlanmış iki kişi gerektirir; düğümün kendi belirteci kimseye ait değildir. Belirteç oluşturmak için: bourse admin token add <ad> --role OPERATOR; ardından BOURSE_ADMIN_TOKEN olarak kullanın.',
      docs: 'What is above an asset’s approval threshold is asked for and approved with named tokens alone.',
    },
    403,
  ),
  TOKEN_TOO_NEW: invalid(
    {
      en: 'The token was made after this was asked for: a token approves only what was asked for later than it was made.',
      tr: 'Belirteç, bu istekten sonra oluşturulmuş: bir belirteç yalnızca kendisinden sonra istenenleri onaylayabilir.',
      docs: 'Else whoever asks could make the second person afterwards. Reject the request and ask again.',
    },
    403,
  ),
  RULES_VERSION_TOO_LOW: invalid({
    en: 'This needs a newer version of the rules; an operator raises it with `bourse admin rules set`.',
    tr: 'Bunun için daha yeni bir kural sürümü gerekir; işletmeci onu `bourse admin rules set` ile yükseltir.',
    docs: 'The exchange still runs under rules that the release before could read, and they do not have this command.',
  }),
} as const satisfies Partial<Record<CoreReason, ReasonEntry>>
