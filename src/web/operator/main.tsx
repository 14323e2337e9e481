/** The entry point in the browser. */
import { options, render } from 'preact'
import { pageText } from '../../units/printable.ts'
import { Pointer } from '../shared/pointer.ts'
import { showTexts } from '../shared/shown-text.ts'
import { startInLanguage } from './state/page-language.ts'
import { PageSession } from './state/page-session.ts'
import { Page } from './view/page.tsx'

const place = document.getElementById('page')
if (place === null) throw new Error("expected an element with the id 'page'")
const pointer = new Pointer(window, (then, ms) => setTimeout(then, ms))
const session = new PageSession(
  (url, init) => fetch(url, init),
  () => performance.now(),
  () => pointer.untilReleased(),
)
void session.resume()
showTexts(options, pageText)
// The page is never drawn in a language other than the chosen one.
await startInLanguage()
render(<Page session={session} />, place)
