/** The menu with account and settings. On narrow screens it also has the tools of the bar. */
import { byId } from './dom.ts'

/** The width above which the bar has space for its tools (src/web/market/style/top-bar.css). */
const WIDE = '(width >= 75rem)'

export class MenuView {
  constructor() {
    const menu = byId('menu', HTMLElement)
    const [bar, place] = [byId('tools', HTMLElement), byId('menu-tools', HTMLElement)]
    const tools = [...bar.children]
    const wide = matchMedia(WIDE)
    const lay = () => {
      const to = wide.matches ? bar : place
      to.append(...tools)
    }
    lay()
    wide.addEventListener('change', lay)
    // A panel opened from the menu replaces it.
    menu.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('[data-closes]') !== null) menu.hidePopover()
    })
    menu.addEventListener('toggle', ({ newState }) => {
      if (newState === 'open') firstOf(menu)?.focus()
    })
  }
}

function firstOf(menu: HTMLElement): HTMLElement | undefined {
  const controls = menu.querySelectorAll<HTMLElement>('button, select, input')
  return [...controls].find((control) => control.checkVisibility() && !control.matches(':disabled'))
}
