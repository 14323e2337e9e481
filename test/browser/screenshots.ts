/**
 * `npm run screenshots`: takes the pictures of the documentation again, or with `--pins` the reference
 * pictures of test/browser/pictures.test.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
// @ts-expect-error The tools are plain JavaScript without types.
import { ensureBrowser } from '../../tools/lib/browser.mjs'
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { ROOT } from '../support/bourse-process.ts'
import { writePins } from './pictures/pins.ts'
import { PINNED, type Scene, SHOWN } from './pictures/scenes.ts'
import { smallPng } from './pictures/small-png.ts'
import { Stage } from './pictures/stage.ts'
import { type Taken, takePinned, takeShown } from './pictures/take.ts'
import { launchBrowser } from './support/browser.ts'

const COMMAND = 'npm run screenshots --'
const FOLDER = path.join(ROOT, 'docs/images')

const { values } = readProgram({
  command: COMMAND,
  about: 'Takes the pictures of the documentation anew: a real node with a made market, a real Chromium.',
  options: {
    pins: { kind: 'flag', help: 'takes those that the tests compare, and accepts them' },
    icons: {
      kind: 'flag',
      help: 'draws the icons of the installed page instead, of src/web/market/icon.svg',
    },
    only: { kind: 'text', help: 'the names of the pictures to take, with commas between them', default: '' },
  },
})
const { reason }: { readonly reason?: string } = ensureBrowser()
if (reason !== undefined) {
  console.error(`npm run screenshots: no browser: ${reason}`)
  process.exit(1)
}

const wanted = values.only === '' ? undefined : values.only.split(',')
const scenes = chosen(values.pins ? PINNED : SHOWN)
const stage = new Stage()
try {
  if (values.icons) await drawIcons()
  else {
    await stage.setUp()
    await stage.trade()
    await (values.pins ? takePins() : takePictures())
  }
} finally {
  await stage.tearDown()
}

function chosen(all: readonly Scene[]): readonly Scene[] {
  const unknown = wanted?.find((name) => !all.some((scene) => scene.name === name))
  if (unknown === undefined) return all.filter(({ name }) => wanted?.includes(name) ?? true)
  notUnderstood(
    COMMAND,
    `--only must name some of ${all.map(({ name }) => name).join(', ')}, found ${unknown}`,
  )
}

async function takePins(): Promise<void> {
  const pins = new Map<string, Taken>()
  for (const scene of scenes) {
    const { png, measures } = await takePinned(stage, scene)
    pins.set(scene.name, { png: await smallPng(stage.browser, png), measures })
    console.log(
      `${scene.name}: ${measures.cut.length === 0 ? 'nothing is cut off' : measures.cut.join('; ')}`,
    )
  }
  writePins(pins, wanted !== undefined)
}

async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const scene of scenes) {
    const png = await smallPng(stage.browser, await takeShown(stage, scene))
    writeFileSync(path.join(FOLDER, `${scene.name}.png`), png)
    console.log(`docs/images/${scene.name}.png: ${Math.ceil(png.length / 1024)} KiB`)
  }
}

/**
 * Draws the page's icons: the background of a maskable icon extends to the edges, and its drawing is within
 * the circle that no system cuts off.
 */
async function drawIcons(): Promise<void> {
  const web = path.join(ROOT, 'src/web/market')
  const svg = `data:image/svg+xml;base64,${readFileSync(path.join(web, 'icon.svg')).toString('base64')}`
  const browser = await launchBrowser()
  try {
    for (const [name, size, isMaskable] of [
      ['icon-192', 192, false],
      ['icon-512', 512, false],
      ['icon-maskable', 512, true],
    ] as const) {
      const page = await browser.newPage({ viewport: { width: size, height: size } })
      const ground = isMaskable ? '#141a23' : 'transparent'
      const drawn = isMaskable ? size * 0.86 : size
      await page.setContent(
        `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${ground}"><img width="${drawn}" src="${svg}">`,
      )
      const png = await page.screenshot({ omitBackground: true })
      writeFileSync(path.join(web, `${name}.png`), png)
      console.log(`src/web/market/${name}.png: ${Math.ceil(png.length / 1024)} KiB`)
      await page.close()
    }
  } finally {
    await browser.close()
  }
}
