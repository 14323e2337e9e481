/**
 * Refusals of the customer interface only, under `/account` (docs/reference/account.md). This interface also
 * returns refusals of the trading interface where they apply.
 */
import { type CustomerReasonEntry, refusedPerson } from './entry.ts'

export const CUSTOMERS_CATALOGUE = {
  CUSTOMERS_AWAY: refusedPerson(
    {
      en: 'Sign-in is not available at the moment. Trading is not affected. Please try again.',
      tr: 'Giriş ve hesap işlemleri şu anda kullanılamıyor; alım satım sürüyor. Lütfen yeniden deneyin.',
      when: "the customers process is starting, has stopped, or has too many requests in progress; or the exchange or the customers' store does not answer: in that case a change may have been made",
      remedy: 'try again in a second',
    },
    { status: 503, code: '0014' },
  ),
  CREDENTIALS_WRONG: refusedPerson(
    {
      en: 'These credentials are not valid.',
      tr: 'Bu bilgilerle giriş yapılamıyor.',
      when: 'the credentials of a sign-in are wrong: the answer is the same for an unknown address, a wrong credential and an account that is not open',
      remedy: 'try again, or sign up',
    },
    { status: 401 },
  ),
  ACCOUNT_FROZEN: refusedPerson(
    {
      en: 'The account is frozen.',
      tr: 'Hesap dondurulmuş.',
      when: 'the credentials are right, and the account may not sign in: its owner or an operator has frozen it',
      remedy: 'lift your own freeze with `unfreeze/begin`, or ask the operator',
    },
    { status: 403 },
  ),
  SESSION_NEEDED: refusedPerson(
    {
      en: 'Please sign in first.',
      tr: 'Lütfen önce giriş yapın.',
      when: 'there is no session, it has ended, or it is not allowed to do this',
      remedy: 'sign in',
    },
    { status: 401 },
  ),
  FOREIGN_PAGE: refusedPerson(
    {
      en: 'The request does not come from a page of this exchange.',
      tr: 'İstek bu borsanın bir sayfasından gelmiyor.',
      when: 'a POST has no `Origin` or a foreign one, its `Sec-Fetch-Site` is not `same-origin`, or `X-CSRF-Token` is not the token that belongs to the cookie',
      remedy: 'read `config` first, at the address of the exchange, and send its `csrfToken`',
    },
    { status: 403 },
  ),
  WRONG_ADDRESS: refusedPerson(
    {
      en: 'Accounts can only be opened and used at {origin}.',
      tr: 'Hesaplar yalnızca {origin} adresinde açılabilir ve kullanılabilir.',
      when: 'the request used a host name to which passkeys are not bound',
      remedy: 'open the address in the message',
    },
    { status: 403 },
  ),
  SIGNUP_CLOSED: refusedPerson(
    {
      en: 'No new accounts are opened at the moment.',
      tr: 'Şu anda yeni hesap açılmıyor.',
      when: 'sign-up is closed',
      remedy: 'ask the operator',
    },
    { status: 403 },
  ),
  INVITATION_INVALID: refusedPerson(
    {
      en: 'This invitation is not valid. Please ask for another one.',
      tr: 'Bu davet geçerli değil; lütfen yenisini isteyin.',
      when: 'sign-up is by invitation and there is none, or the invitation does not exist, has ended, was used up, or is for another address',
      remedy: 'ask the operator for an invitation',
    },
    { status: 403 },
  ),
  APPROVAL_AWAITED: refusedPerson(
    {
      en: 'The account waits for approval. You will get an email.',
      tr: 'Hesap onay bekliyor. E-posta alacaksınız.',
      when: 'the credentials are right, and no operator has approved the person yet',
      remedy: 'wait for the email',
    },
    { status: 403 },
  ),
  TERMS_CHANGED: refusedPerson(
    {
      en: 'The terms have changed; please read version {version} and agree to it.',
      tr: 'Koşullar değişti; lütfen {version} sürümünü okuyup onaylayın.',
      when: '`termsVersion` is not the one of `config`',
      remedy: 'show the terms again, and send their version',
    },
    { status: 409 },
  ),
  LINK_INVALID: refusedPerson(
    {
      en: 'This link is no longer valid. Please request a new one.',
      tr: 'Bu bağlantı artık geçerli değil; lütfen yeni bir bağlantı isteyin.',
      when: 'the token of the email was used, has expired, or does not exist',
      remedy: 'start again',
    },
    { status: 400 },
  ),
  CHALLENGE_EXPIRED: refusedPerson(
    {
      en: 'This took too long, or was started in another window. Please start again.',
      tr: 'Bu işlem çok uzun sürdü veya başka bir pencerede başlatıldı; lütfen yeniden başlayın.',
      when: 'the challenge was used, is older than 5 minutes, or belongs to another session',
      remedy: 'start again',
    },
    { status: 400 },
  ),
  PASSKEY_REFUSED: refusedPerson(
    {
      en: 'The passkey could not be verified.',
      tr: 'Geçiş anahtarı doğrulanamadı.',
      when: 'an attestation does not match the challenge, the address or the requirements, or the passkey is already registered',
      remedy: 'try again with another passkey',
    },
    { status: 400 },
  ),
  STEP_UP_NEEDED: refusedPerson(
    {
      en: 'Please confirm this with your passkey first.',
      tr: 'Lütfen bunu önce geçiş anahtarınızla onaylayın.',
      when: 'the operation needs a [step-up](account.md#step-up), and `X-Step-Up` is missing, was used, is older than a minute, or belongs to another session, operation or values',
      remedy:
        'call `step-up/begin` with the operation and its values, then `step-up/finish`, and send its `stepUp`',
    },
    { status: 403 },
  ),
  STEP_UP_REFUSED: refusedPerson(
    {
      en: 'This could not be confirmed: the credential is wrong.',
      tr: 'Onaylanamadı: kimlik bilgisi yanlış.',
      when: 'the credential of `step-up/finish` does not belong to the person, or does not match the challenge',
      remedy: 'begin the step-up again, with a credential of the same account',
    },
    { status: 403 },
  ),
  NO_SUCH_PASSKEY: refusedPerson(
    {
      en: 'This account has no such passkey.',
      tr: 'Bu hesapta böyle bir geçiş anahtarı yok.',
      when: 'the account has no passkey with this id',
      remedy: 'read `me` again',
    },
    { status: 404 },
  ),
  LAST_FACTOR: refusedPerson(
    {
      en: 'This is the only way to sign in to your account. Add another one first.',
      tr: 'Hesabınıza giriş yapmanın tek yolu bu. Önce bir başkasını ekleyin.',
      when: 'no credential to sign in with would remain',
      remedy: 'add a passkey first',
    },
    { status: 409 },
  ),
  TOO_MANY_PASSKEYS: refusedPerson(
    {
      en: 'An account has at most {max} passkeys. Remove one first.',
      tr: 'Bir hesapta en çok {max} geçiş anahtarı olabilir. Önce birini kaldırın.',
      when: 'the account has the maximum number of passkeys',
      remedy: 'remove one first',
    },
    { status: 409 },
  ),
  PASSWORD_COMMON: refusedPerson(
    {
      en: 'This password is easy to guess. Please choose another one.',
      tr: 'Bu parola kolay tahmin edilir; lütfen başka bir parola seçin.',
      when: 'the password is made of common words, a repetition or a keyboard row, or is close to the email address or the name of the exchange',
      remedy: 'choose another one, for example four unrelated words',
    },
    { status: 400 },
  ),
  PASSWORD_NEEDED: refusedPerson(
    {
      en: 'Please set a password first.',
      tr: 'Lütfen önce bir parola belirleyin.',
      when: 'an account is to be opened with an authenticator app, and no password was set',
      remedy: 'call `password/set` first',
    },
    { status: 409 },
  ),
  CODE_WRONG: refusedPerson(
    {
      en: 'This code is wrong.',
      tr: 'Bu kod yanlış.',
      when: 'the code of `totp/finish` is not a current code of the new secret',
      remedy: 'send the code that the app shows now, and check the clock of its device',
    },
    { status: 400 },
  ),
  TOO_MANY_FAILURES: refusedPerson(
    {
      en: 'Too many failed attempts. Please try again in a few minutes, or use a passkey.',
      tr: 'Çok fazla başarısız deneme oldu. Birkaç dakika sonra yeniden deneyin veya geçiş anahtarınızı kullanın.',
      when: 'attempts with a password have failed too often: for this address, from this network, or with this password; a browser that has signed in before has attempts of its own',
      remedy: 'wait a few minutes, or sign in with a passkey',
    },
    { status: 429 },
  ),
  PASSWORDS_BUSY: refusedPerson(
    {
      en: 'Signing in with a password is not possible at the moment. Please try again, or use a passkey.',
      tr: 'Şu anda parolayla giriş yapılamıyor. Lütfen yeniden deneyin veya geçiş anahtarınızı kullanın.',
      when: 'too many passwords wait to be checked; passkeys are not affected',
      remedy: 'try again in a second, or use a passkey',
    },
    { status: 503, code: '0014' },
  ),
  TOO_MANY_KEYS: refusedPerson(
    {
      en: 'You have {max} API keys, or have created that many in the last 24 hours. Please revoke one, or wait.',
      tr: '{max} API anahtarınız var veya son 24 saatte o kadar anahtar oluşturdunuz. Lütfen birini iptal edin veya bekleyin.',
      when: 'the account has 20 keys that have not ended, or has created 20 within 24 hours; or all customers together have created 10,000 today',
      remedy: 'revoke keys that are not used, or wait a day',
    },
    { status: 409 },
  ),
  NO_SUCH_KEY: refusedPerson(
    {
      en: 'The account has no such API key.',
      tr: 'Hesabın böyle bir API anahtarı yok.',
      when: 'the key does not exist, or belongs to another account',
      remedy: 'read the list of keys again',
    },
    { status: 404 },
  ),
  DAY_LIMIT_REACHED: refusedPerson(
    {
      en: 'You have done this {max} times today. It is possible again from 00:00 UTC.',
      tr: 'Bu işlemi bugün {max} kez yaptınız. 00:00 UTC itibarıyla yeniden yapabilirsiniz.',
      when: 'on this day (UTC) the person has signed in 100 times, changed the ways to sign in 50 times, lifted a freeze 20 times or recovered the account 10 times',
      remedy: 'wait until 00:00 UTC; a program uses an API key and does not sign in',
    },
    { status: 429 },
  ),
  TOO_MANY_SIGNUPS: refusedPerson(
    {
      en: 'Too many accounts are being opened at the moment; please try again later.',
      tr: 'Şu anda çok fazla hesap açılıyor; lütfen daha sonra yeniden deneyin.',
      when: 'the queue of emails, or the table of sign-ups, is full',
      remedy: 'try again in a few minutes',
    },
    { status: 503, code: '0014' },
  ),
} satisfies Record<string, CustomerReasonEntry>
