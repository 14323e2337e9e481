/** What keeps people out of a page who use a screen reader, a keyboard or strong contrast, as axe finds it. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Each as the rule and where it is broken; none: nothing was found. `rules`: these alone. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Run by the browser's own protocol: the page's policy goes on to forbid every script that is not its own.
  await page.evaluate(axe.source)
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
