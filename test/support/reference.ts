/** Parsers for pages of the reference: their tables, sections and examples. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { HttpSecurity } from '../../src/server/http/http-call.ts'
import { ROUTES } from '../../src/server/http/routes.ts'

const REFERENCE = path.join(import.meta.dir, '..', '..', 'docs', 'reference')

export function reference(name: string): string {
  return readFileSync(path.join(REFERENCE, `${name}.md`), 'utf8')
}

/** The cells of every table row whose first cell is a word in backticks, as `[word, ...other cells]`. */
export function rows(markdown: string): string[][] {
  return [...markdown.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, word = '', rest = '']) => [
    word,
    ...rest.split(/(?<!\\) \| /).map((cell) => cell.trim()),
  ])
}

/** The text under the heading, up to the next one of any level. */
export function section(markdown: string, heading: string): string {
  const [, text = ''] = markdown.split(new RegExp(`^#+ ${heading}$`, 'm'))
  return text.split(/^#+ /m)[0] as string
}

/** The code blocks after `<!-- kind: name -->`, by name. */
export function marked(markdown: string, kind: string): Map<string, string> {
  const blocks = markdown.matchAll(
    new RegExp(`<!-- ${kind}: (\\S+) -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, 'g'),
  )
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]))
}

/** An endpoint with its security and its weight; '' if a page states the weight in a table. */
type StatedEndpoint = readonly [endpoint: string, security: string, weight: string]

/** The endpoints that a page states. */
export function statedEndpoints(page: string): StatedEndpoint[] {
  const lines = page.matchAll(/^`(\w+) (\/\S+)`.* - security (\w+)(?:, weight (\d+))?/gm)
  return [...lines].map(([, method, route, security = '', weight = '']) => [
    `${method} ${route}`,
    security,
    weight,
  ])
}

/** The endpoints that are served: the contract's, or the extensions. */
export function servedEndpoints(isExtension: boolean): StatedEndpoint[] {
  return [...ROUTES]
    .filter(([route]) => !route.startsWith('/api/api'))
    .flatMap(([route, { endpoints }]) =>
      Object.entries(endpoints).flatMap(([method, endpoint]): StatedEndpoint[] => {
        if (method === 'HEAD' || endpoint?.isExtension !== isExtension) return []
        const { security, weight } = endpoint.operation
        return [[`${method} ${route}`, securityWord(security), String(weight)]]
      }),
    )
}

function securityWord(security: HttpSecurity): string {
  if (security.kind === 'TRIED') return 'KEY'
  return security.kind === 'NONE' ? 'NONE' : security.permission
}

/**
 * Fields in a page's examples that no table between their heading and the example lists, as
 * `[example, field]`.
 */
export function unstatedFields(page: string): [string, string][] {
  const envelope = ['status', 'code', 'msg', 'data']
  return [...marked(page, 'answer')].flatMap(([name, text]) => {
    const [above = ''] = page.split(`<!-- answer: ${name} -->`)
    const table = above.slice(above.lastIndexOf('\n### '))
    return fieldsOf(JSON.parse(text))
      .filter((field) => !envelope.includes(field) && !new RegExp(`[\`.]${field}\``).test(table))
      .map((field): [string, string] => [name, field])
  })
}

/** The names of all fields, except prices used as keys. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(/^\d/.test(name) ? [] : [name]),
    ...fieldsOf(member),
  ])
}

/**
 * The form of an answer: names and types; prices used as keys by their decimals, arrays by their first
 * element.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  const members = Object.entries(value).map(([name, member]) => [
    name.replace(/\d/g, '0').replace(/^0+/, '0'),
    shapeOf(member),
  ])
  return Object.fromEntries(members)
}
