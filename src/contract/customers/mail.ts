/** The address of a person's emails, and the phrase by which the person recognizes them. */
import { mail, maybe, phrase, token } from './field.ts'
import { row } from './row.ts'

export const MAIL_ROWS = {
  'mail/change/begin': row({
    method: 'POST',
    access: 'SESSION',
    status: 202,
    summary:
      'Request another email address: a link is sent to it, and a notice to the current one. The answer is the same for an address that has an account.',
    fields: { mail: mail('the new address') },
    answer: undefined,
    stepUp: {
      text: {
        en: 'Change the email address of your account to {mail}. It takes effect when the link sent to it is confirmed. Then all other sessions end, and withdrawals are blocked for 24 hours.',
        tr: 'Hesabınızın e-posta adresini {mail} olarak değiştirin. Oraya gönderilen bağlantı onaylanınca geçerli olur; o anda diğer tüm oturumlar sonlanır ve 24 saat çekim yapılamaz.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED'],
  }),
  'mail/change/confirm': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Confirm the new address with the token of the link, in a session of the account. All other sessions end, and withdrawals are blocked for 24 hours.',
    fields: { token: token('the part of the link after #') },
    answer: undefined,
    reasons: ['SESSION_NEEDED', 'LINK_INVALID', 'DAY_LIMIT_REACHED', 'CUSTOMERS_AWAY'],
  }),
  'phrase/set': row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Set the phrase at the beginning of every email to the person, so that a forged email can be recognized by its absence. A request without a phrase removes it.',
    fields: { phrase: maybe(phrase('the phrase at the beginning of every email')) },
    answer: undefined,
    stepUp: {
      text: {
        en: 'Set the phrase that emails to you begin with: "{phrase}".',
        tr: 'Size gelen e-postaların başında duracak ifadeyi belirleyin: "{phrase}".',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED'],
  }),
}
