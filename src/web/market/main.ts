/** Where the browser begins. */
import { TradingPage } from './trading-page.ts'
import { startInLanguage } from './view/language-view.ts'

await startInLanguage()
new TradingPage().start()
