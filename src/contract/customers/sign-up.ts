/** How a person comes in: the mail is confirmed first, then a passkey is made in the browser that did. */
import {
  constant,
  flag,
  listOf,
  object,
  openWord,
  optional,
  text,
  timeMs,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import { LANGUAGES } from '../language.ts'
import {
  credential,
  invitation,
  label,
  mail,
  maybe,
  sessionKey,
  token,
  whole as wholeField,
  word as wordField,
} from './field.ts'
import { row } from './row.ts'

/** Options of `navigator.credentials`, as JSON (Web Authentication, 5.1.8 and 5.1.10). */
export const PASSKEY_OPTIONS = object({
  options: text('What the browser takes to make or use a passkey, as a text of JSON.'),
})

/** The answer to a login: the session's key signs requests of the trading interface from now on. */
export const SIGNED_IN = object({
  account: text('The name of the account at the exchange.'),
  sessionKeyName: text('The name of the session key: what `X-Apikey` is.'),
  permissions: listOf(openWord(['TRADE', 'WALLET', 'USER_DATA'], 'What the session key may do.')),
  idleMs: whole('Unused for so long, the session ends.'),
  endsAt: timeMs('When the session ends in any case.'),
  csrfToken: text('What X-CSRF-Token must be from now on: the cookie is another one.'),
})

/** Shown this once. */
export const RECOVERY_CODES = listOf(text('16 letters and digits, each good once.'))

/** The answer to the first way to sign in: the account is opened with it. */
export const OPENED = object({
  account: text('The name of the account at the exchange.'),
  isWaiting: optional(flag('An operator must approve first: a mail says when.')),
  signedIn: optional(SIGNED_IN),
  recoveryCodes: optional(RECOVERY_CODES),
})

/** Who is signed in, and for what. */
export const SIGNED_IN_STATES = ['NOBODY', 'SIGNUP', 'SESSION'] as const

/**
 * OPEN: everybody; APPROVAL: everybody, and an operator lets each in who has no invitation; INVITATION: those
 * who have one; CLOSED: no new ones.
 */
export const SIGN_UP_MODES = ['OPEN', 'APPROVAL', 'INVITATION', 'CLOSED'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** Versions of terms are whole numbers up to this one. */
export const TERMS_VERSION_MAX = 1_000_000

export const SIGN_UP_ROWS = {
  config: row({
    method: 'GET',
    access: 'ANYBODY',
    summary: 'What this exchange offers, who is signed in, and the word that every POST must carry.',
    fields: {},
    answer: object({
      signUp: word(
        SIGN_UP_MODES,
        'Who may open an account. APPROVAL: an operator lets each in who has no invitation; INVITATION: with an invitation alone.',
      ),
      termsVersion: whole('The version of the terms that a person agrees to.'),
      origin: text('Where accounts are used: passkeys are bound to its host.'),
      state: word(SIGNED_IN_STATES, 'SIGNUP: the mail is confirmed, and there is no passkey yet.'),
      csrfToken: text('What X-CSRF-Token of every POST must be.'),
      isSandbox: flag('Mails are not sent: operators see them.'),
    }),
    reasons: ['WRONG_ADDRESS'],
  }),
  'signup/begin': row({
    method: 'POST',
    access: 'ANYBODY',
    status: 202,
    summary:
      'Begin to open an account: a mail with a link is sent. The answer is the same for an address that has one.',
    fields: {
      mail: mail('where the link is sent'),
      language: wordField(LANGUAGES, 'language of mails'),
      termsVersion: wholeField(
        1,
        TERMS_VERSION_MAX,
        'the version of the terms that the person has agreed to',
      ),
      invitation: maybe(invitation('the code of an invitation')),
    },
    answer: undefined,
    reasons: ['SIGNUP_CLOSED', 'TERMS_CHANGED', 'INVITATION_INVALID', 'TOO_MANY_SIGNUPS'],
  }),
  'signup/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Confirm the mail with the token of the link, once. This browser may make the first passkey within 30 minutes; one that confirmed before may not any more.',
    fields: { token: token('what follows # in the link') },
    answer: object({ state: constant('SIGNUP'), csrfToken: text('What X-CSRF-Token must be from now on.') }),
    reasons: ['LINK_INVALID'],
  }),
  'passkey/register/begin': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'The options with which the browser makes a passkey: the first one, or, with a step-up, a further one.',
    fields: {},
    answer: PASSKEY_OPTIONS,
    stepUp: {
      text: {
        en: 'Add another passkey to your account. It can sign in and confirm everything that you can, and all other sessions end.',
        tr: 'Hesabınıza bir geçiş anahtarı daha ekleyin. Onunla giriş yapılabilir ve her işlem onaylanabilir; diğer oturumların hepsi kapanır.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED', 'TOO_MANY_PASSKEYS'],
  }),
  'passkey/register/finish': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'Register the passkey. With the first one the account is opened; with a sessionKey the person is signed in too. With a further one all other sessions end.',
    fields: {
      attestation: credential('what the browser made, as JSON'),
      label: maybe(label('what the person calls it')),
      sessionKey: maybe(sessionKey('the public half of a key that this browser has made')),
    },
    answer: OPENED,
    reasons: [
      'INVITATION_INVALID',
      'SESSION_NEEDED',
      'CHALLENGE_EXPIRED',
      'PASSKEY_REFUSED',
      'TOO_MANY_PASSKEYS',
      'CUSTOMERS_AWAY',
    ],
  }),
}
