/** A second percent-decoder, byte by byte, which distinguishes a broken encoding from a valid one. */
import { isUtf8 } from 'node:buffer'

/** The decoded name or value of a form; undefined if an escape or its UTF-8 is broken. */
export function decodedFormText(text: string): string | undefined {
  const bytes: number[] = []
  const encoded = new TextEncoder().encode(text)
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] as number
    if (byte === 0x2b) bytes.push(0x20)
    else if (byte !== 0x25) bytes.push(byte)
    else {
      const [high, low] = [hexValue(encoded[at + 1]), hexValue(encoded[at + 2])]
      if (high === undefined || low === undefined) return undefined
      bytes.push(high * 16 + low)
      at += 2
    }
  }
  const decoded = Uint8Array.from(bytes)
  return isUtf8(decoded) ? Buffer.from(decoded).toString('utf8') : undefined
}

function hexValue(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase())
  return value < 0 ? undefined : value
}
