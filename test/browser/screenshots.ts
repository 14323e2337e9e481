/** `npm run screenshots`: takes the pictures of the documentation anew, or with `--pins` those that test/browser/pictures.test.ts holds the pages to. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
// @ts-expect-error The tools are plain JavaScript without types.
import { ensureBrowser } from '../../tools/lib/browser.mjs'
import { readProgram } from '../../tools/lib/program.mjs'
import { ROOT } from '../support/bourse-process.ts'
import { writePins } from './pictures/pins.ts'
import { PINNED, SHOWN } from './pictures/scenes.ts'
import { smallPng } from './pictures/small-png.ts'
import { Stage } from './pictures/stage.ts'
import { type Taken, takePinned, takeShown } from './pictures/take.ts'

const FOLDER = path.join(ROOT, 'docs/images')

const { values } = readProgram({
  command: 'npm run screenshots --',
  about: 'Takes the pictures of the documentation anew: a real node with a made market, a real Chromium.',
  options: {
    pins: { kind: 'flag', help: 'takes those that the tests compare, and accepts them' },
  },
})
const { reason }: { readonly reason?: string } = ensureBrowser()
if (reason !== undefined) {
  console.error(`npm run screenshots: no browser: ${reason}`)
  process.exit(1)
}

const stage = new Stage()
try {
  await stage.setUp()
  await stage.trade()
  if (values.pins) await takePins()
  else await takePictures()
} finally {
  await stage.tearDown()
}

async function takePins(): Promise<void> {
  const pins = new Map<string, Taken>()
  for (const scene of PINNED) {
    const { png, measures } = await takePinned(stage, scene)
    pins.set(scene.name, { png: await smallPng(stage.browser, png), measures })
    console.log(
      `${scene.name}: ${measures.cut.length === 0 ? 'nothing is cut off' : measures.cut.join('; ')}`,
    )
  }
  writePins(pins)
}

async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const scene of SHOWN) {
    const png = await smallPng(stage.browser, await takeShown(stage, scene))
    writeFileSync(path.join(FOLDER, `${scene.name}.png`), png)
    console.log(`docs/images/${scene.name}.png: ${Math.ceil(png.length / 1024)} KiB`)
  }
}
