/** The OpenAPI 3.1 document of the trading interface, generated from the table of endpoints. */

import { byStatus, isSigned, permissionsFor, type SecurityWord } from '../endpoints/reasons.ts'
import { hasForm, TAGS } from '../endpoints/row.ts'
import { ERROR } from '../error-body.ts'
import { REASONS, type Reason } from '../reasons/catalogue.ts'
import { SANDBOX } from '../sandbox-address.ts'
import { allParameters, allReasons, ENDPOINTS, type PublishedEndpoint } from './endpoints.ts'
import { type JsonSchema, jsonSchemas } from './json-schema.ts'
import { moreAbout, SECURITY_SCHEMES, SERVER_WORDS, SIGNING, WORDS } from './prose.ts'
import { HEADERS, headersOf, type Operation, type Paths, sharedResponses, statusWord } from './responses.ts'
import { zodShape } from './zod-shapes.ts'

/** Examples of answers by their names in the reference's pages. */
export type Examples = ReadonlyMap<string, unknown>

export function openApiDocument(examples: Examples): JsonSchema {
  const { schemas, components } = jsonSchemas(namedSchemas(), 'draft-2020-12')
  const { paths, responses } = sharedResponses(operationsByPath(schemas, examples))
  return {
    openapi: '3.1.1',
    info: {
      title: WORDS.title,
      version: '3',
      summary: WORDS.summary,
      description: WORDS.httpDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${SANDBOX}/api/v3`, description: SERVER_WORDS }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [],
    paths,
    components: {
      schemas: components,
      responses,
      securitySchemes: SECURITY_SCHEMES,
      parameters: SIGNING,
      headers: HEADERS,
    },
  }
}

/** Every schema under its own name: `newOrder:200`, `newOrder:parameters`. */
function namedSchemas() {
  const rows = ENDPOINTS.flatMap((row) => [
    [`${row.id}:parameters`, allParameters(row)] as const,
    [`${row.id}:200`, row.answer] as const,
    ...Object.entries(row.others ?? {}).map(([status, schema]) => [`${row.id}:${status}`, schema] as const),
  ])
  return { error: zodShape(ERROR), ...Object.fromEntries(rows) }
}

type Schemas = Readonly<Record<string, JsonSchema>>

function operationsByPath(schemas: Schemas, examples: Examples): Paths {
  const names = [...new Set(ENDPOINTS.map(({ path }) => path))].toSorted()
  const items = names.map((path) => {
    const rows = ENDPOINTS.filter((row) => row.path === path)
    return [
      path,
      Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), operation(row, schemas, examples)])),
    ]
  })
  return Object.fromEntries(items)
}

function operation(row: PublishedEndpoint, schemas: Schemas, examples: Examples): Operation {
  const { id, tag, summary, page, security, weight, weightNote } = row
  const reasons = allReasons(row)
  const parameters = schemas[`${id}:parameters`] ?? {}
  const form = hasForm(row) ? formOf(row, parameters) : undefined
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: describe(row),
    ...moreAbout(`#${id}`, page),
    security: securityOf(security),
    'x-security': security,
    'x-permissions': permissionsFor(security),
    'x-weight': weight,
    ...(weightNote === undefined ? {} : { 'x-weight-note': weightNote }),
    parameters: [
      ...(form === undefined ? queryOf(row, parameters) : []),
      ...(isSigned(security) || security === 'KEY' ? strictHeaders() : []),
      { $ref: '#/components/parameters/AcceptLanguage' },
    ],
    ...(form === undefined ? {} : { requestBody: form }),
    responses: {
      200: success(row, schemas, examples),
      ...Object.fromEntries(
        [...byStatus(reasons)].map(([status, given]) => [status, refusal(row, status, given, schemas)]),
      ),
    },
  }
}

function describe({ isExtension, weight, weightNote, security }: PublishedEndpoint): string {
  const weighs = `Weight ${weight}${weightNote === undefined ? '' : `; ${weightNote}`}.`
  const permissions = permissionsFor(security)
  const needs = permissions.length === 0 ? '' : ` The key needs the permission ${permissions.join(' or ')}.`
  const alone = security === 'WITHDRAW' ? ' The signature must be strict.' : ''
  const strict = isExtension ? ' Unknown parameters are refused.' : ''
  return `${weighs}${needs}${alone}${strict}`
}

function securityOf(security: SecurityWord): readonly JsonSchema[] {
  if (security === 'NONE') return []
  return [isSigned(security) ? { ApiKey: [], Signature: [] } : { ApiKey: [] }]
}

function strictHeaders(): readonly JsonSchema[] {
  return [
    { $ref: '#/components/parameters/StrictTimestamp' },
    { $ref: '#/components/parameters/StrictNonce' },
  ]
}

/** The parameters one by one, as in a query string. */
function queryOf(row: PublishedEndpoint, parameters: JsonSchema): readonly JsonSchema[] {
  const properties = (parameters.properties ?? {}) as Record<string, JsonSchema>
  const required = (parameters.required ?? []) as readonly string[]
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
    ...exampleOf(row, name),
  }))
}

function exampleOf({ example }: PublishedEndpoint, name: string): JsonSchema {
  const value = name === 'timestamp' ? EXAMPLE_TIME : example[name]
  return value === undefined ? {} : { example: value }
}

const EXAMPLE_TIME = 1790000001123

/** The parameters as a form in the body. */
function formOf({ id, example, security }: PublishedEndpoint, schema: JsonSchema): JsonSchema {
  const isSent = Object.keys((schema.properties ?? {}) as object).length > 0
  const sent = isSigned(security) ? { timestamp: EXAMPLE_TIME } : {}
  return {
    required: isSent,
    description: isSent
      ? 'Signed exactly as it is sent, byte for byte. The same parameters may be in the query string.'
      : `The body that ${id} is to check, exactly as it was sent.`,
    content: {
      'application/x-www-form-urlencoded': {
        schema: isSent ? schema : { type: 'object', additionalProperties: true },
        ...(isSent ? { example: { ...example, ...sent } } : {}),
      },
    },
  }
}

function success(row: PublishedEndpoint, schemas: Schemas, examples: Examples): JsonSchema {
  const shown = row.answers.map((name) => [name, { value: examples.get(name) }])
  return {
    description: 'Success.',
    headers: headersOf(row, 200),
    content: {
      'application/json': {
        schema: schemas[`${row.id}:200`],
        ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }),
      },
      ...(row.isCsv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    },
  }
}

function refusal(
  row: PublishedEndpoint,
  status: number,
  reasons: readonly Reason[],
  schemas: Schemas,
): JsonSchema {
  const own = row.others?.[status] === undefined ? undefined : schemas[`${row.id}:${status}`]
  const [first] = reasons
  const example = first === undefined || own !== undefined ? undefined : errorExample(first)
  return {
    description: `${statusWord(status)}: ${reasons.join(', ')}.`,
    'x-reasons': reasons,
    headers: headersOf(row, status),
    content: {
      'application/json': { schema: own ?? schemas.error, ...(example === undefined ? {} : { example }) },
    },
  }
}

/** An error with the text of the catalogue; undefined if the text has placeholders. */
function errorExample(reason: Reason): JsonSchema | undefined {
  const { code, en } = REASONS[reason]
  return en.includes('{') ? undefined : { status: false, code, msg: [en], reason }
}
