/** Small changes of an input, as networks, disks and attackers make them. */
import type { RandomSource } from '../model/random-source.ts'

/** Longest input; far above every limit that a parser states, except those of complete bodies. */
const INPUT_MAX = 4_096
const BYTES = [0, 1, 0x7f, 0x80, 0xfe, 0xff] as const
const CHARACTERS = [
  ...' \t\n\r\0%+&=;,:/?#.-_~"\'<>{}[]()\\|^`@!$*09aAzZ',
  ...['é', 'ğ', 'ı', '€', '😀', '\ufeff', '\ufffd', '\u200b', '\u0080', '\u007f'],
  ...['%00', '%zz', '%', '%C0%80', '%ED%A0%80', '%F4%90%80%80', '%e2%82%ac', '+'],
]

type Sequence<T> = { readonly length: number; slice(start: number, end?: number): T }

/** `input` with one to four changes. */
export function mutateText(
  random: RandomSource,
  input: string,
  other: string,
  tokens: readonly string[],
): string {
  let text = input
  for (let left = random.between(1, 4); left > 0; left--) {
    text = change(
      random,
      text,
      other,
      (...parts) => parts.join(''),
      () => textPiece(random, tokens),
    )
  }
  return text.slice(0, INPUT_MAX).toWellFormed()
}

/** `input` with one to four changes. */
export function mutateBytes(
  random: RandomSource,
  input: Uint8Array,
  other: Uint8Array,
  tokens: readonly Uint8Array[],
): Uint8Array {
  let bytes = input
  for (let left = random.between(1, 4); left > 0; left--) {
    if (bytes.length > 0 && random.once(2)) bytes = flipped(random, bytes)
    else
      bytes = change(
        random,
        bytes,
        other,
        (...parts) => Buffer.concat(parts),
        () => bytePiece(random, tokens),
      )
  }
  return new Uint8Array(bytes.subarray(0, INPUT_MAX))
}

function flipped(random: RandomSource, bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  const at = random.below(copy.length)
  const byte = copy[at] as number
  copy[at] = random.once(3) ? random.pick(BYTES) : random.once(2) ? byte ^ (1 << random.below(8)) : byte + 1
  return copy
}

function textPiece(random: RandomSource, tokens: readonly string[]): string {
  return tokens.length > 0 && random.once(2) ? random.pick(tokens) : random.pick(CHARACTERS)
}

function bytePiece(random: RandomSource, tokens: readonly Uint8Array[]): Uint8Array {
  if (tokens.length > 0 && random.once(3)) return random.pick(tokens)
  return Uint8Array.from({ length: random.between(1, 9) }, () => random.below(256))
}

/** Removes, doubles, replaces or inserts a piece, cuts the input off, or continues like another input. */
function change<T extends Sequence<T>>(
  random: RandomSource,
  input: T,
  other: T,
  join: (...parts: T[]) => T,
  piece: () => T,
): T {
  const at = random.below(input.length + 1)
  const end = Math.min(input.length, at + random.between(0, random.once(4) ? 64 : 4))
  switch (random.below(8)) {
    case 0:
      return join(input.slice(0, at), input.slice(end))
    case 1:
      return join(input.slice(0, end), input.slice(at))
    case 2:
      return input.slice(0, at)
    case 3:
      return join(input.slice(0, at), other.slice(random.below(other.length + 1)))
    case 4: {
      const repeated: T[] = Array.from({ length: random.between(2, 40) }, () => input.slice(at, end))
      return join(input.slice(0, at), ...repeated, input.slice(end))
    }
    case 5:
      return join(input.slice(0, at), piece(), input.slice(end))
    default:
      return join(input.slice(0, at), piece(), input.slice(at))
  }
}
