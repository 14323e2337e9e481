/** The page's colours, for what is drawn on a canvas. */

const TOKENS = [
  ...(['up', 'down', 'up-fill', 'down-fill', 'text', 'soft', 'faint'] as const),
  ...(['line', 'panel', 'raised', 'focus', 'warn'] as const),
] as const

export type ChartColors = { readonly [Token in (typeof TOKENS)[number]]: string }

export function readColors(): ChartColors {
  const style = getComputedStyle(document.documentElement)
  const pairs = TOKENS.map((token) => [token, style.getPropertyValue(`--${token}`).trim()])
  return Object.fromEntries(pairs) as ChartColors
}

/** Dark and light have colours of their own. */
export function onColorsChanged(callback: () => void): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', callback)
}
