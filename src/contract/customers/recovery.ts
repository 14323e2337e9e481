/** Recovery: by the confirmed mail and a recovery code, a new passkey in place of everything else. */
import { constant, object, text, timeMs } from '../../units/shapes/shape.ts'
import { mail, recoveryCode, token } from './field.ts'
import { row } from './row.ts'

export const RECOVERY_ROWS = {
  'recover/begin': row({
    method: 'POST',
    access: 'ANYBODY',
    status: 202,
    summary: 'Ask for the mail with which an account is recovered. The answer is the same for every address.',
    fields: { mail: mail('the confirmed address of the account') },
    answer: undefined,
    reasons: [],
  }),
  'recover/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Recover with the token of the mail and a recovery code, once: all sessions and API keys end, withdrawals rest for 72 hours, and this browser may make a passkey within 30 minutes, which replaces all other credentials.',
    fields: { token: token('what follows # in the link'), code: recoveryCode('one that has not been used') },
    answer: object({ state: constant('SIGNUP'), csrfToken: text('What X-CSRF-Token must be from now on.') }),
    reasons: ['LINK_INVALID', 'CREDENTIALS_WRONG', 'CUSTOMERS_AWAY'],
  }),
  'recover/request': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Ask operators for a recovery, with the token of the mail alone: it opens nothing. The person is told, and stops it from any session; operators decide after 48 hours at the earliest.',
    fields: { token: token('what follows # in the link') },
    answer: object({ readyAt: timeMs('Before that no operator can recover the account.') }),
    reasons: ['LINK_INVALID'],
  }),
  'recover/stop': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Stop a recovery that operators were asked for, and a change of the mail address by operators that does not count yet.',
    fields: {},
    answer: undefined,
    reasons: ['SESSION_NEEDED'],
  }),
  'reset/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Recover with the token of a mail that two operators have sent: all sessions and API keys end, withdrawals rest for 7 days, and this browser may make a passkey within 30 minutes, which replaces all other credentials.',
    fields: { token: token('what follows # in the link') },
    answer: object({ state: constant('SIGNUP'), csrfToken: text('What X-CSRF-Token must be from now on.') }),
    reasons: ['LINK_INVALID', 'CUSTOMERS_AWAY'],
  }),
}
