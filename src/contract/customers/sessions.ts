/** Signing in, and listing and ending sessions. */
import { flag, listOf, object, optional, text, timeMs, whole, word } from '../../units/shapes/shape.ts'
import { credential, mail, maybe, password, sessionId, sessionKey, totpCode } from './field.ts'
import { row } from './row.ts'
import { PASSKEY_OPTIONS, SIGNED_IN } from './sign-up.ts'

/** Kinds of entries of a person's history. */
export const HISTORY_KINDS = [
  'SIGNED_UP',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'PASSKEY_RENAMED',
  'PASSWORD_SET',
  'PASSWORD_REMOVED',
  'TOTP_SET',
  'RECOVERY_CODES_MADE',
  'RECOVERED',
  'STEPPED_UP',
  'STEP_UP_FAILED',
  'SIGNED_IN',
  'SIGN_IN_FAILED',
  'SESSION_ENDED',
  'SIGNED_OUT',
  'LOOKED_AT',
  'FROZEN',
  'UNFROZEN',
  'APPROVED',
  'KEY_ADDED',
  'KEY_ENDED',
  'MAIL_CHANGE_ASKED',
  'MAIL_CHANGED',
  'PHRASE_SET',
  'RECOVERY_ASKED',
  'RECOVERY_STOPPED',
  'RESET',
] as const
export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** Maximum number of entries of an answer. */
export const HISTORY_MAX = 100

const ADDRESS = text('The network: the /24 of an IPv4 address, the /48 of an IPv6 address.')
const DEVICE = text('Browser and operating system, as reported by the browser.')

export const SESSION_ROWS = {
  'login/passkey/begin': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'The options with which the browser uses a passkey: the same for every person except for the challenge.',
    fields: {},
    answer: PASSKEY_OPTIONS,
    reasons: [],
  }),
  'login/passkey/finish': row({
    method: 'POST',
    access: 'ANYBODY',
    summary: 'Sign in with a passkey. The cookie is replaced.',
    fields: {
      assertion: credential('what the browser signed, as JSON'),
      sessionKey: sessionKey('the public half of a key pair that this browser has created'),
    },
    answer: SIGNED_IN,
    reasons: [
      'CREDENTIALS_WRONG',
      'CHALLENGE_EXPIRED',
      'ACCOUNT_FROZEN',
      'APPROVAL_AWAITED',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
  'login/password': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Sign in with email address, password and the code of an authenticator app. The answer is the same whichever of them is wrong. The cookie is replaced.',
    fields: {
      mail: mail('the address of the account'),
      password: password('the password of the account'),
      code: maybe(totpCode('the current code')),
      sessionKey: sessionKey('the public half of a key pair that this browser has created'),
    },
    answer: SIGNED_IN,
    reasons: [
      'CREDENTIALS_WRONG',
      'TOO_MANY_FAILURES',
      'PASSWORDS_BUSY',
      'APPROVAL_AWAITED',
      'ACCOUNT_FROZEN',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
  me: row({
    method: 'GET',
    access: 'SESSION',
    summary: 'The person who is signed in.',
    fields: {},
    answer: object({
      account: text('The name of the account at the exchange.'),
      mail: text('The confirmed email address.'),
      language: text('Language of emails.'),
      phrase: optional(text('The phrase at the beginning of every email to the person.')),
      recoveryAskedAt: optional(
        timeMs(
          'When a person with access to the emails asked operators to recover the account; recover/stop stops it.',
        ),
      ),
      mailDueAt: optional(
        timeMs('When operators will change the email address of the account; recover/stop stops it.'),
      ),
      createdAt: timeMs('When the account was opened.'),
      passkeys: listOf(
        object({
          id: text('The id for passkey/remove and passkey/rename.'),
          label: text('The name that the person gave it, or the device that created it.'),
          createdAt: timeMs(),
          usedAt: optional(timeMs()),
        }),
      ),
      hasPassword: flag('True if a password with an authenticator app can sign in too.'),
      recoveryCodes: whole('Recovery codes that have not been used.'),
    }),
    reasons: ['SESSION_NEEDED'],
  }),
  sessions: row({
    method: 'GET',
    access: 'SESSION',
    summary: 'The sessions of the account, newest first.',
    fields: {},
    answer: listOf(
      object({
        id: text('The id for session/end.'),
        isThis: flag('True for the session that sends the request.'),
        device: DEVICE,
        network: ADDRESS,
        createdAt: timeMs('When it began.'),
        lastUsedAt: timeMs('When it was last used here, to the minute.'),
        endsAt: timeMs('When it ends at the latest.'),
      }),
    ),
    reasons: ['SESSION_NEEDED'],
  }),
  'session/end': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'End a session: once this is answered, its key is not accepted any more. Without an id, end all except the current one.',
    fields: { id: maybe(sessionId('the session to end')) },
    answer: undefined,
    reasons: ['SESSION_NEEDED', 'CUSTOMERS_AWAY'],
  }),
  logout: row({
    method: 'POST',
    access: 'SESSION',
    summary: 'End the current session, and its key.',
    fields: {},
    answer: undefined,
    reasons: ['SESSION_NEEDED', 'CUSTOMERS_AWAY'],
  }),
  history: row({
    method: 'GET',
    access: 'SESSION',
    summary: `What has happened to the account, newest first: at most ${HISTORY_MAX} entries.`,
    fields: {},
    answer: listOf(
      object({
        at: timeMs('When.'),
        kind: word(HISTORY_KINDS, 'What happened.'),
        device: DEVICE,
        network: ADDRESS,
        reason: optional(text('The reason of the operator who did it; absent if the person did it.')),
      }),
    ),
    stepUp: {
      text: { en: 'Show the history of your account.', tr: 'Hesap geçmişinizi gösterin.' },
      isReading: true,
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED'],
  }),
}
