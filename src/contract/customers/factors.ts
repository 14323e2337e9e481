/**
 * Changes of credentials while signed in: each change other than a rename requires a step-up and ends other
 * sessions.
 */
import { listOf, object, text } from '../../units/shapes/shape.ts'
import { credentialId, label, maybe, password, sessionKey, totpCode } from './field.ts'
import { row } from './row.ts'
import { OPENED } from './sign-up.ts'

export const FACTOR_ROWS = {
  'passkey/remove': row({
    method: 'POST',
    access: 'SESSION',
    summary: 'Remove a passkey. All other sessions end.',
    fields: { id: credentialId('the passkey') },
    answer: undefined,
    stepUp: {
      text: {
        en: 'Remove the passkey "{label}" from your account. You can no longer sign in with it, and all other sessions end.',
        tr: '"{label}" geçiş anahtarını hesabınızdan kaldırın. Artık onunla giriş yapılamaz; diğer tüm oturumlar sonlanır.',
      },
    },
    reasons: [
      'SESSION_NEEDED',
      'STEP_UP_NEEDED',
      'NO_SUCH_PASSKEY',
      'LAST_FACTOR',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
  'passkey/rename': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Give a passkey another name. It signs in as before, sessions stay, and an email reports the change.',
    fields: { id: credentialId('the passkey'), label: label('the new name') },
    answer: undefined,
    reasons: ['SESSION_NEEDED', 'NO_SUCH_PASSKEY', 'DAY_LIMIT_REACHED'],
  }),
  'password/set': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'Set the password, which signs in together with a code from an authenticator app, without a passkey. All other sessions end.',
    fields: { password: password('the new password, not a common one') },
    answer: undefined,
    stepUp: {
      text: {
        en: 'Set a new password for your account. You sign in with it together with a code from your authenticator app. All other sessions end.',
        tr: 'Hesabınıza yeni bir parola belirleyin. Doğrulama uygulamanızın koduyla birlikte giriş yapmanızı sağlar; diğer tüm oturumlar sonlanır.',
      },
    },
    reasons: [
      'SESSION_NEEDED',
      'STEP_UP_NEEDED',
      'PASSWORD_COMMON',
      'PASSWORDS_BUSY',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
  'password/remove': row({
    method: 'POST',
    access: 'SESSION',
    summary: 'Remove the password and the authenticator app. All other sessions end.',
    fields: {},
    answer: undefined,
    stepUp: {
      text: {
        en: 'Remove the password and the authenticator app from your account. Only your passkeys can sign in from then on, and all other sessions end.',
        tr: 'Parolayı ve doğrulama uygulamasını hesabınızdan kaldırın. Yalnızca geçiş anahtarlarınızla giriş yapılır; diğer tüm oturumlar sonlanır.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED', 'LAST_FACTOR', 'DAY_LIMIT_REACHED', 'CUSTOMERS_AWAY'],
  }),
  'totp/begin': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'Create a new secret for an authenticator app. It takes effect when totp/finish receives a code from the app, within ten minutes.',
    fields: {},
    answer: object({
      secret: text('The secret in base32, shown only to the person.'),
      uri: text('The secret as an address that apps read, for a QR code.'),
    }),
    stepUp: {
      text: {
        en: 'Set up an authenticator app for your account. Its codes replace those of an earlier one, and all other sessions end.',
        tr: 'Hesabınız için bir doğrulama uygulaması kurun. Kodları öncekilerin yerine geçer; diğer tüm oturumlar sonlanır.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED'],
  }),
  'totp/finish': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'Confirm the authenticator app with a code from it. After the confirmation of the email address, if a password is set, this opens the account.',
    fields: {
      code: totpCode('a code of the new secret'),
      sessionKey: maybe(sessionKey('the public half of a key pair that this browser has created')),
    },
    answer: OPENED,
    reasons: [
      'SESSION_NEEDED',
      'CHALLENGE_EXPIRED',
      'CODE_WRONG',
      'PASSWORD_NEEDED',
      'INVITATION_INVALID',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
  'recovery-codes/new': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Create ten new recovery codes, shown only once; earlier ones become invalid. All other sessions end.',
    fields: {},
    answer: object({ recoveryCodes: listOf(text('16 letters and digits.')) }),
    stepUp: {
      text: {
        en: 'Create new recovery codes for your account. Earlier ones become invalid, and all other sessions end.',
        tr: 'Hesabınız için yeni kurtarma kodları oluşturun. Öncekiler geçersiz olur; diğer tüm oturumlar sonlanır.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED', 'DAY_LIMIT_REACHED', 'CUSTOMERS_AWAY'],
  }),
}
