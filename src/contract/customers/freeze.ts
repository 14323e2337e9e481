/** A freeze by the person, and its end: endpoints under `/account/v1`. */
import { credential, mail, token } from './field.ts'
import { row } from './row.ts'

export const FREEZE_ROWS = {
  freeze: row({
    method: 'POST',
    access: 'SESSION',
    summary: 'Freeze your own account: no trading, no withdrawals, no keys; all sessions end.',
    fields: {},
    answer: undefined,
    reasons: ['SESSION_NEEDED', 'CUSTOMERS_AWAY'],
  }),
  'freeze/link': row({
    method: 'POST',
    access: 'ANYBODY',
    summary: 'Freeze an account with the token from the link in a security email; the link gives no access.',
    fields: { token: token('the part of the link after #') },
    answer: undefined,
    reasons: ['LINK_INVALID', 'CUSTOMERS_AWAY'],
  }),
  'unfreeze/begin': row({
    method: 'POST',
    access: 'ANYBODY',
    status: 202,
    summary: 'Request the email for lifting a freeze. The answer is the same for every address.',
    fields: { mail: mail('the confirmed address of the account') },
    answer: undefined,
    reasons: [],
  }),
  'unfreeze/confirm': row({
    method: 'POST',
    access: 'ANYBODY',
    summary:
      'Lift the freeze with the token of the email and a passkey of the same account: `assertion` answers the options returned by `login/passkey/begin`. Withdrawals are blocked for 24 hours.',
    fields: {
      token: token('the part of the link after #'),
      assertion: credential('what the browser signed, as JSON'),
    },
    answer: undefined,
    reasons: [
      'LINK_INVALID',
      'CREDENTIALS_WRONG',
      'CHALLENGE_EXPIRED',
      'DAY_LIMIT_REACHED',
      'CUSTOMERS_AWAY',
    ],
  }),
}
