/**
 * Step-up: a signed-in person authenticates again for one operation and its values. The operation's row
 * requires it (`stepUp`) and has the text.
 */
import { object, optional, text, whole } from '../../units/shapes/shape.ts'
import { body, credential, maybe, operation, password, totpCode } from './field.ts'
import { row } from './row.ts'

/** Time limit from `step-up/begin` to `step-up/finish`, and from there to the operation. */
export const STEP_UP_MS = 60_000
/** Time limit for an operation that only reads. */
export const READING_STEP_UP_MS = 5 * 60_000

export const STEP_UP_ROWS = {
  'step-up/begin': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Request permission for one operation with its values. The text describes the operation, and challenge is its SHA-256, in base64url.',
    fields: {
      operation: operation('the operation'),
      values: maybe(body('the body that will be sent to the operation')),
    },
    answer: object({
      text: text('The text that the person agrees to, to be shown unchanged.'),
      challenge: text('The SHA-256 of the text in UTF-8, in base64url, which the passkey signs.'),
      options: text('The options with which the browser uses a passkey, as a JSON text.'),
      lastsMs: whole('The time within which step-up/finish must follow.'),
    }),
    reasons: ['SESSION_NEEDED'],
  }),
  'step-up/finish': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Prove the person’s identity. The answer permits the one operation once, within a minute; an operation that only reads, for five minutes.',
    fields: {
      assertion: maybe(credential('what the browser signed, as JSON')),
      password: maybe(password('instead of an assertion, with code')),
      code: maybe(totpCode('with password')),
    },
    answer: object({
      stepUp: optional(text('The value of X-Step-Up for the operation; absent for one that only reads.')),
      lastsMs: whole('How long it is valid.'),
    }),
    reasons: [
      'SESSION_NEEDED',
      'CHALLENGE_EXPIRED',
      'STEP_UP_REFUSED',
      'TOO_MANY_FAILURES',
      'PASSWORDS_BUSY',
    ],
  }),
}
