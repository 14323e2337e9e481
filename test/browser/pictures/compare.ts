/**
 * Compares two pictures as Chromium itself decodes them: both are made smaller, so that the edges of letters
 * do not count, and cells are compared by color. A moved panel, a color or a text of another size is
 * detected; another rounding of a curve is not.
 */
import type { Browser } from 'playwright-core'

/** Points of a picture per side of a cell. */
const CELL = 6
/** Largest difference of a cell's color, of 255. */
const NEAR = 24

export type Difference = {
  /** Share of the cells that differ, 0 to 1; 1 if the sizes differ. */
  readonly part: number
  /** Bounds of the cells that differ, in points. */
  readonly at?: readonly [left: number, top: number, right: number, bottom: number]
}

export async function compared(browser: Browser, one: Buffer, other: Buffer): Promise<Difference> {
  const page = await browser.newPage()
  try {
    return await page.evaluate(difference, {
      urls: [one, other].map((png) => `data:image/png;base64,${png.toString('base64')}`),
      cell: CELL,
      near: NEAR,
    })
  } finally {
    await page.close()
  }
}

type Asked = { readonly urls: readonly string[]; readonly cell: number; readonly near: number }

/** Runs in an empty page. */
async function difference({ urls, cell, near }: Asked): Promise<Difference> {
  const images = await Promise.all(
    urls.map(async (url) => createImageBitmap(await (await fetch(url)).blob())),
  )
  const [first, second] = images
  if (first === undefined || first.width !== second?.width || first.height !== second.height)
    return { part: 1 }
  const [width, height] = [Math.ceil(first.width / cell), Math.ceil(first.height / cell)]
  const [a, b] = images.map((image) => {
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (context === null) throw new Error('expected a canvas to draw on')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, width, height)
    return context.getImageData(0, 0, width, height).data
  })
  let count = 0
  const at: [number, number, number, number] = [width, height, 0, 0]
  for (let index = 0; index < width * height; index++) {
    const far = [0, 1, 2].some(
      (part) => Math.abs((a?.[index * 4 + part] ?? 0) - (b?.[index * 4 + part] ?? 0)) > near,
    )
    if (!far) continue
    count++
    const [x, y] = [index % width, Math.floor(index / width)]
    at[0] = Math.min(at[0], x)
    at[1] = Math.min(at[1], y)
    at[2] = Math.max(at[2], x + 1)
    at[3] = Math.max(at[3], y + 1)
  }
  const part = count / (width * height)
  if (count === 0) return { part }
  return { part, at: [at[0] * cell, at[1] * cell, at[2] * cell, at[3] * cell] }
}
