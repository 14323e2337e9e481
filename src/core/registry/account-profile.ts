/**
 * The notes of operators on an account: the customer's id in their own systems, labels, free fields and a
 * remark (docs/reference/admin.md#labels-and-customer-ids). They do not change the account's rights.
 */
import { PROFILE_FIELDS_MAX, PROFILE_LABELS_MAX } from '../../units/limits.ts'
import type { AccountProfile } from './records.ts'
import { isTextWithin } from './terms.ts'

/** Form of a customer id: 1 to 64 letters, digits and `._@:/+-`. */
const CUSTOMER_ID = /^[A-Za-z0-9._@:/+-]{1,64}$/
/** Form of labels and names of fields: 1 to 32 lower-case letters, digits and `._-`. */
const WORD = /^[a-z0-9._-]{1,32}$/

/** Whether the profile is empty: the account then has none. */
export function isEmptyProfile({ customerId, labels, fields, remark }: AccountProfile): boolean {
  return customerId === '' && labels.length === 0 && fields.length === 0 && remark === ''
}

/** Labels and names of fields are unique and in ascending order, so that equal profiles are identical. */
export function isValidProfile({ customerId, labels, fields, remark }: AccountProfile): boolean {
  return (
    (customerId === '' || CUSTOMER_ID.test(customerId)) &&
    labels.length <= PROFILE_LABELS_MAX &&
    areWordsInOrder(labels) &&
    fields.length <= PROFILE_FIELDS_MAX &&
    areWordsInOrder(fields.map(({ name }) => name)) &&
    fields.every(({ value }) => isTextWithin(value, 1)) &&
    isTextWithin(remark, 0)
  )
}

function areWordsInOrder(words: readonly string[]): boolean {
  return words.every((word, i) => WORD.test(word) && (i === 0 || (words[i - 1] as string) < word))
}
