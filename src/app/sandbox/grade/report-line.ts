/** The line that a bot may print to report its view of the state (docs/sandbox.md#what-a-bot-can-report). */

import { z } from 'zod'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'

const PREFIX = 'GRADE '
const decimal = z.string().regex(/^-?\d{1,20}(?:\.\d{1,18})?$/, 'expected a decimal as text')

const line = z.strictObject({
  fills: z.int().min(0).optional(),
  position: z.record(z.string().max(20), decimal).optional(),
  book: z.strictObject({ symbol: z.string().max(41), bid: decimal, ask: decimal }).optional(),
})

export type GradeReport = z.infer<typeof line>

/** Undefined if the line is not a report; a text states the error in a report. */
export function readReportLine(text: string): GradeReport | string | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  let value: unknown
  try {
    value = parseJson(text.slice(PREFIX.length), DOCUMENT_JSON)
  } catch (error) {
    if (error instanceof SyntaxError) return 'expected JSON after GRADE'
    throw error
  }
  const read = line.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  return `${issue?.path.join('.') || 'the line'}: ${issue?.message}`
}
