/** The envelope of successes and errors (docs/reference/http.md#answers, docs/reference/errors.md). */
import { z } from 'zod'
import { REASON_NAMES } from '../reasons/catalogue.ts'
import { decimal, openWord } from './forms.ts'

const message = z.array(z.string()).min(1).meta({
  description: 'Text for people, in the language of Accept-Language; it may change, do not compare it.',
})

const success = {
  status: z.literal(true),
  code: z.literal('0000'),
  msg: message,
}

/** A success without anything beside that it is one. */
export const done = z.object(success).meta({ id: 'Done', description: 'It was done.' })

/** A success with its data. */
export function successOf<Data extends z.ZodType>(data: Data) {
  return z.object({ ...success, data })
}

const refusal = {
  status: z.literal(false),
  code: z.enum(['4001', '4004', '0014']).meta({
    description: '4001: the request is wrong, or refused. 4004: it cannot be read. 0014: not now.',
  }),
  msg: message,
  reason: openWord(
    REASON_NAMES,
    'Why: finer than code, and stable. New words may be added: treat an unknown one by its code.',
  ),
}

/** A refusal; the members behind `reason` are there with some reasons alone (docs/reference/errors.md#beside-the-reason). */
export const error = z
  .object({
    ...refusal,
    isFinal: z
      .boolean()
      .optional()
      .meta({ description: 'Of an order or list that is not there: whether it never will be placed.' }),
    nearest: decimal.optional().meta({
      description: 'The nearest value that would pass the rule that has refused, to be sent as it is.',
    }),
    parameter: z.string().optional().meta({ description: 'The parameter to send it in.' }),
  })
  .meta({ id: 'Error', description: 'The request was refused.' })

/** A refusal that says what was done nevertheless. */
export function refusalWith<Data extends z.ZodType>(reason: string, data: Data) {
  return z.object({ ...refusal, reason: z.literal(reason), data })
}

/** What ends a subscription from the server's side. */
export function refusalOf<Members extends z.ZodRawShape>(members: Members) {
  return z.object({ ...members, ...refusal })
}

export type ErrorBody = z.infer<typeof error>
