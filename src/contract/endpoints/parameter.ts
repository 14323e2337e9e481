/**
 * A parameter of a request: the meaning of its text, and its description in the published interface. It is
 * data only: the server takes the names from here, and the schemas of the published files are derived from it
 * (`contract/publish/zod-parameters.ts`).
 */

/** The forms of texts (docs/reference/http.md#parameters). */
export type ParameterForm =
  | { readonly is: 'decimal' | 'time' | 'uuid' | 'symbol' | 'clientOrderId' | 'asset' }
  | { readonly is: 'text'; readonly lengthMax?: number }
  | { readonly is: 'pattern'; readonly pattern: RegExp }
  | { readonly is: 'whole'; readonly min: number; readonly max: number }
  | { readonly is: 'oneOf'; readonly values: readonly string[] }
  /** JSON as text, with an example. */
  | { readonly is: 'json'; readonly example: string }

export type Parameter = {
  readonly form: ParameterForm
  /** For readers of the published files; by default the description of the form. */
  readonly description?: string
  readonly isOptional?: true
  /** The default value. */
  readonly fallback?: string | number
}

export type ParametersByName = Readonly<Record<string, Parameter>>

const formed =
  (form: ParameterForm) =>
  (description?: string): Parameter =>
    description === undefined ? { form } : { form, description }

export const decimal = formed({ is: 'decimal' })
/** A time, in milliseconds. */
export const time = formed({ is: 'time' })
export const uuid = formed({ is: 'uuid' })
export const symbolName = formed({ is: 'symbol' })
export const clientOrderId = formed({ is: 'clientOrderId' })
export const assetCode = formed({ is: 'asset' })
export const text = formed({ is: 'text' })

export const pattern = (of: RegExp, description?: string): Parameter =>
  formed({ is: 'pattern', pattern: of })(description)

export const whole = (min: number, max: number, description: string): Parameter =>
  formed({ is: 'whole', min, max })(description)

/** A number from 1 on, with its default. */
export const limit = (max: number, fallback: number, description: string): Parameter =>
  otherwise(fallback, whole(1, max, description))

export const oneOf = (values: readonly string[], description?: string): Parameter =>
  formed({ is: 'oneOf', values })(description)

export const optional = (parameter: Parameter): Parameter => ({ ...parameter, isOptional: true })
export const otherwise = (fallback: string | number, parameter: Parameter): Parameter => ({
  ...parameter,
  fallback,
})

/** The same parameters with a prefix before their names, for one order of a list. */
export function under(prefix: string, parameters: ParametersByName): ParametersByName {
  return Object.fromEntries(Object.entries(parameters).map(([name, each]) => [prefix + name, each]))
}
