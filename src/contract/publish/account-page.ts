/** The page of the customer interface under `/docs/account`, generated from its document. */
import { SPOKEN_REASONS, type SpokenReason } from '../reasons/catalogue.ts'
import type { JsonSchema } from './json-schema.ts'
import { html, type Markup } from './markup.ts'
import {
  answerMarkup,
  componentsMarkup,
  contentOf,
  navGroup,
  pageText,
  paragraphs,
  refusalsMarkup,
} from './pages.ts'
import { fieldRows, table } from './schema-markup.ts'

type Members = Readonly<Record<string, JsonSchema>>

export function accountPage(document: JsonSchema): string {
  const paths = document.paths as Readonly<Record<string, Members>>
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.slice(1)}`,
      operation,
    })),
  )
  const links = operations.map(({ name, operation }) => [String(operation.operationId), name] as const)
  const reasons = [
    ...new Set(operations.flatMap(({ operation }) => reasonsOf(document, operation))),
  ].toSorted()
  const nav = [
    navGroup('Endpoints', links),
    navGroup('Details', [
      ['objects', 'Objects'],
      ['reasons', 'Reasons'],
    ]),
  ]
  const { description } = document.info as { readonly description: string }
  const sections = operations.map(({ name, operation }) => operationMarkup(document, name, operation))
  const body = html`${paragraphs(description)}${sections}${componentsMarkup(document)}${reasonsMarkup(reasons)}`
  return pageText('Customer accounts', nav, body)
}

function operationMarkup(document: JsonSchema, name: string, operation: JsonSchema): Markup {
  const { operationId, summary, description } = operation
  const responses = operation.responses as Members
  const sent = contentOf(operation.requestBody, 'application/json')
  const fields = sent === undefined ? [] : fieldRows(sent.schema as JsonSchema)
  const [status = '200'] = Object.keys(responses)
  return html`<section id="${String(operationId)}"><h3><code>${name}</code></h3>
<p>${String(summary)}</p><p class="soft">${String(description)}</p>
${table(fields, 'Member', 'Required')}
<h4>Answer ${status}</h4>${answerMarkup(contentOf(resolved(document, responses[status]), 'application/json'))}
<h4>Refusals</h4>${refusalsMarkup(document, responses, status)}</section>
`
}

function reasonsOf(document: JsonSchema, { responses }: JsonSchema): readonly string[] {
  return Object.values(responses as Members).flatMap(
    (response) => (resolved(document, response)['x-reasons'] ?? []) as readonly string[],
  )
}

/**
 * The response itself, or the component to which it refers: a response of several operations is a component.
 */
function resolved(document: JsonSchema, response: JsonSchema = {}): JsonSchema {
  const { responses } = document.components as { readonly responses: Members }
  const name = typeof response.$ref === 'string' ? (response.$ref.split('/').at(-1) ?? '') : ''
  return responses[name] ?? response
}

function reasonsMarkup(reasons: readonly string[]): Markup {
  const rows = reasons.map((reason) => {
    const { code, status, en } = SPOKEN_REASONS[reason as SpokenReason]
    return html`<tr id="${reason}"><td><code>${reason}</code></td><td>${code}</td><td>${status}</td><td>${en}</td></tr>
`
  })
  return html`<h2 id="reasons">Reasons</h2><div class="wide"><table><thead><tr><th>Reason</th><th>Code</th><th>Status</th><th>Text</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
