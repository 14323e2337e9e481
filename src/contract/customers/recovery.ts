/**
 * Recovery with the confirmed email address and a recovery code: a new passkey replaces all other
 * credentials.
 */
import { constant, object, text, timeMs } from '../../units/shapes/shape.ts'
import { mail, recoveryCode, token } from './field.ts'
import { row } from './row.ts'

export const RECOVERY_ROWS = {
  'recover/begin': row({
    method: 'POST',
    access: 'ANYBODY',
    status: 202,
    summary: 'Request the email for recovering an account. The answer is the same for every address.',
    fields: { mail: mail('the confirmed address of the account') },
    answer: undefined,
    reasons: [],
  }),
  'recover/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Recover with the token of the email and a recovery code, once: all sessions and API keys end, withdrawals are blocked for 72 hours, and this browser may create a passkey within 30 minutes, which replaces all other credentials.',
    fields: {
      token: token('the part of the link after #'),
      code: recoveryCode('an unused code'),
    },
    answer: object({ state: constant('SIGNUP'), csrfToken: text('The value of X-CSRF-Token from now on.') }),
    reasons: ['LINK_INVALID', 'CREDENTIALS_WRONG', 'DAY_LIMIT_REACHED', 'CUSTOMERS_AWAY'],
  }),
  'recover/request': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Ask operators for a recovery, with only the token of the email; this gives no access. The person is notified and can stop it from any session; operators decide after 48 hours at the earliest.',
    fields: { token: token('the part of the link after #') },
    answer: object({ readyAt: timeMs('Before this time, no operator can recover the account.') }),
    reasons: ['LINK_INVALID'],
  }),
  'recover/stop': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Stop a recovery requested from operators, and a change of the email address by operators that has not taken effect yet.',
    fields: {},
    answer: undefined,
    reasons: ['SESSION_NEEDED'],
  }),
  'reset/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Recover with the token of an email that two operators have sent: all sessions and API keys end, withdrawals are blocked for 7 days, and this browser may create a passkey within 30 minutes, which replaces all other credentials.',
    fields: { token: token('the part of the link after #') },
    answer: object({ state: constant('SIGNUP'), csrfToken: text('The value of X-CSRF-Token from now on.') }),
    reasons: ['LINK_INVALID', 'DAY_LIMIT_REACHED', 'CUSTOMERS_AWAY'],
  }),
}
