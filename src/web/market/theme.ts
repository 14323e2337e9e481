/**
 * The script that the browser runs before it paints: a theme chosen on the page, if it differs from the
 * system's, applies from the first frame. The page's own script runs after the document has been read, which
 * may be later. This script delays the document, so it does nothing else.
 */
import { showTheme, THEME_ENTRY, themeOf } from './state/theme.ts'

showTheme(document, themeOf(keptText()))

/** A browser may refuse access. */
function keptText(): string | undefined {
  try {
    return localStorage.getItem(THEME_ENTRY) ?? undefined
  } catch {
    return undefined
  }
}
