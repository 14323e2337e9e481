/** Takes the picture of a scene, where everything moves has come to rest: as people see it, or as it is compared. */
import type { Page } from 'playwright-core'
import type { Scene } from './scenes.ts'
import type { Stage } from './stage.ts'

/** Box of an element, in points. */
export type Box = readonly [x: number, y: number, width: number, height: number]

/** What a picture is compared by beside its pixels, and where these can be compared at all. */
export type Measures = {
  /** By name, of what the page is made of. */
  readonly boxes: { readonly [name: string]: Box }
  /** Texts that reach beyond what they are shown in, and how far the page does. */
  readonly cut: readonly string[]
  /** Of a text in the fonts of this machine, in points: where it is another, letters are others too. */
  readonly textWidth: number
}

export type Taken = { readonly png: Buffer; readonly measures: Measures }

/** As people see it. */
export async function takeShown(stage: Stage, scene: Scene): Promise<Buffer> {
  return opened(stage, scene, async (page) => {
    return page.screenshot({ animations: 'disabled', caret: 'hide' })
  })
}

/** Without what is another in every run. */
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
    // Two frames: what was changed last is laid out and drawn.
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
