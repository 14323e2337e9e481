/** Where the browser begins. */
import { render } from 'preact'
import { PageSession } from './client/page-session.ts'
import { Page } from './view/page.tsx'

const place = document.getElementById('page')
if (place === null) throw new Error("expected an element with the id 'page'")
const session = new PageSession(
  (url, init) => fetch(url, init),
  () => performance.now(),
)
void session.resume()
render(<Page session={session} />, place)
