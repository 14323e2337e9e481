/**
 * The types of the typed client, and its table of endpoints, generated from the table of the interface. The
 * client itself imports no schema: the types are files under `src/client/interface`, generated before each
 * compilation; the table is `src/client/endpoints.ts`.
 */
import { CANDLE_INTERVALS } from '../../units/candle-intervals.ts'
import { ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../units/order-enums.ts'
import { END_REASONS } from '../api/order-fields.ts'
import { hasForm } from '../endpoints/row.ts'
import { REASON_NAMES } from '../reasons/catalogue.ts'
import { allParameters, ENDPOINTS, type PublishedEndpoint } from './endpoints.ts'
import {
  assetCode,
  clientOrderId,
  decimal,
  exactNumber,
  fixedDecimal,
  signedDecimal,
  symbolName,
  uuid,
} from './forms.ts'
import { type JsonSchema, jsonSchemas } from './json-schema.ts'
import { comment, type Names, typeDeclaration, typeName, typeOf } from './typescript.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

const HEAD = 'Made by `npm run schemas` from src/contract/publish: change it there.'

/** Lists of words by the names of their types. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  KnownReason: REASON_NAMES,
  Side: SIDES,
  OrderType: ORDER_TYPES,
  TimeInForce: TIMES_IN_FORCE,
  SelfTradeMode: SELF_TRADE_MODES,
  EndReason: END_REASONS,
  CandleInterval: CANDLE_INTERVALS,
}

const FORMS = {
  decimal,
  signedDecimal,
  fixedDecimal,
  exactNumber,
  uuid,
  symbolName,
  assetCode,
  clientOrderId,
}
const words = new Map(Object.entries(WORDS).map(([name, list]) => [list.join(','), name]))
const known = new Set(Object.values(FORMS).map((form) => form.description ?? ''))
const ANSWERED: Names = { decimal: 'DecimalText', words, known }
const SENT: Names = { decimal: 'DecimalInput', words, known }

/** Types that files of the client import, by the file that has them. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  '../values.ts': ['DecimalInput', 'DecimalText', 'Endpoint', 'NoMembers', 'OtherWord'],
  './words.ts': Object.keys(WORDS),
}

/** Parameters that the client sets itself or has in another form. */
const OWN_PARAMETERS = ['timestamp', 'recvWindow', 'test']

/** Texts of the types by file. The components of the stream are those of the AsyncAPI document. */
export function clientInterface(streamComponents: Schemas): ReadonlyMap<string, string> {
  const { schemas, components } = published()
  return new Map([
    ['words.ts', wordsFile()],
    ...answerFiles(components),
    ['messages.ts', messagesFile(streamComponents, components)],
    ['parameters.ts', parametersFile(schemas)],
    ['endpoints.ts', endpointTypesFile(schemas, components)],
  ])
}

/** The text of the client's table of endpoints. */
export function clientEndpoints(): string {
  const { schemas, components } = published()
  const rows = ENDPOINTS.map((row) => `  ${row.id}: ${endpointRow(row, schemas, components)},`)
  const text = `export const ENDPOINTS = {\n${rows.join('\n')}\n} as const satisfies Readonly<Record<string, Endpoint>>\n`
  return file('Every endpoint and the form of its request.', text).replace("'../values.ts'", "'./values.ts'")
}

function published() {
  const named = ENDPOINTS.flatMap((row) => [
    [`${row.id}:parameters`, allParameters(row)] as const,
    [`${row.id}:answer`, row.answer] as const,
    ...Object.entries(row.others ?? {}).map(([status, schema]) => [`${row.id}:${status}`, schema] as const),
  ])
  return jsonSchemas(Object.fromEntries(named), 'draft-2020-12')
}

function wordsFile(): string {
  const types = Object.entries(WORDS).map(
    ([name, list]) => `export type ${name} =\n${list.map((word) => `  | '${word}'`).join('\n')}\n`,
  )
  const about = 'Words of the interface, reasons of refusals first (docs/reference/errors.md).'
  return `${comment(`${about} ${HEAD}`)}\n${types.join('\n')}`
}

/** A file from its head, its imports and its text; only types that occur in the text are imported. */
function file(
  about: string,
  text: string,
  imports: Readonly<Record<string, readonly string[]>> = {},
): string {
  const lines = Object.entries({ ...IMPORTS, ...imports }).map(([from, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).toSorted()
    return used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${from}'\n`
  })
  return `${comment(`${about} ${HEAD}`)}${lines.join('')}\n${text}`
}

/** Orders and positions have files of their own. Everything else is in the last file. */
const ANSWER_FILES: readonly (readonly [name: string, about: string, components: RegExp])[] = [
  ['orders.ts', 'Answers about orders.', /Order|Fill|Placed|Replace|^Done$|^Error$/],
  ['positions.ts', 'Answers about positions.', /^Position/],
  ['answers.ts', 'All other answers.', /^/],
]

function answerFiles(components: Schemas): readonly (readonly [string, string])[] {
  const types = (list: readonly string[]) =>
    list.map((name) => typeDeclaration(name, components[name] ?? {}, ANSWERED)).join('\n')
  return ANSWER_FILES.map(([name, about]) => [name, file(about, types(componentsOf(name, components)))])
}

/** The files with the types of components. */
function componentImports(components: Schemas): Readonly<Record<string, readonly string[]>> {
  const files = ANSWER_FILES.map(([name]): [string, string[]] => [
    `./${name}`,
    componentsOf(name, components).map(typeName),
  ])
  return Object.fromEntries(files.toSorted())
}

function componentsOf(file: string, components: Schemas): string[] {
  const isOf = (name: string) => ANSWER_FILES.find(([, , of]) => of.test(name))?.[0] === file
  return Object.keys(components).filter(isOf)
}

function messagesFile(components: Schemas, answers: Schemas): string {
  const own = Object.entries(components).filter(([name]) => !Object.hasOwn(answers, name))
  const types = own.map(([name, schema]) => typeDeclaration(name, schema, ANSWERED)).join('\n')
  const about = 'Messages of the stream (docs/reference/stream-extensions.md).'
  return file(about, types, componentImports(answers))
}

function parametersFile(schemas: Schemas): string {
  const types = ENDPOINTS.map((row) =>
    typeDeclaration(`${capital(row.id)}Parameters`, parametersOf(row, schemas), SENT),
  )
  return file('What requests take.', types.join('\n'))
}

function parametersOf(row: PublishedEndpoint, schemas: Schemas): JsonSchema {
  const schema = schemas[`${row.id}:parameters`] ?? {}
  const properties = Object.entries((schema.properties ?? {}) as Schemas)
  const kept = properties.filter(([name]) => !OWN_PARAMETERS.includes(name))
  return { ...schema, properties: Object.fromEntries(kept), description: `${row.summary}.` }
}

function endpointTypesFile(schemas: Schemas, components: Schemas): string {
  const answers = ENDPOINTS.map((row) => `  readonly ${row.id}: ${typeOf(dataOf(row, schemas), ANSWERED)}`)
  const parameters = ENDPOINTS.map((row) => `${capital(row.id)}Parameters`)
  const members = ENDPOINTS.map((row) => `  readonly ${row.id}: ${capital(row.id)}Parameters`)
  const text =
    `/** The types of each endpoint's parameters. */\nexport type ParametersOf = {\n${members.join('\n')}\n}\n\n` +
    `/** The type of each endpoint's answer, without the envelope. */\nexport type AnswerOf = {\n${answers.join('\n')}\n}\n`
  const imports = { ...componentImports(components), './parameters.ts': parameters }
  return file('What every endpoint takes and answers.', text, imports)
}

function endpointRow(row: PublishedEndpoint, schemas: Schemas, components: Schemas): string {
  const { method, path, security, isExtension } = row
  const answer = schemas[`${row.id}:answer`] ?? {}
  const isEnveloped = isEnvelope(resolved(answer, components))
  const numbers = [...numberNames([answer, schemas[`${row.id}:409`] ?? {}], components)].toSorted()
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    `security: '${security}'`,
    ...(hasForm(row) ? ['isForm: true'] : []),
    ...(isExtension ? ['isExtension: true'] : []),
    ...(isEnveloped ? ['isEnveloped: true'] : []),
    ...(numbers.length === 0 ? [] : [`numbers: [${numbers.map((name) => `'${name}'`).join(', ')}]`]),
  ]
  return `{ ${members.join(', ')} }`
}

function resolved(schema: JsonSchema, components: Schemas): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : undefined
  return name === undefined ? schema : (components[name] ?? {})
}

function isEnvelope(schema: JsonSchema): boolean {
  return Object.hasOwn((schema.properties ?? {}) as Schemas, 'code')
}

/** The content of an answer: `data` of an envelope, or all of it. */
function dataOf(row: PublishedEndpoint, schemas: Schemas): JsonSchema {
  const schema = schemas[`${row.id}:answer`] ?? {}
  const { data } = (schema.properties ?? {}) as Record<string, JsonSchema>
  return data ?? schema
}

/**
 * Members anywhere in an answer that are numbers with decimals; `*` for the values of a table with any names.
 */
function numberNames(roots: readonly JsonSchema[], components: Schemas): Set<string> {
  const names = new Set<string>()
  const seen = new Set<JsonSchema>()
  const look = (schema: JsonSchema): void => {
    const target = resolved(schema, components)
    if (seen.has(target)) return
    seen.add(target)
    const members = Object.entries((target.properties ?? {}) as Schemas)
    const values = target.additionalProperties as JsonSchema | undefined
    if (values?.type === 'number') names.add('*')
    for (const [name, member] of members) {
      if (member.type === 'number') names.add(name)
      look(member)
    }
    for (const each of [
      target.items,
      ...listOf(target.anyOf),
      ...listOf(target.allOf),
      ...listOf(target.oneOf),
    ]) {
      if (typeof each === 'object' && each !== null) look(each as JsonSchema)
    }
  }
  for (const root of roots) look(root)
  return names
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
