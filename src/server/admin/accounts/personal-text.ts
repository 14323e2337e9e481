/**
 * Texts of accounts that look like personal data: the journal keeps them permanently, and no erasure removes
 * them.
 */
import type { Account } from '../../../core/registry/records.ts'

const LOOKS = [
  ['an email address', /[^\s@]+@[^\s@]+\.[^\s@]+/],
  ['an IP address', /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}/i],
  ['a phone number', /(?:\+|\b00)\d(?:[ ()./-]?\d){7,}/],
] as const

/** For example `an email address`; undefined if the text does not look like personal data. */
export function personalDataIn(text: string): string | undefined {
  return LOOKS.find(([, form]) => form.test(text))?.[0]
}

/** Warnings about texts of an exchange with customers, whose personal data stays out of the journal. */
export function personalWarnings(text: string): readonly string[] {
  const look = personalDataIn(text)
  return look === undefined ? [] : [`it looks like ${look}: the journal keeps it permanently`]
}

/** The texts of an account by place. */
export function textsOf(
  { name, profile }: Account,
  labels: readonly string[],
): readonly (readonly [place: string, text: string])[] {
  const { customerId = '', labels: noted = [], fields = [], remark = '' } = profile ?? {}
  return [
    ['NAME', name],
    ['CUSTOMER_ID', customerId],
    ...noted.map((label) => ['LABEL', label] as const),
    ...fields.map(({ value }) => ['FIELD', value] as const),
    ['REMARK', remark],
    ...labels.map((label) => ['KEY_LABEL', label] as const),
  ]
}
