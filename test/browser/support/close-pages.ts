/** Closes the pages of a test, and checks what every page promises. */
import { expect } from 'bun:test'
import { hungCalls } from './bounded.ts'
import type { WatchedPage } from './browser.ts'

/** `origin`: the only one that its page may send requests to. */
type Opened = Pick<WatchedPage, 'page' | 'takeComplaints' | 'origins'> & { readonly origin: string }

/**
 * None may have caused a complaint of the browser or a request to another origin. If the test has ended
 * while calls had no answer, these are named first: what the browser complains of then is seldom the cause.
 * `hungMs`: calls that are younger are left out.
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
