/**
 * The reference that a node shows under `/docs`: pages generated from the published documents, without
 * external content, as the content security policy of the page for people requires. All of it can be read
 * without a script; `src/web/market/reference` adds the search.
 */

import { TAGS } from '../endpoints/row.ts'
import { ALL_REASONS, REASON_NAMES, REASONS } from '../reasons/catalogue.ts'
import { FIRST_STEPS, type FirstProgram, firstSteps } from './first-steps.ts'
import type { JsonSchema } from './json-schema.ts'
import { html, joined, type Markup } from './markup.ts'
import { fieldRows, row, table, typeOf } from './schema-markup.ts'

type Members = Readonly<Record<string, JsonSchema>>

/** The page of the HTTP interface; `programs` place a first order. */
export function httpPage(document: JsonSchema, programs: readonly FirstProgram[]): string {
  const paths = document.paths as Readonly<Record<string, Members>>
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = Object.entries(TAGS).map(([tag, about]) => {
    const within = operations.filter(({ operation }) => (operation.tags as readonly string[]).includes(tag))
    return { tag, about, within }
  })
  const sections = groups.map(
    ({ tag, about, within }) =>
      html`<h2 id="${anchor(tag)}">${tag}</h2><p>${about}</p>${within.map((each) => operationMarkup(document, each))}`,
  )
  const nav = [
    navGroup('Start', FIRST_STEPS),
    ...groups.map(({ tag, within }) => {
      const links = within.map(({ method, path, operation }) => {
        return [String(operation.operationId), `${method} ${path}`] as const
      })
      return navGroup(tag, links)
    }),
    navGroup('Details', [
      ['objects', 'Objects'],
      ['reasons', 'Reasons'],
    ]),
  ]
  const { description } = document.info as { readonly description: string }
  const body = html`${paragraphs(description)}${firstSteps(programs)}${sections}${componentsMarkup(document)}${reasonsMarkup()}`
  return pageText('HTTP interface', nav, body)
}

type ShownOperation = { readonly method: string; readonly path: string; readonly operation: JsonSchema }

function operationMarkup(document: JsonSchema, { method, path, operation }: ShownOperation): Markup {
  const { operationId, summary, description, responses } = operation
  const parameters = (operation.parameters as readonly JsonSchema[]).filter((each) => each.in === 'query')
  const query = parameters.map((each) =>
    row(
      String(each.name),
      { ...(each.schema as JsonSchema), description: each.description },
      each.required === true,
    ),
  )
  const form = contentOf(operation.requestBody, 'application/x-www-form-urlencoded')
  const fields = form === undefined ? [] : fieldRows(form.schema as JsonSchema)
  const success = contentOf((responses as Members)['200'], 'application/json')
  return html`<section id="${String(operationId)}"><h3><code>${method} ${path}</code></h3>
<p>${String(summary)}. ${String(description)}</p>
<p class="soft">Security: ${String(operation['x-security'])}.</p>
${table([...query, ...fields], 'Parameter', 'Required')}
<h4>Answer</h4>${answerMarkup(success)}
<h4>Refusals</h4>${refusalsMarkup(document, responses as Members)}</section>
`
}

export function answerMarkup(content: JsonSchema | undefined): Markup {
  if (content === undefined) return html``
  const schema = content.schema as JsonSchema
  const examples = Object.values((content.examples ?? {}) as Members).map(
    ({ value }) => html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`,
  )
  return html`<p>${typeOf(schema)}</p>${table(fieldRows(schema), 'Field')}${examples}`
}

/** The possible refusals of an operation, by status. */
export function refusalsMarkup(document: JsonSchema, responses: Members, done = '200'): Markup {
  const { responses: shared } = document.components as { readonly responses: Members }
  const parts = Object.entries(responses)
    .filter(([status]) => status !== done)
    .map(([status, response]) => {
      const name = typeof response.$ref === 'string' ? (response.$ref.split('/').at(-1) ?? '') : undefined
      const reasons = (name === undefined ? response : shared[name])?.['x-reasons'] as readonly string[]
      const links = reasons.map((reason) => html`<a href="#${reason}">${reason}</a>`)
      return html`<dt>${status}</dt><dd>${joined(links, ', ')}</dd>`
    })
  return html`<dl>${parts}</dl>`
}

export function contentOf(holder: unknown, type: string): JsonSchema | undefined {
  const { content } = (holder ?? {}) as { readonly content?: Members }
  return content?.[type]
}

export function componentsMarkup(document: JsonSchema): Markup {
  const { schemas } = document.components as { readonly schemas: Members }
  const parts = Object.entries(schemas).map(
    ([name, schema]) =>
      html`<section id="${name}"><h3>${name}</h3><p>${String(schema.description ?? '')}</p>${table(fieldRows(schema), 'Field')}</section>
`,
  )
  return html`<h2 id="objects">Objects</h2>${parts}`
}

function reasonsMarkup(): Markup {
  const rows = REASON_NAMES.map((reason) => {
    const { code, status } = REASONS[reason]
    return html`<tr id="${reason}"><td><code>${reason}</code></td><td>${code}</td><td>${status}</td><td>${ALL_REASONS[reason].en}</td></tr>
`
  })
  return html`<h2 id="reasons">Reasons</h2><div class="wide"><table><thead><tr><th>Reason</th><th>Code</th><th>Status</th><th>Text</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

const DIRECTIONS = [
  ['receive', 'Messages of the client'],
  ['send', 'Messages of the server'],
] as const

/** The page of the stream. */
export function streamPage(document: JsonSchema): string {
  const { messages } = document.components as { readonly messages: Members }
  const operations = Object.values(document.operations as Members)
  const idsOf = (action: string) =>
    operations
      .filter((operation) => operation.action === action)
      .map(
        ({ messages: named }) =>
          (named as readonly { readonly $ref: string }[])[0]?.$ref.split('/').at(-1) ?? '',
      )
  const sections = DIRECTIONS.map(
    ([action, whose]) =>
      html`<h2 id="${action}">${whose}</h2>${idsOf(action).map((id) => messageMarkup(id, messages[id] ?? {}))}`,
  )
  const nav = DIRECTIONS.map(([action, whose]) => {
    const links = idsOf(action).map((id) => [`message-${id}`, String(messages[id]?.name)] as const)
    return navGroup(whose, links)
  })
  const { description } = document.info as { readonly description: string }
  return pageText('Stream', nav, html`${paragraphs(description)}${sections}${componentsMarkup(document)}`)
}

function messageMarkup(id: string, { name, summary, payload, examples }: JsonSchema): Markup {
  const shown = (examples ?? []) as readonly { readonly payload: unknown }[]
  return html`<section id="message-${id}"><h3><code>${String(name)}</code></h3><p>${String(summary)}.</p>
${table(fieldRows(payload as JsonSchema), 'Element')}
${shown.map((each) => html`<pre tabindex="0">${JSON.stringify(each.payload)}</pre>`)}</section>
`
}

export function paragraphs(text: string): Markup {
  return html`${text.split('\n\n').map((each) => html`<p>${each}</p>`)}`
}

/** Links of one kind under a heading, as ids of the page with their texts. */
export function navGroup(heading: string, links: readonly (readonly [id: string, text: string])[]): Markup {
  const items = links.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)
  return html`<h2>${heading}</h2><ul>${items}</ul>
`
}

function anchor(text: string): string {
  return text.toLowerCase().replaceAll(' ', '-')
}

export function pageText(title: string, nav: readonly Markup[], body: Markup): string {
  const whole = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title}: Bourse</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<nav aria-label="Contents"><p><a href="/">Trading page</a> <a href="/docs">HTTP interface</a> <a href="/docs/stream">Stream</a> <a href="/docs/account">Accounts</a></p>
<p><a href="/docs/openapi.json">OpenAPI</a> <a href="/docs/account.json">OpenAPI of accounts</a> <a href="/docs/asyncapi.json">AsyncAPI</a> <a href="/docs/postman.json">Postman</a></p>
<search hidden><input type="search" id="search" placeholder="Search  /" aria-label="Search this page" autocomplete="off" spellcheck="false"><p id="found" role="status"></p><ul id="results"></ul></search>
<div id="contents">${nav}</div></nav>
<main><h1>${title}</h1>
${body}</main>
</body>
</html>
`
  return whole.markup
}
