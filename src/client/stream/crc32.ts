/** CRC-32 as in zlib, gzip and PNG, of a text in ASCII: the checksum of a book. */

const POLYNOMIAL = 0xed_b8_83_20

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte
  for (let bit = 0; bit < 8; bit++) entry = (entry & 1) === 0 ? entry >>> 1 : (entry >>> 1) ^ POLYNOMIAL
  return entry
})

/** 0 to 2^32-1. */
export function crc32(ascii: string): number {
  let sum = 0xff_ff_ff_ff
  for (let at = 0; at < ascii.length; at++) {
    sum = (sum >>> 8) ^ (TABLE[(sum ^ ascii.charCodeAt(at)) & 0xff] as number)
  }
  return (sum ^ 0xff_ff_ff_ff) >>> 0
}
