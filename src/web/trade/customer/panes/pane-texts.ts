/**
 * The texts of the customer's own pages, in the language of the page. They are loaded with these pages, both
 * languages together, so that the page of the market does not grow with them.
 */
import { shownLanguage } from '../../../shared/texts/texts.ts'
import { ENGLISH_PANE_TEXTS, type PaneTexts } from './pane-texts-english.ts'
import { TURKISH_PANE_TEXTS } from './pane-texts-turkish.ts'

/** Read it during rendering: a change of the language then renders the reader again. */
export function paneTexts(): PaneTexts {
  switch (shownLanguage()) {
    case 'en':
      return ENGLISH_PANE_TEXTS
    case 'tr':
      return TURKISH_PANE_TEXTS
  }
}
