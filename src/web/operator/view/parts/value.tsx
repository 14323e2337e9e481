/** Values of the node's answers and of commands, for people. */
import { decimalText, timeText } from '../../state/notation.ts'
import { labelOf } from '../../texts/command-texts.ts'
import { say } from '../../texts/texts.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** A missing value is a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? say('yes') : say('no')
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (Array.isArray(value)) return value.map(valueText).join(', ') || '–'
  if (typeof value === 'object') return fieldsText(value)
  const text = String(value)
  return ISO_TIME.test(text) ? `${timeText(text)} UTC` : decimalText(text)
}

/** Fields of a command or a fact: `Account alice, Amount 1.5`. */
export function fieldsText(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${labelOf(name)} ${valueText(value)}`)
    .join(', ')
}

export function FieldsText({ fields }: { readonly fields: object }) {
  return <>{fieldsText(fields)}</>
}
