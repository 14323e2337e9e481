/** A table that scrolls, also with the keyboard. */
import type { ComponentChildren } from 'preact'

export function ScrollBox({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <div class="trade-scroll" tabIndex={0}>
      {children}
    </div>
  )
}
