/** The page's colours, for what is drawn on a canvas. */

const TOKENS = [
  ...(['up', 'down', 'up-fill', 'down-fill', 'text', 'soft', 'faint'] as const),
  ...(['line', 'panel', 'raised', 'focus', 'warn'] as const),
] as const

export type ChartColors = { readonly [Token in (typeof TOKENS)[number]]: string }

export function readColors(): ChartColors {
  // A token has a colour for each theme: which one holds shows where it is drawn with.
  const probe = document.createElement('span')
  probe.hidden = true
  // Where the system replaces the colours of text, the tokens have the system's own.
  probe.style.setProperty('forced-color-adjust', 'none')
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const pairs = TOKENS.map((token) => {
    probe.style.color = `var(--${token})`
    return [token, style.color]
  })
  probe.remove()
  return Object.fromEntries(pairs) as ChartColors
}

/** What else than a choice on the page has other colours drawn: the system's theme, its own colours, more contrast. */
const QUERIES = ['(prefers-color-scheme: light)', '(forced-colors: active)', '(prefers-contrast: more)']

/** Dark and light have colours of their own: those of the system, or those that were chosen on the page. */
export function onColorsChanged(callback: () => void): void {
  const attributes = { attributeFilter: ['data-theme'] }
  new MutationObserver(callback).observe(document.documentElement, attributes)
  for (const query of QUERIES) matchMedia(query).addEventListener('change', callback)
}
