/** The schemas of answers and messages, derived from their shapes. */
import { z } from 'zod'
import { InvariantError } from '../../units/invariant.ts'
import type { LeafForm, Shape } from '../../units/shapes/shape.ts'
import {
  assetCode,
  clientOrderId,
  decimal,
  exactNumber,
  fixedDecimal,
  isoTime,
  openWord,
  seq,
  signedDecimal,
  symbolName,
  timeMs,
  uuid,
  whole,
} from './forms.ts'

const LEAVES: Readonly<Record<LeafForm, z.ZodType>> = {
  ...{ decimal, signedDecimal, fixedDecimal, exactNumber, uuid, isoTime, whole, seq, timeMs, clientOrderId },
  ...{ text: z.string(), symbol: symbolName, asset: assetCode, flag: z.boolean(), signedWhole: z.int() },
}

/** One schema for each name. */
const made = new Map<string, z.ZodType>()

export function zodShape(shape: Shape): z.ZodType {
  const { form, id, doc, note, isOptional } = shape
  const of = id === undefined ? zodForm(form, doc) : componentOf(shape, id)
  const filled = isOptional ? of.optional() : of
  // A component and an open word already have a description.
  const hasDoc = id !== undefined || (form.is === 'word' && form.isOpen)
  const description = note ?? (hasDoc ? undefined : doc)
  return description === undefined ? filled : filled.meta({ description })
}

function componentOf({ form, doc }: Shape, id: string): z.ZodType {
  const known = made.get(id)
  if (known !== undefined) return known
  const schema = zodForm(form).meta({ id, description: doc })
  made.set(id, schema)
  return schema
}

function zodForm(form: Shape['form'], doc = ''): z.ZodType {
  switch (form.is) {
    case 'word':
      return form.isOpen ? openWord(form.words, doc) : z.enum(form.words)
    case 'matching':
      return z.string().regex(form.pattern)
    case 'between':
      return z.int().min(form.min).max(form.max)
    case 'number':
      return z.literal([...form.values])
    case 'constant':
      return z.literal(form.value)
    case 'list':
      return zodList(form)
    case 'tuple':
      return z.tuple(schemasOf(form.of))
    case 'table':
      return z.record(zodShape(form.name) as z.ZodString, zodShape(form.of))
    case 'either':
      return form.tag === undefined
        ? z.union(schemasOf(form.of))
        : z.discriminatedUnion(form.tag, schemasOf(form.of) as [z.ZodObject])
    case 'object': {
      const members = Object.entries(form.fields).map(([name, shape]) => [name, zodShape(shape)] as const)
      return z.object(Object.fromEntries(members))
    }
    case 'integer':
    case 'bigint':
    case 'bytes':
    case 'wordSet':
    case 'own':
    case 'checked':
    case 'spread':
      throw new InvariantError(`a shape of form ${form.is} is not the shape of an answer`)
    default:
      return LEAVES[form.is]
  }
}

function zodList({ of, min, max }: Extract<Shape['form'], { readonly is: 'list' }>): z.ZodType {
  const list = z.array(zodShape(of))
  const least = min === undefined ? list : list.min(min)
  return max === undefined ? least : least.max(max)
}

function schemasOf(shapes: readonly Shape[]): [z.ZodType, ...z.ZodType[]] {
  const [first, ...others] = shapes.map(zodShape)
  if (first === undefined) throw new InvariantError('a tuple or a choice of nothing')
  return [first, ...others]
}
