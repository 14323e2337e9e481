/**
 * From zod to JSON Schema, in the dialect of OpenAPI 3.1 (2020-12) or of AsyncAPI (draft 7). What has a name is a component of its own, which
 * all others refer to. Objects are open: a client must bear a member that is new; test/schemas closes them when it compares.
 */
import { z } from 'zod'

export type JsonSchema = { readonly [name: string]: unknown }

export type Converted = {
  /** By the names under which they were given. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** By their own names. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

export type Dialect = 'draft-2020-12' | 'draft-7'

/** Where components stand in a document of either kind. */
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
