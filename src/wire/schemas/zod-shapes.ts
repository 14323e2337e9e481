/** The schemas of answers, from their shapes. */
import { z } from 'zod'
import type { LeafForm, Shape } from '../../units/shape.ts'
import {
  assetCode,
  clientOrderId,
  decimal,
  isoTime,
  openWord,
  signedDecimal,
  symbolName,
  timeMs,
  uuid,
  whole,
} from './forms.ts'

const LEAVES: Readonly<Record<LeafForm, z.ZodType>> = {
  ...{ decimal, signedDecimal, uuid, isoTime, whole, timeMs, clientOrderId },
  ...{ text: z.string(), symbol: symbolName, asset: assetCode, flag: z.boolean() },
}

/** One schema for a shape, wherever it stands: a component has its name once. */
const made = new WeakMap<Shape['form'], z.ZodType>()

export function zodShape({ form, doc, isOptional }: Shape): z.ZodType {
  const of = made.get(form) ?? zodForm(form, doc)
  if (form.is === 'object') made.set(form, of)
  const filled = isOptional ? of.optional() : of
  // A component and an open word have theirs already.
  const hasDoc = form.is === 'object' || (form.is === 'word' && form.isOpen)
  return doc === undefined || hasDoc ? filled : filled.meta({ description: doc })
}

function zodForm(form: Shape['form'], doc = ''): z.ZodType {
  switch (form.is) {
    case 'word':
      return form.isOpen ? openWord(form.words, doc) : z.enum(form.words)
    case 'constant':
      return z.literal(form.value)
    case 'list':
      return z.array(zodShape(form.of))
    case 'object': {
      const members = Object.entries(form.fields).map(([name, shape]) => [name, zodShape(shape)] as const)
      const of = z.object(Object.fromEntries(members))
      return form.id === undefined ? of : of.meta({ id: form.id, description: doc })
    }
    default:
      return LEAVES[form.is]
  }
}
