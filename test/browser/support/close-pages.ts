/** Closes the pages of a test, and checks the rules that hold for every page. */
import { expect } from 'bun:test'
import { hungCalls } from './bounded.ts'
import type { WatchedPage } from './browser.ts'

/** `origin` is the only one that its page may send requests to. */
type Opened = Pick<WatchedPage, 'page' | 'takeComplaints' | 'origins'> & { readonly origin: string }

/**
 * Fails if a page caused an error or warning of the browser, or a request to another origin. If the test
 * ended while calls had no answer, these are reported first: what the browser reports then is seldom the
 * cause. Calls younger than `hungMs` are left out.
 */
export async function closePages(opened: readonly Opened[], hungMs?: number): Promise<void> {
  const hung = hungCalls(hungMs)
  if (hung.length > 0) {
    const complaints = opened.flatMap(({ takeComplaints }) => takeComplaints())
    throw new Error(
      `the test has ended while a call to the browser had no answer: ${hung.join('; ')}. Complaints of the browser: ${complaints.join('; ') || 'none'}`,
    )
  }
  for (const { page, takeComplaints, origins, origin } of opened) {
    await page.context().close()
    expect(takeComplaints()).toEqual([])
    expect([...origins]).toEqual([origin])
  }
}
