/** A table that scrolls, also with the keyboard. */
import type { ComponentChildren } from 'preact'

export function ScrollBox({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <div class="trade-scroll" tabIndex={0}>
      {children}
    </div>
  )
}
