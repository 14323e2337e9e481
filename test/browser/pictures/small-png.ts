/**
 * A screenshot as a PNG with a palette: a page has few colors, and the shades between them are the edges of
 * letters.
 */
import { crc32, deflateSync } from 'node:zlib'
import type { Browser } from 'playwright-core'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS = 256
const PALETTE_TYPE = 3

export async function smallPng(browser: Browser, png: Buffer): Promise<Buffer> {
  const { width, height, pixels } = await decoded(browser, png)
  const { palette, indexOf } = paletteOf(pixels)
  // Each row begins with its filter; a palette needs none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + x + 1] = indexOf.get(pixels[y * width + x] ?? 0) ?? 0
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, PALETTE_TYPE, 0, 0, 0], 8)
  const colors = Buffer.from(palette.flatMap((color) => partsOf(color)))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array }

async function decoded(browser: Browser, png: Buffer): Promise<Picture> {
  const page = await browser.newPage()
  try {
    const { width, height, base64 } = await page.evaluate(
      async (url) => {
        const image = await createImageBitmap(await (await fetch(url)).blob())
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
        if (context === null) throw new Error('expected a canvas to draw on')
        context.drawImage(image, 0, 0)
        const { data } = context.getImageData(0, 0, image.width, image.height)
        return { width: image.width, height: image.height, base64: new Uint8Array(data.buffer).toBase64() }
      },
      `data:image/png;base64,${png.toString('base64')}`,
    )
    const bytes = Uint8Array.fromBase64(base64)
    return { width, height, pixels: new Uint32Array(bytes.buffer) }
  } finally {
    await page.close()
  }
}

/** The most frequent colors; each other color is replaced by the nearest of them. */
function paletteOf(pixels: Uint32Array): {
  readonly palette: readonly number[]
  readonly indexOf: ReadonlyMap<number, number>
} {
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([a, countA], [b, countB]) => countB - countA || a - b)
    .slice(0, COLOURS)
    .map(([color]) => color)
  const indexOf = new Map(palette.map((color, index) => [color, index]))
  for (const color of counts.keys()) {
    if (!indexOf.has(color)) indexOf.set(color, nearest(palette, color))
  }
  return { palette, indexOf }
}

function nearest(palette: readonly number[], color: number): number {
  const wanted = partsOf(color)
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [index, one] of palette.entries()) {
    const distance = partsOf(one).reduce((sum, part, at) => sum + (part - (wanted[at] ?? 0)) ** 2, 0)
    if (distance < least) [best, least] = [index, distance]
  }
  return best
}

/** Red, green and blue of a canvas pixel. */
function partsOf(color: number): number[] {
  return [color & 0xff, (color >>> 8) & 0xff, (color >>> 16) & 0xff]
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
