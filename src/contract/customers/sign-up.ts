/** Sign-up: first the email address is confirmed, then a passkey is created in the same browser. */
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
  options: text('The options with which the browser creates or uses a passkey, as a JSON text.'),
})

/** The answer to a sign-in: from now on the session's key signs requests of the trading interface. */
export const SIGNED_IN = object({
  account: text('The name of the account at the exchange.'),
  sessionKeyName: text('The name of the session key: the value of `X-Apikey`.'),
  permissions: listOf(openWord(['TRADE', 'WALLET', 'USER_DATA'], 'The permissions of the session key.')),
  idleMs: whole('The idle time after which the session ends.'),
  endsAt: timeMs('When the session ends at the latest.'),
  csrfToken: text('The value of X-CSRF-Token from now on: the cookie was replaced.'),
})

/** Shown only once. */
export const RECOVERY_CODES = listOf(text('16 letters and digits, each valid once.'))

/** The answer when a person's first credential is stored, which opens the account. */
export const OPENED = object({
  account: text('The name of the account at the exchange.'),
  isWaiting: optional(flag('True if an operator must approve first; an email then follows.')),
  signedIn: optional(SIGNED_IN),
  recoveryCodes: optional(RECOVERY_CODES),
})

/**
 * NOBODY: no person is signed in; SIGNUP: the email address is confirmed, and there is no credential yet;
 * SESSION: a person is signed in.
 */
export const SIGNED_IN_STATES = ['NOBODY', 'SIGNUP', 'SESSION'] as const

/**
 * Who may sign up. OPEN: anyone; APPROVAL: anyone, but an operator must approve a person without an
 * invitation; INVITATION: only with an invitation; CLOSED: no one.
 */
export const SIGN_UP_MODES = ['OPEN', 'APPROVAL', 'INVITATION', 'CLOSED'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** The highest version number of terms. */
export const TERMS_VERSION_MAX = 1_000_000

export const SIGN_UP_ROWS = {
  config: row({
    method: 'GET',
    access: 'ANYBODY',
    summary:
      'The features of this exchange, the state of the session, and the token that every POST must have.',
    fields: {},
    answer: object({
      signUp: word(
        SIGN_UP_MODES,
        'Who may open an account. APPROVAL: an operator approves each person without an invitation; INVITATION: only with an invitation.',
      ),
      termsVersion: whole('The version of the terms that a person agrees to.'),
      origin: text('The origin at which accounts are used: passkeys are bound to its host.'),
      state: word(SIGNED_IN_STATES, 'SIGNUP: the email address is confirmed, and there is no passkey yet.'),
      csrfToken: text('The value of X-CSRF-Token in every POST.'),
      isSandbox: flag('True if emails are not sent but shown to operators.'),
    }),
    reasons: ['WRONG_ADDRESS'],
  }),
  'signup/begin': row({
    method: 'POST',
    access: 'ANYBODY',
    status: 202,
    summary:
      'Start opening an account: an email with a link is sent. The answer is the same for an address that has an account.',
    fields: {
      mail: mail('where the link is sent'),
      language: wordField(LANGUAGES, 'language of emails'),
      termsVersion: wholeField(1, TERMS_VERSION_MAX, 'the version of the terms that the person agreed to'),
      invitation: maybe(invitation('the code of an invitation')),
    },
    answer: undefined,
    reasons: ['SIGNUP_CLOSED', 'TERMS_CHANGED', 'INVITATION_INVALID', 'TOO_MANY_SIGNUPS'],
  }),
  'signup/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Confirm the email address with the token of the link, once. This browser may then create the first passkey within 30 minutes; a browser that confirmed earlier no longer may.',
    fields: { token: token('the part of the link after #') },
    answer: object({ state: constant('SIGNUP'), csrfToken: text('The value of X-CSRF-Token from now on.') }),
    reasons: ['LINK_INVALID'],
  }),
  'passkey/register/begin': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'The options with which the browser creates a passkey: the first one or, with a step-up, another one.',
    fields: {},
    answer: PASSKEY_OPTIONS,
    stepUp: {
      text: {
        en: 'Add another passkey to your account. It can sign in and confirm everything that you can, and all other sessions end.',
        tr: 'Hesabınıza bir geçiş anahtarı daha ekleyin. Onunla giriş yapılabilir ve her işlem onaylanabilir; diğer tüm oturumlar sonlanır.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED', 'TOO_MANY_PASSKEYS'],
  }),
  'passkey/register/finish': row({
    method: 'POST',
    access: 'SIGNUP',
    summary:
      'Register the passkey. The first passkey opens the account; with a sessionKey the person is signed in too. Another passkey ends all other sessions.',
    fields: {
      attestation: credential('the result from the browser, as JSON'),
      label: maybe(label('the name of the passkey')),
      sessionKey: maybe(sessionKey('the public half of a key pair that this browser has created')),
    },
    answer: OPENED,
    reasons: [
      'INVITATION_INVALID',
      'SESSION_NEEDED',
      'CHALLENGE_EXPIRED',
      'PASSKEY_REFUSED',
      'TOO_MANY_PASSKEYS',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
}
