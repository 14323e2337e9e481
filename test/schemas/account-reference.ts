/** The tables of docs/reference/account.md, generated from the rows of the customers' interface. */
import { ACCOUNT_ROWS } from '../../src/contract/customers/endpoints.ts'
import type { AccountRow } from '../../src/contract/customers/row.ts'
import { ALL_REASONS, type CustomerReason } from '../../src/contract/reasons/catalogue.ts'
import type { CustomerReasonEntry } from '../../src/contract/reasons/entry.ts'
import type { Shape } from '../../src/units/shapes/shape.ts'

/** The page with its tables as the rows have them. */
export function withAccountTables(page: string): string {
  const endpoints = withRows(page, 'Endpoints', endpointRows())
  return withRows(withRows(endpoints, 'Step-up', stepUpRows()), 'Reasons', reasonRows())
}

function withRows(page: string, heading: string, rows: readonly string[]): string {
  const table = new RegExp(`(## ${heading}\\n[^]*?\\|---[-|]*\\|\\n)(?:\\|.*\\n|<!--.*-->\\n)*`)
  if (!table.test(page)) throw new Error(`expected a table below ${heading}`)
  return page.replace(table, (_, head: string) => `${head}${rows.map((row) => `${row}\n`).join('')}`)
}

function endpointRows(): readonly string[] {
  return Object.entries(ACCOUNT_ROWS).map(([path, row]) => {
    const { method, access, fields, answer, reasons, summary } = row
    const body = Object.entries(fields).map(([name, { isOptional }]) => `\`${name}\`${isOptional ? '?' : ''}`)
    const refused = reasons.map((reason) => `\`${reason}\``)
    const cells = [body.join(', '), namesOf(answer), refused.join(', ')].map((cell) => cell || '-')
    return `| \`${method} ${path}\`: ${summary} | \`${access}\` | ${cells.join(' | ')} |`
  })
}

function stepUpRows(): readonly string[] {
  return Object.entries(ACCOUNT_ROWS).flatMap(([path, { method, stepUp }]) => {
    if (stepUp === undefined) return []
    const goodFor = stepUp.isReading ? 'five minutes' : 'once'
    return [`| \`${method} ${path}\` | ${goodFor} | ${stepUp.text.en} |`]
  })
}

function namesOf(shape: AccountRow['answer']): string {
  if (shape === undefined) return ''
  const { form } = shape
  if (form.is === 'list') {
    const names = namesOf(form.of)
    return names === '' ? 'list' : `list: ${names}`
  }
  if (form.is !== 'object') return ''
  return Object.entries(form.fields)
    .map(([name, field]: [string, Shape]) => {
      const inner = namesOf(field)
      return `\`${name}\`${field.isOptional ? '?' : ''}${inner === '' ? '' : ` (${inner})`}`
    })
    .join(', ')
}

function reasonRows(): readonly string[] {
  return Object.entries(ALL_REASONS).flatMap(([reason, entry]) => {
    if (!entry.at.includes('account')) return []
    const { code, status, when, remedy } = entry as CustomerReasonEntry
    return [`| \`${reason as CustomerReason}\` | ${code} | ${status} | ${when} | ${remedy} |`]
  })
}
