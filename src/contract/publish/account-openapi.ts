/** The OpenAPI 3.1 document of the customer interface, generated from its rows. */
import { ACCOUNT_BODY_BYTES_MAX, ACCOUNT_ROWS, CSRF_HEADER, STEP_UP_HEADER } from '../customers/endpoints.ts'
import type { BodyField, BodyForm } from '../customers/field.ts'
import type { AccountRow } from '../customers/row.ts'
import { ACCOUNT_PATH } from '../customers/row.ts'
import { DONE, successOf } from '../envelope.ts'
import { ERROR } from '../error-body.ts'
import { SPOKEN_REASONS, type SpokenReason } from '../reasons/catalogue.ts'
import { SANDBOX } from '../sandbox-address.ts'
import { type JsonSchema, jsonSchemas } from './json-schema.ts'
import { type Operation, type Paths, sharedResponses } from './responses.ts'
import { zodShape } from './zod-shapes.ts'

/** Refusals that every endpoint has. */
const OF_ALL = [
  ...(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'WRONG_ADDRESS', 'RATE_LIMITED', 'BANNED'] as const),
  ...(['CUSTOMERS_AWAY', 'INTERNAL_ERROR'] as const),
] as const satisfies readonly SpokenReason[]
/** Refusals of endpoints with a body. */
const OF_BODIES = [
  ...(['INVALID_PARAMETER', 'MISSING_PARAMETER', 'BODY_TOO_LARGE', 'FOREIGN_PAGE'] as const),
] as const satisfies readonly SpokenReason[]

const ACCESS_WORDS = {
  ANYBODY: 'For everybody.',
  SIGNUP: 'For a browser that has confirmed an email address, or is signed in.',
  SESSION: 'For a browser that is signed in.',
} as const satisfies Readonly<Record<AccountRow['access'], string>>

const DESCRIPTION = `The endpoints under ${ACCOUNT_PATH} of the public port, for the exchange's own pages: JSON in the envelope of the trading interface, with a cookie instead of a key. A body is one object of at most ${ACCOUNT_BODY_BYTES_MAX} bytes, and unknown members are refused. If an exchange has no customers, every path is 404 NOT_FOUND.

GET config comes first: it sets the cookie and returns the token that every POST carries in ${CSRF_HEADER}. Operations that change the ways to sign in, grant rights or erase data require a step-up: step-up/begin, step-up/finish, then ${STEP_UP_HEADER}, once, within a minute, for the same values.`

export function accountDocument(): JsonSchema {
  const rows = Object.entries(ACCOUNT_ROWS)
  const named = rows.map(([name, { answer }]) => {
    return [`${name}:answer`, zodShape(answer === undefined ? DONE : successOf(answer))] as const
  })
  const all = { error: zodShape(ERROR), ...Object.fromEntries(named) }
  const { schemas, components } = jsonSchemas(all, 'draft-2020-12')
  const items = rows.map(([name, row]) => [
    `/${name}`,
    { [row.method.toLowerCase()]: operationOf(name, row, schemas) },
  ])
  const { paths, responses } = sharedResponses(Object.fromEntries(items) as Paths)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bourse: customer accounts',
      version: '1',
      summary: 'How people open accounts, sign in, and keep them safe.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${SANDBOX}${ACCOUNT_PATH.slice(0, -1)}`, description: 'The server of this document.' }],
    security: [],
    paths,
    components: {
      schemas: components,
      responses,
      securitySchemes: {
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-session',
          description: 'Set by GET config, and replaced after each step that gives more access.',
        },
      },
      parameters: PARAMETERS,
    },
  }
}

const PARAMETERS = {
  CsrfToken: {
    name: CSRF_HEADER,
    in: 'header',
    required: true,
    description: 'The token that belongs to the cookie: csrfToken of the answer that set it.',
    schema: { type: 'string' },
  },
  StepUp: {
    name: STEP_UP_HEADER,
    in: 'header',
    description:
      'stepUp of step-up/finish, for this operation with these values. Not needed after signup/confirm.',
    schema: { type: 'string' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of msg and of texts that a person confirms: en or tr.',
    schema: { type: 'string' },
  },
} as const

type Schemas = Readonly<Record<string, JsonSchema>>

function operationOf(name: string, row: AccountRow, schemas: Schemas): Operation {
  const { method, access, summary, fields, stepUp, status = 200 } = row
  const isPost = method === 'POST'
  const reasons = [...new Set<SpokenReason>([...row.reasons, ...OF_ALL, ...(isPost ? OF_BODIES : [])])]
  const refusals = Map.groupBy(reasons, (reason) => SPOKEN_REASONS[reason].status)
  const parameters = [
    'AcceptLanguage',
    ...(isPost ? ['CsrfToken'] : []),
    ...(needsHeader(row) ? ['StepUp'] : []),
  ]
  const proof = stepUp === undefined ? '' : ` Needs a step-up: "${stepUp.text.en}"`
  return {
    operationId: idOf(name),
    summary,
    description: `${ACCESS_WORDS[access]}${proof}`,
    security: access === 'ANYBODY' ? [] : [{ Session: [] }],
    'x-access': access,
    parameters: parameters.map((each) => ({ $ref: `#/components/parameters/${each}` })),
    ...(isPost ? { requestBody: bodyOf(fields) } : {}),
    responses: {
      [status]: {
        description: 'Success.',
        content: { 'application/json': { schema: schemas[`${name}:answer`] ?? {} } },
      },
      ...Object.fromEntries(
        [...refusals]
          .toSorted(([a], [b]) => a - b)
          .map(([code, given]) => [
            code,
            {
              description: `${given.join(', ')}.`,
              'x-reasons': given,
              content: { 'application/json': { schema: schemas.error ?? {} } },
            },
          ]),
      ),
    },
  }
}

function needsHeader({ stepUp }: AccountRow): boolean {
  return stepUp !== undefined && stepUp.isReading !== true
}

/** `mailChangeBegin` of mail/change/begin. */
function idOf(name: string): string {
  return name.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())
}

function bodyOf(fields: AccountRow['fields']): JsonSchema {
  const names = Object.entries(fields)
  const required = names.filter(([, field]) => field.isOptional !== true).map(([name]) => name)
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(names.map(([name, field]) => [name, schemaOf(field)])),
          ...(required.length === 0 ? {} : { required }),
          additionalProperties: false,
        },
      },
    },
  }
}

function schemaOf({ form, help }: Pick<BodyField, 'form' | 'help'>): JsonSchema {
  const description = form.is === 'text' ? `${help}: ${form.expected.en}` : help
  return { ...formOf(form), ...(description === '' ? {} : { description }) }
}

function formOf(form: BodyForm): JsonSchema {
  switch (form.is) {
    case 'text':
      return { type: 'string', pattern: form.pattern.source }
    case 'word':
      return { type: 'string', enum: form.words }
    case 'whole':
      return { type: 'integer', minimum: form.min, maximum: form.max }
    case 'list':
      return {
        type: 'array',
        items: formOf(form.of),
        ...{ minItems: form.min, maxItems: form.max, uniqueItems: true },
      }
    case 'body':
    case 'credential':
      return { type: 'object', additionalProperties: true }
  }
}
