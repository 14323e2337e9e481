/**
 * The tables of docs/reference/admin.md that the rows of the operators' operations are the source of: what each takes and answers, which
 * right opens which, and what takes the token again. `npm run schemas` writes them into the page.
 */
import { ADMIN_RIGHTS } from '../../src/units/admin-rights.ts'
import { ADMIN_OPERATIONS, type AdminOperation, OPERATION_ROWS } from '../../src/wire/admin.ts'
import type { Field, Form } from '../../src/wire/admin-operations/field.ts'
import type { Nature, OperationRow, TakenRight } from '../../src/wire/admin-operations/row.ts'

/** The page with its tables as the rows have them; throws where the page has no such place. */
export function withTables(page: string): string {
  const texts: readonly (readonly [RegExp, string])[] = [
    [tableBelow('| Operation | Request | Result |'), operationLines()],
    [tableBelow('| Right | Operations |'), rightLines()],
    ...NATURE_TEXTS.map(
      ([nature, text]) =>
        [
          new RegExp(`(?<=^  - ${text}: )[^\\n]*?(?=[;.]$)`, 'm'),
          codes(ADMIN_OPERATIONS.filter((operation) => OPERATION_ROWS[operation].nature === nature)),
        ] as const,
    ),
  ]
  return texts.reduce((text, [place, lines]) => {
    if (!place.test(text)) throw new Error(`expected a place in admin.md for ${place}`)
    return text.replace(place, () => lines)
  }, page)
}

/** Natures that take the token again, as the page words them. */
const NATURE_TEXTS: readonly (readonly [Nature, string])[] = [
  ['MONEY', 'moves money or opens a way for it'],
  ['RIGHTS', 'changes who may what, or to whom something is sent'],
  ['TERMS', 'changes limits, rates and terms, or ends something for good'],
  ['PHASES', 'closes or opens the exchange'],
  ['SECRETS', 'shows what is sealed'],
]

function tableBelow(head: string): RegExp {
  return new RegExp(`(?<=^${head.replaceAll('|', '\\|')}\\n\\|[-|]+\\|\\n)(?:\\|[^\\n]*\\n)*`, 'm')
}

const code = (text: string): string => `\`${text}\``
const codes = (texts: readonly string[]): string => texts.map(code).join(', ')

function operationLines(): string {
  return ADMIN_OPERATIONS.map((operation) => {
    const row = OPERATION_ROWS[operation]
    return `| ${code(operation)} | ${requestCell(row)} | ${row.told} |\n`
  }).join('')
}

/** Each field on a line of its own, those that may be left out last. */
function requestCell({ words, options }: OperationRow): string {
  const given = Object.entries(options)
  return [
    ...[...Object.entries(words), ...given.filter(([, { isRequired }]) => isRequired)].map(fieldText),
    ...given.filter(([, { isRequired }]) => !isRequired).map((field) => `optional ${fieldText(field)}`),
  ].join('<br>')
}

function fieldText([name, { form, help }]: readonly [string, Field]): string {
  const said = formText(form)
  return `${code(name)}${said === '' ? '' : ` (${said})`}: ${help.replaceAll('|', '\\|').replaceAll('<', '&lt;')}`
}

/** What the field is, where it is no text. */
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
  return `${lines.join('')}| ${code('owner')}: of the node's own token alone, no role has it | ${rightCell('owner')} |\n`
}

/** What the right opens alone, then what it opens together with others. */
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
