/** The schemas of parameters, derived from their rows. */
import { z } from 'zod'
import type { Parameter, ParameterForm, ParametersByName } from '../endpoints/parameter.ts'
import {
  assetCode,
  clientOrderId,
  decimalParameter,
  symbolName,
  timeParameter,
  uuidParameter,
} from './forms.ts'

export function zodParameters(parameters: ParametersByName): z.ZodObject {
  return z.object(
    Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, zodParameter(each)])),
  )
}

function zodParameter({ form, description, isOptional, fallback }: Parameter): z.ZodType {
  const of = zodForm(form)
  const filled = fallback === undefined ? (isOptional ? of.optional() : of) : of.default(fallback)
  return description === undefined ? filled : filled.meta({ description })
}

const PLAIN = {
  decimal: decimalParameter,
  time: timeParameter,
  uuid: uuidParameter,
  symbol: symbolName,
  clientOrderId,
  asset: assetCode,
} as const

function zodForm(form: ParameterForm): z.ZodType {
  switch (form.is) {
    case 'text':
      return form.lengthMax === undefined ? z.string() : z.string().max(form.lengthMax)
    case 'pattern':
      return z.string().regex(form.pattern)
    case 'whole':
      return z.int().min(form.min).max(form.max)
    case 'oneOf':
      return form.values.length === 1 ? z.literal(form.values[0] as string) : z.enum(form.values)
    case 'json':
      return z
        .string()
        .meta({ description: 'JSON.', contentMediaType: 'application/json', examples: [form.example] })
    default:
      return PLAIN[form.is]
  }
}
