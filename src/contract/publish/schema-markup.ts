/** JSON Schemas for people: types in words, objects as tables of fields. */
import type { JsonSchema } from './json-schema.ts'
import { html, joined, type Markup } from './markup.ts'

/** The type of a value, in words. */
export function typeOf(schema: JsonSchema): Markup {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#${name}">${name}</a>`
  }
  const variants = listOf(schema.anyOf ?? schema.oneOf)
  if (variants.length > 0) return joined(variants.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const words = wordsOf(schema)
  if (words.length > 0)
    return joined(
      words.map((word) => html`<code>${word}</code>`),
      ', ',
    )
  const tuple = tupleOf(schema)
  if (tuple.length > 0) return html`array of ${tuple.length}`
  if (schema.type === 'array') return html`array of ${typeOf(itemsOf(schema))}`
  return html`${String(schema.type ?? 'anything')}${rangeOf(schema)}`
}

function wordsOf(schema: JsonSchema): readonly string[] {
  const words = schema.enum ?? schema['x-extensible-enum']
  // Reasons have a table of their own.
  return Array.isArray(words) && words.length <= 20 ? words.map(String) : []
}

function rangeOf({ minimum, maximum, default: fallback }: JsonSchema): string {
  const top = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : ''
  const range = top === '' ? '' : ` ${String(minimum ?? 0)}${top}`
  return fallback === undefined ? range : `${range}, default ${String(fallback)}`
}

/** A row for each field; fields of nested objects have their path. */
export function fieldRows(schema: JsonSchema, prefix = ''): readonly Markup[] {
  if (schema.$ref !== undefined) return []
  if (schema.type === 'array' && tupleOf(schema).length === 0)
    return fieldRows(itemsOf(schema), `${prefix}[]`)
  const parts = [...tupleOf(schema).entries()].flatMap(([place, item]) => [
    row(`${prefix}[${place}]`, item, true),
    ...fieldRows(item, `${prefix}[${place}]`),
  ])
  const variants = listOf(schema.anyOf ?? schema.oneOf).flatMap((each) => fieldRows(each, prefix))
  const required = (schema.required ?? []) as readonly string[]
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
  return [
    ...parts,
    ...variants,
    ...fields.flatMap(([name, field]) => {
      const whole = prefix === '' ? name : `${prefix}.${name}`
      return [row(whole, field, required.includes(name)), ...fieldRows(field, whole)]
    }),
  ]
}

export function row(name: string, schema: JsonSchema, isRequired: boolean): Markup {
  const { description } = schema
  return html`<tr><td><code>${name}</code></td><td>${typeOf(schema)}</td><td>${isRequired ? 'yes' : ''}</td><td>${typeof description === 'string' ? description : ''}</td></tr>`
}

/** A table; empty if there are no rows. */
export function table(rows: readonly Markup[], first: string, always = 'Always'): Markup {
  if (rows.length === 0) return html``
  return html`<div class="wide"><table><thead><tr><th>${first}</th><th>Type</th><th>${always}</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function itemsOf(schema: JsonSchema): JsonSchema {
  return (schema.items ?? {}) as JsonSchema
}

/** The elements of an array with a fixed length: draft 7 has them in `items`. */
function tupleOf(schema: JsonSchema): readonly JsonSchema[] {
  return listOf(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined))
}

function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : []
}
