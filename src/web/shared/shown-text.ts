/** The one place that all text of a page passes through before it is drawn. */

/** The argument of preact's hook: a text node has no type, and its properties are the text. */
type Drawn = { readonly type: unknown; props: unknown }

/** Attributes whose text is displayed or read aloud. */
const READ_OUT = ['title', 'aria-label', 'placeholder', 'alt'] as const

/**
 * Passes every text, and every attribute in `READ_OUT`, through `shown`. `options`: preact's. Text typed into
 * a field is not changed.
 */
export function showTexts(options: { vnode?: unknown }, shown: (text: string) => string): void {
  const before = options.vnode as ((drawn: Drawn) => void) | undefined
  options.vnode = (drawn: Drawn): void => {
    if (typeof drawn.props === 'string') drawn.props = shown(drawn.props)
    else if (typeof drawn.type === 'string') showAttributes(drawn.props as Record<string, unknown>, shown)
    before?.(drawn)
  }
}

function showAttributes(props: Record<string, unknown>, shown: (text: string) => string): void {
  for (const name of READ_OUT) {
    const value = props[name]
    if (typeof value === 'string') props[name] = shown(value)
  }
}
