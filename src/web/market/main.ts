/** The entry point in the browser. */
import { TradingPage } from './trading-page.ts'
import { startInLanguage } from './view/language-view.ts'
import { untilKeptLayout } from './view/layout/start-layout.ts'

await untilKeptLayout()
await startInLanguage()
new TradingPage().start()
