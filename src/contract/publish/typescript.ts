/**
 * From JSON Schema to types of TypeScript, for the typed client (`src/client/interface`). A list of words
 * that may grow is open.
 */
import type { JsonSchema } from './json-schema.ts'

export type Names = {
  /** The name of the decimal type: those of requests and answers differ. */
  readonly decimal: string
  /** Named lists of words, by their words joined with commas. */
  readonly words: ReadonlyMap<string, string>
  /** The descriptions common to all uses of a form, which are not repeated at each use. */
  readonly known: ReadonlySet<string>
}

/** Other names for components whose own name has another meaning. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody' }

export function typeName(component: string): string {
  return RENAMED[component] ?? component
}

/** `export type Name = ...` with its description. */
export function typeDeclaration(name: string, schema: JsonSchema, names: Names): string {
  return `${comment(schema.description)}export type ${typeName(name)} = ${typeOf(withoutDescription(schema), names)}\n`
}

/** The type of a schema as an expression. */
export function typeOf(schema: JsonSchema, names: Names): string {
  if (typeof schema.$ref === 'string') return typeName(schema.$ref.replace('#/components/schemas/', ''))
  const alternatives = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined
  if (alternatives !== undefined) return alternatives.map((each) => typeOf(each, names)).join(' | ')
  const [only] = (schema.allOf ?? []) as readonly JsonSchema[]
  if (only !== undefined) return typeOf(only, names)
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(schema.enum)) return wordsType(schema.enum, names)
  switch (schema.type) {
    case 'string':
      return textType(schema, names)
    case 'number':
      return names.decimal
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return arrayType(schema, names)
    case 'object':
      return objectType(schema, names)
    default:
      throw new Error(`expected a schema with a type, found ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

/** Only the pattern of a decimal has a fraction. */
const DECIMAL_PATTERN = /\(\?:\\\.\\d/

function textType(schema: JsonSchema, names: Names): string {
  const words = schema['x-extensible-enum'] as readonly string[] | undefined
  if (words !== undefined) return `${wordsType(words, names)} | OtherWord`
  return typeof schema.pattern === 'string' && DECIMAL_PATTERN.test(schema.pattern) ? names.decimal : 'string'
}

function wordsType(words: readonly unknown[], names: Names): string {
  return names.words.get(words.join(',')) ?? words.map(literal).join(' | ')
}

function arrayType(schema: JsonSchema, names: Names): string {
  const columns = (schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined)) as
    | readonly JsonSchema[]
    | undefined
  if (columns !== undefined) {
    const members = columns.map((column) => `${comment(column.description)}${typeOf(column, names)},`)
    return `readonly [\n${members.join('\n')}\n]`
  }
  return `readonly (${typeOf(schema.items as JsonSchema, names)})[]`
}

function objectType(schema: JsonSchema, names: Names): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const values = schema.additionalProperties
  if (properties.length === 0 && typeof values === 'object' && values !== null) {
    return `{ readonly [name: string]: ${typeOf(values as JsonSchema, names)} }`
  }
  const required = (schema.required ?? []) as readonly string[]
  const members = properties.map(([name, member]) => {
    const isOptional = !required.includes(name)
    const type = typeOf(withoutDescription(member), names)
    const description = names.known.has(String(member.description)) ? undefined : member.description
    return `${comment(description)}readonly ${memberName(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}`
  })
  return members.length === 0 ? 'NoMembers' : `{\n${members.join('\n')}\n}`
}

function memberName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function withoutDescription({ description: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** Longest text of a comment on one line, at any indentation. */
const COMMENT_WIDTH = 96

/** A comment with the description and a line end; empty without a description. */
export function comment(description: unknown): string {
  if (typeof description !== 'string') return ''
  if (description.length <= COMMENT_WIDTH) return `/** ${description} */\n`
  const lines = ['']
  for (const word of description.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > COMMENT_WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}
