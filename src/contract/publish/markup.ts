/** HTML as text: every inserted value is escaped. */

/** Text that is markup already. */
export type Markup = { readonly markup: string }

type Part = string | number | Markup | readonly Markup[] | undefined

/** A template whose values are escaped, except markup. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const written = texts.map((text, place) => text + (place < parts.length ? partText(parts[place]) : ''))
  return { markup: written.join('') }
}

function partText(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'object' && 'markup' in part) return part.markup
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('')
  return String(part)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Joins pieces of markup with a separator. */
export function joined(parts: readonly Markup[], between: string): Markup {
  return { markup: parts.map(({ markup }) => markup).join(between) }
}
