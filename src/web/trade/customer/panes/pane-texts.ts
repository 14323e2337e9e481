/**
 * The texts of the customer's own pages, in the language of the page. Both languages are loaded together with
 * these pages, so that the trading page does not grow.
 */
import { shownLanguage } from '../../../shared/texts/texts.ts'
import { ENGLISH_PANE_TEXTS, type PaneTexts } from './pane-texts-english.ts'
import { TURKISH_PANE_TEXTS } from './pane-texts-turkish.ts'

/** Must be read during rendering: the component is then rendered again when the language changes. */
export function paneTexts(): PaneTexts {
  switch (shownLanguage()) {
    case 'en':
      return ENGLISH_PANE_TEXTS
    case 'tr':
      return TURKISH_PANE_TEXTS
  }
}
