/** The page's colors for drawing on a canvas. */

const TOKENS = [
  ...(['up', 'down', 'up-fill', 'down-fill', 'up-pale', 'down-pale', 'text', 'soft', 'faint'] as const),
  ...(['line', 'panel', 'raised', 'focus', 'warn'] as const),
] as const

export type ChartColors = { readonly [Token in (typeof TOKENS)[number]]: string }

export function readColors(): ChartColors {
  return readAll(TOKENS.map((token) => [token, `var(--${token})`])) as ChartColors
}

/**
 * Events that change the colors, besides a choice of the theme on the page: the system's theme, forced
 * colors, more contrast.
 */
const QUERIES = ['(prefers-color-scheme: light)', '(forced-colors: active)', '(prefers-contrast: more)']

/** Dark and light have their own colors; the theme is the system's, or the one chosen on the page. */
export function onColorsChanged(callback: () => void): void {
  const attributes = { attributeFilter: ['data-theme'] }
  new MutationObserver(callback).observe(document.documentElement, attributes)
  for (const query of QUERIES) matchMedia(query).addEventListener('change', callback)
}

/** A color of the current theme in the format of a canvas. */
export function shownColor(color: string): string {
  return readAll([['color', color]]).color ?? color
}

/** The colors by name, as resolved by the browser. */
function readAll(colors: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  // A token has a color for each theme; an element that uses it shows the current one.
  const probe = document.createElement('span')
  probe.hidden = true
  // If the system replaces the colors of text, the tokens already have the system's colors.
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
