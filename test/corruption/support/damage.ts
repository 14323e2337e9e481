/** One change to one stored file: a flipped bit, another byte, or a missing end. */
import type { Image } from './image.ts'

export type Damage = {
  readonly file: string
  readonly kind: 'bit' | 'byte' | 'cut'
  /** Position of the change; for a cut, the number of remaining bytes. */
  readonly at: number
  /** XOR mask of the byte, 1 to 255. */
  readonly mask: number
}

/** The kinds of random damage: bit flips are three times as frequent as each of the others. */
const KINDS = ['bit', 'bit', 'bit', 'byte', 'cut'] as const

export function randomDamage(image: Image, file: string, random: () => number): Damage {
  const below = (end: number): number => Math.floor(random() * end)
  const kind = KINDS[below(KINDS.length)] as Damage['kind']
  const at = below(contentsOf(image, file).length)
  return { file, kind, at, mask: kind === 'bit' ? 1 << below(8) : 1 + below(255) }
}

/** Every byte of the file with one of its bits flipped, and every `CUT_STRIDE`th cut. */
export function* everyDamage(image: Image, file: string): Generator<Damage> {
  const { length } = contentsOf(image, file)
  for (let at = 0; at < length; at++) {
    yield { file, kind: 'bit', at, mask: 1 << (at % 8) }
    if (at % CUT_STRIDE === 0) yield { file, kind: 'cut', at, mask: 1 }
  }
}

const CUT_STRIDE = 64

/** The image with the damage applied. */
export function damaged(image: Image, { file, kind, at, mask }: Damage): Image {
  const contents = Buffer.from(contentsOf(image, file))
  contents[at] = (contents[at] as number) ^ mask
  return new Map(image).set(file, kind === 'cut' ? contents.subarray(0, at) : contents)
}

export function nameOf({ file, kind, at, mask }: Damage): string {
  return kind === 'cut'
    ? `${file} cut to ${at} bytes`
    : `${file} byte ${at} changed by 0x${mask.toString(16)}`
}

function contentsOf(image: Image, file: string): Buffer {
  const contents = image.get(file)
  if (contents === undefined) throw new Error(`expected ${file} in the image`)
  return contents
}
