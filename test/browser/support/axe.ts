/** Barriers for people who use a screen reader, a keyboard or strong contrast, as axe finds them. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Each finding as the rule and the place of the violation; empty if there are none. If `rules` is given, only
 * these rules are checked.
 */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Run through the browser's own protocol: the page's policy still forbids every script that is not its own.
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(axe.source)
  const found = await page.evaluate(async (wanted) => {
    const { axe } = globalThis as unknown as { readonly axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      preload: false,
      ...(wanted === undefined ? {} : { runOnly: [...wanted] }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => ({
        id,
        at: target.join(' '),
        summary: failureSummary ?? '',
      })),
    )
  }, rules)
  return found.map(({ id, at, summary }) => `${id}: ${at}: ${summary.replace(/\s+/g, ' ')}`)
}
