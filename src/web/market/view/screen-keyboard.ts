/**
 * The on-screen keyboard of a phone. Some browsers draw it over the page and over elements fixed to the
 * bottom; this measures its height. Others shrink the page, which the styles handle by themselves.
 */

/** A smaller difference is not a keyboard but, for example, a bar of the browser. */
const KEYBOARD_MIN = 120

export type Seen = Pick<VisualViewport, 'height' | 'offsetTop' | 'scale'>

/**
 * The height of the page's lower part hidden by the keyboard, in pixels; 0 if there is none. `pageHeight`: of
 * the window.
 */
export function hiddenBelow(pageHeight: number, { height, offsetTop, scale }: Seen): number {
  // A zoomed page is smaller even without a keyboard.
  if (scale > 1) return 0
  const hidden = Math.round(pageHeight - height - offsetTop)
  return hidden >= KEYBOARD_MIN ? hidden : 0
}

export function watchScreenKeyboard(): void {
  const seen = window.visualViewport
  if (seen === null) return
  let before = 0
  const lay = () => {
    const hidden = hiddenBelow(innerHeight, seen)
    if (hidden === before) return
    const opens = before === 0
    before = hidden
    document.documentElement.style.setProperty('--keyboard', `${hidden}px`)
    document.body.toggleAttribute('data-keyboard', hidden > 0)
    if (opens) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }
  seen.addEventListener('resize', lay)
  seen.addEventListener('scroll', lay)
}
