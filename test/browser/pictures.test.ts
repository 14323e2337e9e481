/**
 * The pages look as they did when their pictures were last inspected and accepted:
 * `npm run screenshots -- --pins`. Boxes and cut-off texts are compared on every machine, pixels only if the
 * width of text is the same.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { compared } from './pictures/compare.ts'
import { readPin } from './pictures/pins.ts'
import { PINNED } from './pictures/scenes.ts'
import { Stage } from './pictures/stage.ts'
import { type Box, type Measures, takePinned } from './pictures/take.ts'

setDefaultTimeout(300_000)

/**
 * Share of a picture's cells that may differ: between two runs it is 0.0003 at most, with another green
 * 0.0037.
 */
const PART_MAX = 0.002
/** How far an edge of a box may have moved, in points, if the width of text is the same. */
const NEAR = 2
/** The same for a different text width: lines of text may break at other places. */
const NEAR_ELSEWHERE = 60

const stage = new Stage()

beforeAll(async () => {
  await stage.setUp()
  await stage.trade()
})

afterAll(() => stage.tearDown())

describe('the picture of a page', () => {
  test.each([...PINNED])('$name is the one that was accepted', async (scene) => {
    const pin = readPin(scene.name)
    const { png, measures } = await takePinned(stage, scene)
    const isSameMachine = measures.textWidth === pin.measures.textWidth
    expect(moved(pin.measures, measures, isSameMachine ? NEAR : NEAR_ELSEWHERE)).toEqual([])
    if (!isSameMachine) return
    expect(measures.cut).toEqual(pin.measures.cut)
    const { part, at } = await compared(stage.browser, pin.png, png)
    if (part > PART_MAX) await Bun.write(`/tmp/bourse-picture-${scene.name}.png`, png)
    expect({ at, isNear: part <= PART_MAX }).toEqual({ at, isNear: true })
  })

  test('a comparison finds a moved panel, and another theme', async () => {
    const [dark, light] = ['trading-dark', 'trading-light'].map(readPin)
    if (dark === undefined || light === undefined) throw new Error('expected two pictures')
    expect((await compared(stage.browser, dark.png, dark.png)).part).toBe(0)
    expect((await compared(stage.browser, dark.png, light.png)).part).toBeGreaterThan(0.5)
    const page = await stage.browser.newPage({ viewport: { width: 1_440, height: 900 } })
    await page.setContent(
      `<body style="margin:0"><img style="position:relative;left:40px" src="data:image/png;base64,${dark.png.toString('base64')}">`,
    )
    const shifted = await page.screenshot()
    await page.close()
    expect((await compared(stage.browser, dark.png, shifted)).part).toBeGreaterThan(PART_MAX)
  })
})

/** Boxes that moved, are missing, or are new. */
function moved(pin: Measures, now: Measures, near: number): readonly string[] {
  const names = new Set([...Object.keys(pin.boxes), ...Object.keys(now.boxes)])
  return [...names].flatMap((name) => {
    const [was, is] = [pin.boxes[name], now.boxes[name]]
    if (was !== undefined && is !== undefined && isNear(was, is, near)) return []
    return [`${name}: expected ${was?.join(' ') ?? 'nothing'}, found ${is?.join(' ') ?? 'nothing'}`]
  })
}

function isNear(one: Box, other: Box, near: number): boolean {
  return one.every((side, index) => Math.abs(side - (other[index] ?? 0)) <= near)
}
