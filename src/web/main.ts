/** Where the browser begins. */
import { TradingPage } from './trading-page.ts'

new TradingPage().start()
