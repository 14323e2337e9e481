/**
 * The keyboard of a phone's screen. Some browsers lay it over the page, and what is fixed to the bottom lies below it: here the page learns how high it is. Others
 * make the page smaller, which the styles see by themselves.
 */

/** Less than that hides no keyboard: a bar of the browser, say. */
const KEYBOARD_MIN = 120

export type Seen = Pick<VisualViewport, 'height' | 'offsetTop' | 'scale'>

/** How much of the page's lower end is hidden by the keyboard, in points; 0: none is there. `pageHeight`: of the window. */
export function hiddenBelow(pageHeight: number, { height, offsetTop, scale }: Seen): number {
  // Who has zoomed in sees less of the page without a keyboard.
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
