/**
 * What the browser runs before it paints anything: a theme that was chosen on the page, where it is another than the system's, is there from the first
 * picture on. The page's own script comes when the document has been read, which may be after that. It holds the document up, so it does nothing else.
 */
import { showTheme, THEME_ENTRY, themeOf } from './state/theme.ts'

showTheme(document, themeOf(keptText()))

/** A browser may refuse it. */
function keptText(): string | undefined {
  try {
    return localStorage.getItem(THEME_ENTRY) ?? undefined
  } catch {
    return undefined
  }
}
