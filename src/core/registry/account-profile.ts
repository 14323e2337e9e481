/**
 * What operators note of an account: the customer's id in their own systems, labels, free fields and a remark
 * (docs/reference/admin.md#labels-and-customer-ids). It changes nothing of what the account may do.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import { PROFILE_FIELDS_MAX, PROFILE_LABELS_MAX } from '../../units/limits.ts'
import type { AccountProfile, ProfileField } from './records.ts'
import { isTextWithin } from './terms.ts'

/** What an id of a customer may be: 1 to 64 of letters, digits and `._@:/+-`. */
const CUSTOMER_ID = /^[A-Za-z0-9._@:/+-]{1,64}$/
/** What labels and names of fields may be: 1 to 32 of small letters, digits and `._-`. */
const WORD = /^[a-z0-9._-]{1,32}$/

/** Whether it says nothing: then the account has none. */
export function isEmptyProfile({ customerId, labels, fields, remark }: AccountProfile): boolean {
  return customerId === '' && labels.length === 0 && fields.length === 0 && remark === ''
}

/** Labels and names of fields each once and in ascending order, so that what is equal is so to the letter. */
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

export function writeProfile(w: ByteWriter, { customerId, labels, fields, remark }: AccountProfile): void {
  w.text(customerId)
  writeList(w, labels, (_, label) => w.text(label))
  writeList(w, fields, (_, { name, value }) => {
    w.text(name)
    w.text(value)
  })
  w.text(remark)
}

export function readProfile(r: ByteReader): AccountProfile {
  const customerId = r.text()
  const labels = readList(r, () => r.text())
  const fields = readList(r, (): ProfileField => ({ name: r.text(), value: r.text() }))
  return { customerId, labels, fields, remark: r.text() }
}

/** That of a record. Throws `BytesFault` for one that no record has. */
export function readStoredProfile(r: ByteReader): AccountProfile {
  const profile = readProfile(r)
  if (isValidProfile(profile) && !isEmptyProfile(profile)) return profile
  throw new BytesFault(`the profile of an account before byte ${r.at} cannot be`)
}
