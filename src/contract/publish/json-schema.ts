/**
 * From zod to JSON Schema, in the dialect of OpenAPI 3.1 (2020-12) or of AsyncAPI (draft 7). A named schema
 * is a component, to which all others refer. Objects are open: a client must accept a new member;
 * test/schemas closes them for comparisons.
 */
import { z } from 'zod'

export type JsonSchema = { readonly [name: string]: unknown }

export type Converted = {
  /** By the given names. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** By their own names. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

export type Dialect = 'draft-2020-12' | 'draft-7'

/** The place of components in a document of either kind. */
const COMPONENTS = '#/components/schemas/'

/** All schemas at once, so that they share their components. */
export function jsonSchemas(named: Readonly<Record<string, z.ZodType>>, target: Dialect): Converted {
  const whole = z.toJSONSchema(z.object(named), { target, io: 'input' }) as JsonSchema
  const definitions = (whole.$defs ?? whole.definitions ?? {}) as Record<string, JsonSchema>
  const properties = (whole.properties ?? {}) as Record<string, JsonSchema>
  return { schemas: inPlace(properties), components: sorted(inPlace(definitions)) }
}

function inPlace(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return relocated(schemas) as Record<string, JsonSchema>
}

function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === '$ref' && typeof member === 'string'
      ? member.replace(/^#\/(?:\$defs|definitions)\//, COMPONENTS)
      : relocated(member),
  ])
  return Object.fromEntries(members)
}

function sorted(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
