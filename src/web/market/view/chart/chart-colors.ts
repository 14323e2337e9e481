/** The page's colours, for what is drawn on a canvas. */

const TOKENS = [
  ...(['up', 'down', 'up-fill', 'down-fill', 'up-pale', 'down-pale', 'text', 'soft', 'faint'] as const),
  ...(['line', 'panel', 'raised', 'focus', 'warn'] as const),
] as const

export type ChartColors = { readonly [Token in (typeof TOKENS)[number]]: string }

export function readColors(): ChartColors {
  return readAll(TOKENS.map((token) => [token, `var(--${token})`])) as ChartColors
}

/** What else than a choice on the page has other colours drawn: the system's theme, its own colours, more contrast. */
const QUERIES = ['(prefers-color-scheme: light)', '(forced-colors: active)', '(prefers-contrast: more)']

/** Dark and light have colours of their own: those of the system, or those that were chosen on the page. */
export function onColorsChanged(callback: () => void): void {
  const attributes = { attributeFilter: ['data-theme'] }
  new MutationObserver(callback).observe(document.documentElement, attributes)
  for (const query of QUERIES) matchMedia(query).addEventListener('change', callback)
}

/** A colour of the theme that is shown, as canvases take it. */
export function shownColor(color: string): string {
  return readAll([['color', color]]).color ?? color
}

/** By name, as the browser has them. */
function readAll(colors: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  // A token has a colour for each theme: which one holds shows where it is drawn with.
  const probe = document.createElement('span')
  probe.hidden = true
  // Where the system replaces the colours of text, the tokens have the system's own.
  probe.style.setProperty('forced-color-adjust', 'none')
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const pairs = colors.map(([name, color]) => {
    probe.style.color = color
    return [name, style.color]
  })
  probe.remove()
  return Object.fromEntries(pairs)
}
