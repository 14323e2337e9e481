/**
 * A real Chromium and its pages: every error and warning that the browser reports while a page is open is
 * recorded.
 */
import { type Browser, chromium, type Page, type ViewportSize } from 'playwright-core'
// @ts-expect-error The tools are plain JavaScript without types.
import { BROWSER_FLAGS, findBrowser } from '../../../tools/lib/browser.mjs'
import { bounded, CALL_MS_MAX, PAGE_WAIT_MS_MAX } from './bounded.ts'
import { addDelays } from './delays.ts'
import { isLateRequest } from './late-request.ts'

/** A name of this machine that browsers do not trust without TLS, unlike 127.0.0.1 and localhost. */
export const OTHER_NAME = 'exchange.test'

/**
 * A browser whose calls all have a limit. `isWhole` selects the full browser, in place of the headless shell
 * that is sufficient for tests.
 */
export async function launchBrowser(wanted: { readonly isWhole?: boolean } = {}): Promise<Browser> {
  const executablePath: string | undefined = findBrowser(wanted)
  if (executablePath === undefined)
    throw new Error('no Chromium: run `npm test -- test/browser`, or set CHROMIUM_PATH')
  const args: string[] = [...BROWSER_FLAGS, `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`]
  // Only the flags decide whether the browser's sandbox is off, as it must be for root and for no other user.
  const chromiumSandbox = true
  return bounded(await chromium.launch({ executablePath, args, chromiumSandbox, timeout: CALL_MS_MAX }))
}

export type WatchedPage = {
  readonly page: Page
  /**
   * Complaints of the browser since the last call: console errors and warnings, refusals by the content
   * policy, failed requests.
   */
  readonly takeComplaints: () => readonly string[]
  /** Origins that the page sent requests to. */
  readonly origins: ReadonlySet<string>
  /** Number of documents loaded. */
  readonly loads: () => number
}

/**
 * A new page with an empty profile of its own. Its user has this language, and a time zone that is neither
 * UTC nor a whole number of hours off.
 */
export async function openPage(
  browser: Browser,
  url: string,
  viewport: ViewportSize = { width: 1280, height: 800 },
  locale = 'en-US',
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport,
    locale,
    timezoneId: 'Asia/Kolkata',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await addDelays(context)
  const page = await context.newPage()
  page.setDefaultTimeout(PAGE_WAIT_MS_MAX)
  const watched = await watch(page)
  await page.goto(url)
  return watched
}

async function watch(page: Page): Promise<WatchedPage> {
  const complaints: string[] = []
  const origins = new Set<string>()
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  page.on('console', (message) => {
    const isOfLateRequest =
      /status of 401\b/.test(message.text()) && isLateRequest(message.location().url, 401, Date.now())
    if (['error', 'warning'].includes(message.type()) && !isOfLateRequest)
      complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error}`))
  page.on('crash', () => complaints.push('the page crashed'))
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('websocket', (socket) => origins.add(new URL(socket.url()).origin.replace(/^ws/, 'http')))
  page.on('requestfailed', (request) => {
    // A request that a reload interrupts is not a failure.
    const why = request.failure()?.errorText
    if (why !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    const [url, status] = [response.url(), response.status()]
    if (status >= 400 && !isLateRequest(url, status, Date.now())) complaints.push(`request: ${url} ${status}`)
  })
  // Some refusals are reported only to the document.
  await page.exposeFunction('complain', (text: string) => complaints.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { complain } = globalThis as unknown as { readonly complain: (text: string) => void }
      complain(`content policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return { page, takeComplaints: () => complaints.splice(0), origins, loads: () => loads }
}
