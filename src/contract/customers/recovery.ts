/** Recovery: by the confirmed mail and a recovery code, a new passkey in place of everything else. */
import { constant, object, text } from '../../units/shapes/shape.ts'
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
}
