/**
 * The tables of the admin server's pages that are generated from the rows of the operators' operations:
 * parameters and answers of each, the right for each, and the operations that need the token again.
 * `npm run schemas` writes them into the pages.
 */

import { ADMIN_OPERATIONS, type AdminOperation, OPERATION_ROWS } from '../../src/contract/admin/admin.ts'
import type { Field, Form } from '../../src/contract/admin/operations/field.ts'
import type { Nature, OperationRow, TakenRight } from '../../src/contract/admin/operations/row.ts'
import { ADMIN_RIGHTS } from '../../src/units/admin-rights.ts'

/**
 * Subjects of the operations on accounts, with their money, orders, keys and people, which have a page of
 * their own.
 */
const ACCOUNT_SUBJECTS: ReadonlySet<string> = new Set(
  `account address balance customer house invitation key liabilities mail money order own-key savings transfer
  withdrawal`.split(/\s+/),
)
const isOfAccounts = (operation: AdminOperation): boolean =>
  ACCOUNT_SUBJECTS.has(operation.slice(0, operation.indexOf('/')))

const OPERATIONS_HEAD = '| Operation | Request | Result |'
export const withAccountOperations = (page: string): string =>
  withTable(page, OPERATIONS_HEAD, operationLines(ADMIN_OPERATIONS.filter(isOfAccounts)))
export const withOperations = (page: string): string =>
  withTable(page, OPERATIONS_HEAD, operationLines(ADMIN_OPERATIONS.filter((one) => !isOfAccounts(one))))
export const withRights = (page: string): string => withTable(page, '| Right | Operations |', rightLines())
export const withNatures = (page: string): string =>
  withTable(page, '| Requires the token again, because it | Operations |', natureLines())

/** The page with the table below `head` generated from the rows; throws if the page has no such table. */
function withTable(page: string, head: string, lines: string): string {
  const place = tableBelow(head)
  if (!place.test(page)) throw new Error(`expected a table below ${head}`)
  return page.replace(place, () => lines)
}

/** Natures of operations that need the token again, as the page words them. */
const NATURE_TEXTS: readonly (readonly [Nature, string])[] = [
  ['MONEY', 'moves money, or allows it to be moved'],
  ['RIGHTS', 'changes rights, or the receiver of data'],
  ['TERMS', 'changes limits, rates and terms, or ends something permanently'],
  ['PHASES', 'closes or opens the exchange'],
  ['SECRETS', 'reads or removes parts of the stored journal'],
  ['UNPROTECTS', 'removes a protection'],
]

function natureLines(): string {
  return NATURE_TEXTS.map(([nature, text]) => {
    const operations = ADMIN_OPERATIONS.filter((operation) => OPERATION_ROWS[operation].nature === nature)
    return `| ${text} | ${codes(operations)} |\n`
  }).join('')
}

function tableBelow(head: string): RegExp {
  return new RegExp(`(?<=^${head.replaceAll('|', '\\|')}\\n\\|[-|]+\\|\\n)(?:\\|[^\\n]*\\n)*`, 'm')
}

const code = (text: string): string => `\`${text}\``
const codes = (texts: readonly string[]): string => texts.map(code).join(', ')

function operationLines(operations: readonly AdminOperation[]): string {
  return operations
    .map((operation) => {
      const row = OPERATION_ROWS[operation]
      return `| ${code(operation)} | ${requestCell(row)} | ${row.told} |\n`
    })
    .join('')
}

/** Each field on a line of its own, optional ones last. */
function requestCell({ words, options }: OperationRow): string {
  const given = Object.entries(options)
  return [
    ...[...Object.entries(words), ...given.filter(([, { isRequired }]) => isRequired)].map(fieldText),
    ...given.filter(([, { isRequired }]) => !isRequired).map((field) => `optional ${fieldText(field)}`),
  ].join('<br>')
}

/** The values of a field are stated once: either before its description, or in it. */
function fieldText([name, { form, help }]: readonly [string, Field]): string {
  const said = formText(form)
  const told = help.replaceAll('|', '\\|').replaceAll('<', '&lt;')
  if (form.is === 'whole' && told.includes(said)) return `${code(name)}: ${told}`
  if (form.is === 'oneOf' && told.includes(form.values.join(', ')))
    return `${code(name)}: ${told.replace(form.values.join(', '), said)}`
  return `${code(name)}${said === '' ? '' : ` (${said})`}: ${told}`
}

/** The form of a field, unless it is text. */
function formText(form: Form): string {
  switch (form.is) {
    case 'whole':
      return form.max === undefined ? `whole number, at least ${form.min}` : `${form.min} to ${form.max}`
    case 'oneOf':
      return codes(form.values)
    case 'list':
      return form.of.is === 'oneOf' ? `list of ${formText(form.of)}` : 'list'
    case 'flag':
      return 'true or false'
    default:
      return ''
  }
}

function rightLines(): string {
  const lines = ADMIN_RIGHTS.map((right) => `| ${code(right)} | ${rightCell(right)} |\n`)
  const owner = `| ${code('owner')}: of the node's own token alone, no role has it | ${rightCell('owner')} |\n`
  const holders = 'of the [customers](../customers.md) process alone'
  const customers = `| ${code('customers')}: ${holders}, no role has it | ${rightCell('customers')} |\n`
  return `${lines.join('')}${owner}${customers}`
}

/** The operations that need only this right, then those that need it together with others. */
function rightCell(right: TakenRight): string {
  const opened = ADMIN_OPERATIONS.filter((operation) => OPERATION_ROWS[operation].rights.includes(right))
  const others = (operation: AdminOperation) =>
    OPERATION_ROWS[operation].rights.filter((one) => one !== right)
  const together = Map.groupBy(
    opened.filter((operation) => others(operation).length > 0),
    (operation) => others(operation).map(code).join(' and '),
  )
  const alone = opened.filter((operation) => others(operation).length === 0)
  return [
    ...(alone.length === 0 ? [] : [codes(alone)]),
    ...[...together].map(([beside, operations]) => `together with ${beside} ${codes(operations)}`),
  ].join('; ')
}
