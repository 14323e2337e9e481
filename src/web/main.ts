/** Where the browser begins. */
import { TradingPage } from './trading-page.ts'
import { startInLanguage } from './view/language-view.ts'
import { showKeptTheme } from './view/theme-view.ts'

// Texts may have to be fetched: meanwhile the ground is that of the theme already.
showKeptTheme()
await startInLanguage()
new TradingPage().start()
