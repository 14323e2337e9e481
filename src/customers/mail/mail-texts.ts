/** Texts of emails in English and Turkish. A link opens a page; the button on the page uses the token. */
import type { Language } from '../../contract/language.ts'
import type { MailDetails, MailKind } from '../store/records.ts'
import type { CustomersConfig } from '../terms.ts'

export type Mail = { readonly subject: string; readonly text: string }

/** In the fragment, which browsers send to no server, proxy or log. */
export const CONFIRM_FRAGMENT = '#confirm='
export const FREEZE_FRAGMENT = '#freeze='
export const UNFREEZE_FRAGMENT = '#unfreeze='
export const RECOVER_FRAGMENT = '#recover='
export const MAIL_FRAGMENT = '#mail='
export const RESET_FRAGMENT = '#reset='

type Words = { readonly name: string; readonly origin: string; readonly link: string }
type Write = (words: Words) => Mail

const MAILS: { readonly [L in Language]: { readonly [K in MailKind]: Write } } = {
  en: {
    CONFIRM: ({ name, link }) => ({
      subject: `${name}: confirm your email address`,
      text: `Someone, hopefully you, wants to open an account at ${name} with this address.\n\nOpen this page and press its button within 30 minutes:\n${link}\n\nIf it was not you, ignore this email: no account is opened without this link.\n`,
    }),
    HAVE_ACCOUNT: ({ name, origin }) => ({
      subject: `${name}: you have an account`,
      text: `Someone, hopefully you, tried to open an account at ${name} with this address. You already have one. Sign in at\n${origin}\n\nIf it was not you, ignore this email.\n`,
    }),
    FROZEN: ({ name, origin }) => ({
      subject: `${name}: your account is frozen`,
      text: `Your account at ${name} is frozen: trading, withdrawals and API keys are stopped, and all sessions have ended. Open orders stay open.\n\nTo lift the freeze, you need this address and your passkey:\n${origin}\n`,
    }),
    UNFREEZE: ({ name, link }) => ({
      subject: `${name}: lift the freeze on your account`,
      text: `Someone, hopefully you, wants to lift the freeze on your account at ${name}.\n\nOpen this page within 30 minutes, press its button, and use your passkey:\n${link}\n`,
    }),
    UNFROZEN: ({ name }) => ({
      subject: `${name}: the freeze on your account is lifted`,
      text: `The freeze on your account at ${name} is lifted. Withdrawals are possible again in 24 hours.\n`,
    }),
    RECOVER: ({ name, link }) => ({
      subject: `${name}: recover your account`,
      text: `Someone, hopefully you, wants to recover your account at ${name}.\n\nOpen this page within 30 minutes, and enter one of your recovery codes:\n${link}\n\nWithout a recovery code, this email gives no access to your account. If you have no codes left, you can ask the operators on that page.\n`,
    }),
    RECOVERED: ({ name }) => ({
      subject: `${name}: your account is being recovered`,
      text: `Your account at ${name} is being recovered with this address. All sessions have ended, all API keys are revoked, and withdrawals are blocked for 72 hours, or for 7 days if operators helped. A new passkey replaces all other ways to sign in.\n`,
    }),
    FACTORS_CHANGED: ({ name, origin }) => ({
      subject: `${name}: the ways to sign in have changed`,
      text: `A passkey, the password, the authenticator app or the recovery codes of your account at ${name} have changed, and all other sessions have ended. The history of your account shows what changed:\n${origin}\n`,
    }),
    PASSKEY_RENAMED: ({ name, origin }) => ({
      subject: `${name}: a passkey was renamed`,
      text: `A passkey of your account at ${name} was renamed. If it was not you, look at the names before you remove a passkey, and end all other sessions at\n${origin}\n`,
    }),
    APPROVED: ({ name, origin }) => ({
      subject: `${name}: your account is open`,
      text: `Your account at ${name} is approved. Sign in at\n${origin}\n`,
    }),
    REFUSED: ({ name }) => ({
      subject: `${name}: no account was opened`,
      text: `${name} has not opened an account for this address. What you entered has been erased.\n`,
    }),
    MAIL_CHANGE: ({ name, link }) => ({
      subject: `${name}: confirm your new email address`,
      text: `Someone, hopefully you, wants to use this address for an account at ${name}.\n\nSign in, open this page within 30 minutes and press its button:\n${link}\n\nIf it was not you, ignore this email.\n`,
    }),
    MAIL_CHANGE_ASKED: ({ name }) => ({
      subject: `${name}: a change of your email address was requested`,
      text: `Someone, hopefully you, wants to change the email address of your account at ${name}. It changes when the new address is confirmed.\n`,
    }),
    MAIL_CHANGED: ({ name }) => ({
      subject: `${name}: your email address has changed`,
      text: `The email address of your account at ${name} has changed: this one is no longer used. All other sessions have ended, and withdrawals are blocked for 24 hours.\n`,
    }),
    MAIL_BY_OPERATORS: ({ name, origin }) => ({
      subject: `${name}: your email address will change in 7 days`,
      text: `The operators of ${name} were informed that you lost access to this address, and will change the email address of your account in 7 days. If that is wrong, sign in and stop it under Security:\n${origin}\n`,
    }),
    RECOVERY_ASKED: ({ name, origin }) => ({
      subject: `${name}: operators were asked to recover your account`,
      text: `Someone with access to this address, hopefully you, has asked the operators of ${name} to recover your account. They will not decide before 48 hours have passed. If it was not you, sign in and stop it under Security:\n${origin}\n`,
    }),
    RECOVERY_STOPPED: ({ name }) => ({
      subject: `${name}: the recovery of your account was stopped`,
      text: `The requested recovery of your account at ${name}, or change of its email address, was stopped from one of your sessions.\n`,
    }),
    RESET: ({ name, link }) => ({
      subject: `${name}: create a new passkey for your account`,
      text: `The operators of ${name} have agreed to recover your account.\n\nOpen this page within 24 hours, press its button, and create a new passkey. It replaces all other ways to sign in:\n${link}\n`,
    }),
  },
  tr: {
    CONFIRM: ({ name, link }) => ({
      subject: `${name}: e-posta adresinizi onaylayın`,
      text: `Bu adresle bir ${name} hesabı açma isteği aldık.\n\nİstek sizinse 30 dakika içinde şu sayfayı açıp düğmeye basın:\n${link}\n\nSizin değilse bir şey yapmanız gerekmez: bu bağlantı olmadan hesap açılmaz.\n`,
    }),
    HAVE_ACCOUNT: ({ name, origin }) => ({
      subject: `${name}: bir hesabınız var`,
      text: `Bu adresle bir ${name} hesabı açma isteği aldık. Zaten bir hesabınız var. Şuradan giriş yapın:\n${origin}\n\nİstek sizin değilse bir şey yapmanız gerekmez.\n`,
    }),
    FROZEN: ({ name, origin }) => ({
      subject: `${name}: hesabınız donduruldu`,
      text: `${name} hesabınız donduruldu: alım satım, çekim ve API anahtarları durdu, tüm oturumlar sonlandı. Açık emirler açık kalır.\n\nDondurmayı kaldırmak için bu adres ve geçiş anahtarınız gerekir:\n${origin}\n`,
    }),
    UNFREEZE: ({ name, link }) => ({
      subject: `${name}: hesabınızın dondurulmasını kaldırın`,
      text: `${name} hesabınızın dondurulmasını kaldırma isteği aldık.\n\nİstek sizinse 30 dakika içinde şu sayfayı açın, düğmeye basın ve geçiş anahtarınızı kullanın:\n${link}\n`,
    }),
    UNFROZEN: ({ name }) => ({
      subject: `${name}: hesabınızın dondurulması kaldırıldı`,
      text: `${name} hesabınızın dondurulması kaldırıldı. 24 saat sonra çekim yapabilirsiniz.\n`,
    }),
    RECOVER: ({ name, link }) => ({
      subject: `${name}: hesabınızı kurtarın`,
      text: `${name} hesabınızı kurtarma isteği aldık.\n\nİstek sizinse 30 dakika içinde şu sayfayı açıp kurtarma kodlarınızdan birini girin:\n${link}\n\nKurtarma kodu olmadan bu e-posta hesabınıza erişim vermez. Kodunuz kalmadıysa aynı sayfadan operatörlere başvurabilirsiniz.\n`,
    }),
    RECOVERED: ({ name }) => ({
      subject: `${name}: hesabınız kurtarılıyor`,
      text: `${name} hesabınız bu adresle kurtarılıyor. Tüm oturumlar sonlandı, tüm API anahtarları iptal edildi; 72 saat, operatörler yardım ettiyse 7 gün çekim yapılamaz. Yeni bir geçiş anahtarı diğer tüm giriş yollarının yerini alır.\n`,
    }),
    FACTORS_CHANGED: ({ name, origin }) => ({
      subject: `${name}: giriş yollarınız değişti`,
      text: `${name} hesabınızın bir geçiş anahtarı, parolası, doğrulama uygulaması veya kurtarma kodları değişti; diğer tüm oturumlar sonlandı. Neyin değiştiği hesap geçmişinizde:\n${origin}\n`,
    }),
    PASSKEY_RENAMED: ({ name, origin }) => ({
      subject: `${name}: bir geçiş anahtarının adı değişti`,
      text: `${name} hesabınızdaki bir geçiş anahtarının adı değişti. Bunu siz yapmadıysanız bir geçiş anahtarını kaldırmadan önce adlara bakın ve diğer tüm oturumları sonlandırın:\n${origin}\n`,
    }),
    APPROVED: ({ name, origin }) => ({
      subject: `${name}: hesabınız açıldı`,
      text: `${name} hesabınız onaylandı. Şuradan giriş yapın:\n${origin}\n`,
    }),
    REFUSED: ({ name }) => ({
      subject: `${name}: hesap açılmadı`,
      text: `${name} bu adres için hesap açmadı. Girdikleriniz silindi.\n`,
    }),
    MAIL_CHANGE: ({ name, link }) => ({
      subject: `${name}: yeni e-posta adresinizi onaylayın`,
      text: `Bu adresi bir ${name} hesabında kullanma isteği aldık.\n\nİstek sizinse giriş yapın, 30 dakika içinde şu sayfayı açıp düğmeye basın:\n${link}\n\nSizin değilse bir şey yapmanız gerekmez.\n`,
    }),
    MAIL_CHANGE_ASKED: ({ name }) => ({
      subject: `${name}: e-posta adresi değişikliği istendi`,
      text: `${name} hesabınızın e-posta adresini değiştirme isteği aldık. Adres, yenisi onaylanınca değişir.\n`,
    }),
    MAIL_CHANGED: ({ name }) => ({
      subject: `${name}: e-posta adresiniz değişti`,
      text: `${name} hesabınızın e-posta adresi değişti: bu adres artık kullanılmıyor. Diğer tüm oturumlar sonlandı; 24 saat çekim yapılamaz.\n`,
    }),
    MAIL_BY_OPERATORS: ({ name, origin }) => ({
      subject: `${name}: e-posta adresiniz 7 gün sonra değişecek`,
      text: `${name} operatörlerine bu adrese artık erişemediğiniz bildirildi; hesabınızın e-posta adresini 7 gün sonra değiştirecekler. Bu yanlışsa giriş yapıp güvenlik bölümünden durdurun:\n${origin}\n`,
    }),
    RECOVERY_ASKED: ({ name, origin }) => ({
      subject: `${name}: hesabınızın kurtarılması operatörlerden istendi`,
      text: `Bu adrese erişebilen biri, ${name} operatörlerinden hesabınızı kurtarmalarını istedi. Operatörler en erken 48 saat sonra karar verir. İsteyen siz değilseniz giriş yapıp güvenlik bölümünden durdurun:\n${origin}\n`,
    }),
    RECOVERY_STOPPED: ({ name }) => ({
      subject: `${name}: hesabınızın kurtarılması durduruldu`,
      text: `${name} operatörlerinden istenen kurtarma veya e-posta değişikliği, oturumlarınızdan birinden durduruldu.\n`,
    }),
    RESET: ({ name, link }) => ({
      subject: `${name}: hesabınıza yeni bir geçiş anahtarı oluşturun`,
      text: `${name} operatörleri hesabınızın kurtarılmasını kabul etti.\n\n24 saat içinde şu sayfayı açın, düğmesine basın ve yeni bir geçiş anahtarı oluşturun. Bu anahtar diğer tüm giriş yollarının yerini alır:\n${link}\n`,
    }),
  },
}

/** The end of an email about the security of an account. */
const FREEZE_NOTES: { readonly [L in Language]: (link: string) => string } = {
  en: (link) =>
    `\nIf it was not you, freeze your account at once. This link gives no access to your account and needs no sign-in:\n${link}\n`,
  tr: (link) =>
    `\nBunu siz yapmadıysanız hesabınızı hemen dondurun. Bu bağlantı hesabınıza erişim vermez ve giriş gerektirmez:\n${link}\n`,
}

const AGAIN: { readonly [L in Language]: string } = {
  en: 'This email may have reached you before: it is sent again, because its delivery was not confirmed.\n\n',
  tr: 'Bu e-posta size daha önce ulaşmış olabilir: ulaştığı doğrulanamadığı için yeniden gönderildi.\n\n',
}

/** The end of the last email that is sent to a person within an hour. */
const LAST_NOTES: { readonly [L in Language]: string } = {
  en: '\nMany emails about your account were sent to you within an hour. No more will be sent within this hour: the history of your account shows everything.\n',
  tr: '\nBir saat içinde hesabınızla ilgili çok sayıda e-posta gönderildi. Bu saat içinde başka e-posta gönderilmeyecek; olan her şey hesap geçmişinizde.\n',
}

/** `isAgain`: the email may have been sent before. `phrase`: the person's phrase. */
export type MailTerms = { readonly isAgain?: boolean; readonly phrase?: string | undefined }

/** At the beginning of each email to a person who has a phrase. */
const PHRASES: { readonly [L in Language]: (phrase: string) => string } = {
  en: (phrase) => `Your phrase: ${phrase}\n\n`,
  tr: (phrase) => `İfadeniz: ${phrase}\n\n`,
}

export function mailOf(
  mail: MailDetails & { readonly kind: MailKind },
  config: Pick<CustomersConfig, 'name' | 'origin'>,
  { isAgain = false, phrase }: MailTerms = {},
): Mail {
  const { subject, text } = written(mail, config)
  const head = phrase === undefined ? '' : PHRASES[mail.language](phrase)
  return { subject, text: `${head}${isAgain ? AGAIN[mail.language] : ''}${text}` }
}

const FRAGMENTS: { readonly [K in MailKind]?: string } = {
  UNFREEZE: UNFREEZE_FRAGMENT,
  RECOVER: RECOVER_FRAGMENT,
  MAIL_CHANGE: MAIL_FRAGMENT,
  RESET: RESET_FRAGMENT,
}

function written(
  { kind, language, token, freeze, isLast }: MailDetails & { readonly kind: MailKind },
  { name, origin }: Pick<CustomersConfig, 'name' | 'origin'>,
): Mail {
  const fragment = FRAGMENTS[kind] ?? CONFIRM_FRAGMENT
  const { subject, text } = MAILS[language][kind]({ name, origin, link: `${origin}/${fragment}${token}` })
  if (freeze === undefined) return { subject, text }
  const last = isLast === true ? LAST_NOTES[language] : ''
  return { subject, text: `${text}${FREEZE_NOTES[language](`${origin}/${FREEZE_FRAGMENT}${freeze}`)}${last}` }
}
