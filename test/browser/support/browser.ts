/**
 * A real Chromium, and pages in it that are watched: whatever the browser complains of while a page is open is kept.
 */
import { type Browser, chromium, type Page, type ViewportSize } from 'playwright-core'
// @ts-expect-error The tools are plain JavaScript without types.
import { BROWSER_FLAGS, findBrowser } from '../../../tools/lib/browser.mjs'

/** A name of this machine that browsers do not trust without TLS, as they trust 127.0.0.1 and localhost. */
export const OTHER_NAME = 'exchange.test'

const LAUNCH_MS_MAX = 120_000
/** How long any one fact on a page may take. */
const WAIT_MS_MAX = 60_000

export async function launchBrowser(): Promise<Browser> {
  const executablePath: string | undefined = findBrowser()
  if (executablePath === undefined)
    throw new Error('no Chromium: run `npm test -- test/browser`, or set CHROMIUM_PATH')
  const args: string[] = [...BROWSER_FLAGS, `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`]
  // The flags alone say whether the browser's sandbox is off, which it must be for root and for nobody else.
  const chromiumSandbox = true
  return chromium.launch({
    executablePath,
    args,
    chromiumSandbox,
    timeout: LAUNCH_MS_MAX,
  })
}

export type WatchedPage = {
  readonly page: Page
  /**
   * What the browser complained of since this was asked last: console errors and warnings, refusals by the content
   * policy, requests that failed.
   */
  readonly takeComplaints: () => readonly string[]
  /** Origins that the page asked anything of. */
  readonly origins: ReadonlySet<string>
  /** How many documents were loaded. */
  readonly loads: () => number
}

/**
 * A page that nobody has opened before, with an empty profile of its own. Its reader has this language, and is where it is neither UTC nor a
 * whole number of hours off.
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
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS_MAX)
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
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error}`))
  page.on('crash', () => complaints.push('the page crashed'))
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('websocket', (socket) => origins.add(new URL(socket.url()).origin.replace(/^ws/, 'http')))
  page.on('requestfailed', (request) => {
    // What a reload cuts short is no failure.
    const why = request.failure()?.errorText
    if (why !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`request: ${response.url()} ${response.status()}`)
  })
  // Some refusals are said to the document only.
  await page.exposeFunction('complain', (text: string) => complaints.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { complain } = globalThis as unknown as { readonly complain: (text: string) => void }
      complain(`content policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return { page, takeComplaints: () => complaints.splice(0), origins, loads: () => loads }
}
