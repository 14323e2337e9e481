/** A person's data: shown to that person, and erased. */
import { listOf, object, optional, text, timeMs, whole, word } from '../../units/shapes/shape.ts'
import { row } from './row.ts'
import { HISTORY_KINDS } from './sessions.ts'

/** Maximum number of entries of the history in an export: the newest ones. */
export const EXPORTED_HISTORY_MAX = 5_000

export const DATA_ROWS = {
  export: row({
    method: 'GET',
    access: 'SESSION',
    summary: `All data stored about the person; of the history, the newest ${EXPORTED_HISTORY_MAX} entries.`,
    fields: {},
    answer: object({
      account: text('The name of the account at the exchange, where orders and money are.'),
      mail: text('The confirmed email address.'),
      language: text('Language of emails.'),
      phrase: optional(text('The phrase at the beginning of every email to the person.')),
      termsVersion: whole('The version of the terms that the person agreed to.'),
      createdAt: timeMs('When the account was opened.'),
      passkeys: listOf(
        object({
          label: text('The name that the person gave the passkey.'),
          createdAt: timeMs(),
          usedAt: optional(timeMs()),
        }),
      ),
      sessions: listOf(
        object({
          device: text('Browser and operating system, as reported by the browser.'),
          network: text('The network: the /24 of an IPv4 address, the /48 of an IPv6 address.'),
          createdAt: timeMs(),
          lastUsedAt: timeMs(),
        }),
      ),
      keys: listOf(
        object({
          apiKey: text('The key; it is not secret.'),
          name: text('The name that its owner gave the key.'),
          addresses: listOf(text('An address or range from which the key may be used.')),
        }),
      ),
      history: listOf(
        object({
          at: timeMs(),
          kind: word(HISTORY_KINDS, 'What happened.'),
          device: text('Browser and operating system.'),
          network: text('The network: the /24 of an IPv4 address, the /48 of an IPv6 address.'),
          reason: optional(text('The reason of the operator who did it.')),
        }),
      ),
    }),
    stepUp: {
      text: { en: 'Show all data about you.', tr: 'Sizinle ilgili bütün verileri gösterin.' },
      isReading: true,
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED'],
  }),
  erase: row({
    method: 'POST',
    access: 'SESSION',
    summary:
      'Erase the person permanently: email address, passkeys, sessions and history. The account stays in the journal under its random name, and no one can sign in to it.',
    fields: {},
    answer: undefined,
    stepUp: {
      text: {
        en: 'Erase your data permanently. You can never sign in again, even if there is still money in the account.',
        tr: 'Verilerinizi kalıcı olarak silin. Hesapta para kalsa bile bir daha asla giriş yapamazsınız.',
      },
    },
    reasons: ['SESSION_NEEDED', 'STEP_UP_NEEDED', 'CUSTOMERS_AWAY'],
  }),
}
