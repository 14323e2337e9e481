/**
 * Checks the requests of operators by the rows of the operations. Everything is strict: an unknown field is
 * an error that names it.
 */
import { z } from 'zod'
import { type AdminOperation, type AdminRequests, OPERATION_ROWS } from '../../contract/admin/admin.ts'
import type { Field, Fields, Form } from '../../contract/admin/operations/field.ts'
import { TEXT_MAX } from '../../units/limits.ts'
import { nameProblem } from '../../units/names.ts'
import { meant } from '../../units/nearest.ts'
import { hiddenCharacter } from '../../units/printable.ts'
import { invalid } from './context.ts'

/**
 * Names to look up: existing names may contain characters that new texts must not. Half of a surrogate pair
 * has no UTF-8 form: no journal could store it.
 */
const knownOrNone = z
  .string()
  .max(TEXT_MAX)
  .refine((value) => value.isWellFormed(), 'expected well-formed Unicode')
/** Text that is stored and later shown to others. */
const textOrEmpty = knownOrNone.refine((value) => hiddenCharacter(value) === undefined, {
  error: ({ input }) => `expected no control or format characters, found ${hiddenCharacter(String(input))}`,
})
const text = textOrEmpty.min(1)
const newName = text.refine((value) => nameProblem(value) === undefined, {
  error: ({ input }) => nameProblem(String(input)),
})

const TEXTS = {
  known: knownOrNone.min(1),
  text,
  textOrEmpty,
  newName,
  accountName: newName.regex(
    /^[^:]+$/,
    'expected a name without a colon: names with a colon belong to the house',
  ),
  address: text.refine((value) => !value.includes('%'), 'expected an address without a zone (%...)'),
  day: z.string().refine(isDay, 'expected a UTC day like 2026-01-31'),
  moment: z.string().refine(isMoment, 'expected the number of a command or a time like 2026-01-31T23:59:59Z'),
} as const

/** Input that may be repeated in a message. */
const PLAIN_WORD = /^[\w.@-]{1,64}$/

const AUDIT = { actor: textOrEmpty.optional(), note: textOrEmpty.optional() }

/** Created at the first request of an operation: a node receives few of the operations, and starts sooner. */
const checks = new Map<AdminOperation, z.ZodObject>()

/** The check of an operation's request. */
export function checkOf(operation: AdminOperation): z.ZodObject {
  const known = checks.get(operation)
  if (known !== undefined) return known
  const { words, options, isAudited } = OPERATION_ROWS[operation]
  const made = z.strictObject({
    ...(isAudited ? AUDIT : {}),
    ...checksOf(words, () => true),
    ...checksOf(options, ({ isRequired = false }) => isRequired),
  })
  checks.set(operation, made)
  return made
}

function checksOf(fields: Fields, isRequired: (field: Field) => boolean): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const check = checkOfForm(field.form)
      return [name, isRequired(field) ? check : check.optional()]
    }),
  )
}

function checkOfForm(form: Form): z.ZodType {
  switch (form.is) {
    case 'line':
      return z.string().min(1).max(form.lengthMax)
    case 'pattern':
      return (form.isKept ? text : z.string()).regex(form.pattern, form.expected)
    case 'whole':
      return form.max === undefined ? z.int().min(form.min) : z.int().min(form.min).max(form.max)
    case 'flag':
      return z.boolean()
    case 'oneOf':
      return z.enum(form.values)
    case 'list': {
      const list = z.array(checkOfForm(form.of)).min(form.min)
      return form.max === undefined ? list : list.max(form.max)
    }
    default:
      return TEXTS[form.is]
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Whether the text is a valid calendar date. 2026-02-30, for example, is not one, but `Date` would accept it
 * as another day.
 */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function isMoment(text: string): boolean {
  return /^\d{1,15}$/.test(text) || (TIME.test(text) && !Number.isNaN(Date.parse(text)))
}

export function isOperation(name: string): name is AdminOperation {
  return Object.hasOwn(OPERATION_ROWS, name)
}

/** The checked body of a request; throws an `AdminRequestError` that names the field. */
export function parseRequest<Operation extends AdminOperation>(
  operation: Operation,
  body: unknown,
): AdminRequests[Operation] {
  const result = checkOf(operation).safeParse(body, { error: inPlainWords })
  if (result.success) return result.data as AdminRequests[Operation]
  const issue = result.error.issues[0]
  if (issue === undefined) throw invalid('body', 'expected a valid request of this operation')
  if (issue.code === 'unrecognized_keys')
    throw invalid(issue.keys[0] ?? 'body', 'there is no such field in this operation')
  throw invalid(issue.path.join('.') || 'body', issue.message)
}

/** The expected value, if the schema does not state it. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  const unit = 'origin' in issue && issue.origin === 'string' ? ' characters' : ''
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}${unit}`
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}${unit}`
  if (issue.code === 'invalid_value') return oneOfText(issue.values.map(String), issue.input)
  if (issue.code !== 'invalid_type') return undefined
  return issue.input === undefined ? 'is missing' : `expected ${issue.expected}`
}

/** Lists the expected values; quotes the invalid value if it is a word. */
function oneOfText(values: readonly string[], input: unknown): string {
  const expected = `expected one of ${values.join(', ')}`
  if (typeof input !== 'string' || !PLAIN_WORD.test(input)) return expected
  return `${expected}, found ${input}${meant(input, values)}`
}
