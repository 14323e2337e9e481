/** One place through which all text of a page goes before it is drawn, whoever wrote it. */

/** As preact gives it to its hook: a text has no type, and is its own properties. */
type Drawn = { readonly type: unknown; props: unknown }

/** Attributes that people read, or hear. */
const READ_OUT = ['title', 'aria-label', 'placeholder', 'alt'] as const

/** Has every text, and every attribute that is read out, shown as `shown` says. `options`: preact's. What is typed into a field stays as it is. */
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
