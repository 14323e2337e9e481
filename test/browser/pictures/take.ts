/** Takes the picture of a scene when nothing moves any more: as people see it, or for comparison. */
import type { Page } from 'playwright-core'
import type { Scene } from './scenes.ts'
import type { Stage } from './stage.ts'

/** Box of an element, in points. */
export type Box = readonly [x: number, y: number, width: number, height: number]

/**
 * Measurements of a picture that are compared in addition to its pixels, and that say whether pixels can be
 * compared.
 */
export type Measures = {
  /** Boxes of the page's elements, by name. */
  readonly boxes: { readonly [name: string]: Box }
  /** Texts that extend beyond their box, and how far the page extends beyond the window. */
  readonly cut: readonly string[]
  /** Width of a text in the fonts of this machine, in points: if it differs, the fonts differ. */
  readonly textWidth: number
}

export type Taken = { readonly png: Buffer; readonly measures: Measures }

/** The picture as people see it. */
export async function takeShown(stage: Stage, scene: Scene): Promise<Buffer> {
  return opened(stage, scene, async (page) => {
    return page.screenshot({ animations: 'disabled', caret: 'hide' })
  })
}

/** The picture without the parts that differ in every run. */
export async function takePinned(stage: Stage, scene: Scene): Promise<Taken> {
  return opened(stage, scene, async (page) => {
    const measures = await page.evaluate(measure)
    const png = await page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      mask: scene.changing.map((selector) => page.locator(selector)),
      maskColor: '#808080',
    })
    return { png, measures }
  })
}

async function opened<Result>(
  stage: Stage,
  scene: Scene,
  look: (page: Page) => Promise<Result>,
): Promise<Result> {
  const page = await scene.open(stage)
  try {
    await page.evaluate(() => document.fonts.ready)
    // Two frames: the last change is laid out and drawn.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
    )
    return await look(page)
  } finally {
    await page.context().close()
  }
}

/** Runs in the page. */
function measure(): Measures {
  const parts = 'header, nav, main, .panel, .trade-form, .trade-send, [role="tablist"], .book-body, section'
  const isSeen = (element: Element) => element.getClientRects().length > 0
  const boxes: Record<string, Box> = {}
  for (const element of [...document.querySelectorAll(parts)].filter(isSeen)) {
    const { x, y, width, height } = element.getBoundingClientRect()
    const name = `${element.tagName.toLowerCase()}.${element.id || element.className || element.ariaLabel}`
    boxes[name] ??= [Math.round(x), Math.round(y), Math.round(width), Math.round(height)]
  }
  const cut = [
    ...document.querySelectorAll<HTMLElement>('button, td, th, label, h1, h2, h3, dt, dd, summary'),
  ]
    .filter((element) => isSeen(element) && !element.matches('.unseen, .unseen *'))
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
    .map((element) => `${element.tagName.toLowerCase()}: ${element.textContent?.trim().slice(0, 40)}`)
  const beyond = document.documentElement.scrollWidth - innerWidth
  if (beyond > 0) cut.push(`page: ${beyond} points`)
  const probe = document.createElement('span')
  probe.textContent = 'Order book 0123456789.00 Emir defteri ĞüşİöÇ'
  document.body.append(probe)
  const textWidth = Math.round(probe.getBoundingClientRect().width)
  probe.remove()
  return { boxes, cut, textWidth }
}
